/// What the operator asks of the server, through the socket in the data folder: one line of JSON.
package enum AdminRequest: Codable, Hashable, Sendable {
    case userList
    case userInvite(note: String)
    case userResetPassword(email: String)
    case userDisable(email: String)
    case userEnable(email: String)
    case userDelete(email: String)
    /// `bytes` is nil for no limit.
    case userQuota(email: String, bytes: Int64?)
    case reportList
    /// Of one post.
    case reportDismiss(post: Int64)
    case postRemove(post: Int64)
    case gc
    case verify
    case stats
    case backup(folder: String)
    case export(folder: String, email: String?)
    /// `into` is a path in the account's drive.
    case importFiles(folder: String, email: String, into: String)
}

/// What the server says to it, a line of JSON each: what it found and did, then how it ended.
package enum AdminReply: Codable, Hashable, Sendable {
    case line(AdminLine)
    case done
    /// What happened, to what, and what to do now.
    case failed(ServerFault.Kind, String)
}
