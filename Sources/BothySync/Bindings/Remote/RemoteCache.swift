import BothyClient
import BothyContract

/// What this device knows of the drive, and bringing it up to date.
package protocol RemoteCache: Sendable {
    /// The server was asked, and could not be: what is known here is all that can be had now.
    var isCutOff: Bool { get }
    /// Reads what changed since, to the end.
    ///
    /// - Returns: what is known then.
    func pull() async throws -> RemoteState
    /// Takes in what this device has done itself, as the answers to it told, without asking.
    ///
    /// - Returns: false where only the log can tell that.
    func takeOwnChanges() async throws -> Bool
    /// Everything below a folder (the folder itself too), nothing of it in the trash.
    ///
    /// - Returns: nil when the folder is not there, or is in the trash.
    func files(below folderId: String) async throws -> [File]?
    /// A file as it was last told, in the trash or not.
    func file(_ id: String) async throws -> File?
    /// Everything in the trash, what lies in folders there too.
    func trashed() async throws -> [File]
    /// What a person has set for conflicts about single files and folders, by their ids on the server.
    func conflictPolicies() async throws -> [String: ConflictResolution]
}

extension RemoteCache {
    package var isCutOff: Bool { false }

    /// For what is there to be looked at alone.
    package func takeOwnChanges() async throws -> Bool { false }
}

/// As of when the cache is.
package struct RemoteState: Equatable, Sendable {
    package var cursor: String
    /// Grows each time that the cache had to begin anew: its cursor was lost, too old, or of another server's past.
    package var link: Int64

    package init(cursor: String, link: Int64) {
        self.cursor = cursor
        self.link = link
    }
}
