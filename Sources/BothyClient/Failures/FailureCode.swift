/// Every way in which work on this device can end badly, by a name that never changes.
public enum FailureCode: String, Codable, CaseIterable, Sendable {
    // Reaching the server.
    case offline
    case serverBusy = "server_busy"
    case serverFailed = "server_failed"
    case untrustedServer = "untrusted_server"
    case answerInvalid = "answer_invalid"
    case redirected
    case proxyLimit = "proxy_limit"

    // Who is asking.
    case signInNeeded = "sign_in_needed"
    case wrongCredentials = "wrong_credentials"
    case accountRefused = "account_refused"

    // What it was asked of.
    case notFound = "not_found"
    case nameConflict = "name_conflict"
    case revisionConflict = "revision_conflict"
    case changedMeanwhile = "changed_meanwhile"
    case parentGone = "parent_gone"
    case notAFolder = "not_a_folder"
    case notAFile = "not_a_file"
    case invalidName = "invalid_name"
    case refused

    // Room.
    case fileTooLarge = "file_too_large"
    case quotaExceeded = "quota_exceeded"
    case serverFull = "server_full"
    case diskFull = "disk_full"

    // The file on this device.
    case fileMissing = "file_missing"
    case permissionDenied = "permission_denied"
    case sourceChanged = "source_changed"
    case sourceDamaged = "source_damaged"
    case sourceNotAFile = "source_not_a_file"
    case fileInUse = "file_in_use"
    case destinationExists = "destination_exists"
    case destinationIsAFolder = "destination_is_a_folder"
    case destinationFolderMissing = "destination_folder_missing"
    case diskFailed = "disk_failed"

    // Bytes.
    case integrityMismatch = "integrity_mismatch"
    case contentDamaged = "content_damaged"
    case sessionExpired = "session_expired"

    // The home and its records.
    case homeUnusable = "home_unusable"
    case homeBusy = "home_busy"
    case homeNewer = "home_newer"
    case pendingWork = "pending_work"
    case transferNotFound = "transfer_not_found"
    case transferPaused = "transfer_paused"
    case transferCanceled = "transfer_canceled"
    case agentRunning = "agent_running"
    case agentFailed = "agent_failed"
    case canceled

    /// What nobody foresaw, and has no words of its own yet.
    case unexpected
}

extension FailureCode {
    /// A code that a newer Bothy has written is read as `unexpected`; the words beside it stay.
    public init(from decoder: any Decoder) throws {
        self = FailureCode(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unexpected
    }

    /// What to do now, in a sentence for a person.
    public var remedy: String {
        switch self {
        case .offline: "Check the connection and the server's address."
        case .serverBusy: "Wait a little and try again."
        case .serverFailed: "Try again; if the problem stays, the server's log says why."
        case .untrustedServer:
            "Check the address and the server's certificate. For your own certificate authority, set BOTHY_CA_FILE to its PEM file."
        case .answerInvalid: "Check that a Bothy server answers there, and that no proxy changes its answers."
        case .redirected: "Sign in with the server's own address, without the redirect."
        case .proxyLimit: "Raise the body limit of the proxy in front of the server (nginx: client_max_body_size)."
        case .signInNeeded: "Sign in with “bothy login”, and waiting changes are sent."
        case .wrongCredentials: "Check the address and the password, and try again."
        case .accountRefused: "Ask the server's administrator."
        case .notFound: "List the folder to see what is there."
        case .nameConflict: "Choose another name, or choose to replace the file or keep both."
        case .revisionConflict: "Check the newer version first, then upload yours as a new one or keep both."
        case .changedMeanwhile: "Check it again, then decide."
        case .parentGone: "Choose another folder, or restore the old one from the trash."
        case .notAFolder: "Choose a folder."
        case .notAFile: "Choose a file."
        case .invalidName: "Choose another name."
        case .refused: "Change the request, then try again."
        case .fileTooLarge: "Split the file, or leave it out."
        case .quotaExceeded: "Delete files that you no longer need and empty the trash, or ask for a larger quota."
        case .serverFull: "Ask the server's administrator to free space. What was already uploaded is not sent again."
        case .diskFull: "Free some space on this disk, then resume. What has arrived is kept."
        case .fileMissing: "Put the file back, or choose it again in its new place."
        case .permissionDenied: "Give yourself permission to read or write there, then retry."
        case .sourceChanged: "Upload it again when it no longer changes. What was already uploaded is not sent again."
        case .sourceDamaged: "Upload the original file again."
        case .sourceNotAFile: "Choose a file; devices, sockets and pipes cannot be uploaded."
        case .fileInUse: "Nothing to do: it is synced when that program has closed it."
        case .destinationExists: "Choose another destination, or allow replacing it."
        case .destinationIsAFolder: "Choose a file name inside that folder."
        case .destinationFolderMissing: "Create the folder first, or choose another one."
        case .diskFailed: "Check the disk; then retry."
        case .integrityMismatch:
            "Retry from scratch; if the problem stays, check this disk and the server's: “bothy server verify”."
        case .contentDamaged:
            "Restore an earlier version (“bothy history”, “bothy restore”), or upload the file again under another name: that repairs both."
        case .sessionExpired: "Retry; a new session is started."
        case .homeUnusable: "Set BOTHY_HOME to a folder that you can write to."
        case .homeBusy: "Try again in a moment. Background work is retried automatically."
        case .homeNewer: "Update Bothy on this machine."
        case .pendingWork: "Let it finish, cancel it, or allow it to be discarded."
        case .transferNotFound: "List the transfers to see their ids."
        case .transferPaused: "“bothy transfers resume” resumes it."
        case .transferCanceled: "It starts over; “bothy transfers pause” pauses it."
        case .agentRunning: "“bothy status” shows what it does; “bothy agent --stop” stops it."
        case .agentFailed: "Check the log in the home's folder “agent”; then start it again with “bothy agent”."
        case .canceled: "Start it again if this was a mistake."
        case .unexpected: "Try again; “bothy doctor” checks for common problems."
        }
    }

    /// The network's fault, or a server's that is busy: nothing that a person need do.
    public var isNetworks: Bool {
        switch self {
        case .offline, .serverBusy: true
        default: false
        }
    }
}
