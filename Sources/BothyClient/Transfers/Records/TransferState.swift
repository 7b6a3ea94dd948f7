/// Where a transfer stands.
///
/// `queued → preparing → transferring ⇄ paused(reason) → verifying → completed | failed | canceled`
public enum TransferState: Hashable, Codable, Sendable {
    case queued
    case preparing
    case transferring
    case verifying
    case paused(PauseReason)
    case completed
    case failed
    case canceled

    /// Nothing more will happen by itself in this process: it is over, or waits for a person.
    public var rests: Bool {
        switch self {
        case .completed, .failed, .canceled: true
        case .paused(let reason): reason.waitsForAPerson
        case .queued, .preparing, .transferring, .verifying: false
        }
    }

    /// It was stopped in the middle, and continues by itself once no rule of the device holds that back.
    public var isStopped: Bool { self == .paused(.stopped) }

    /// Nothing is left to be done about it.
    public var isOver: Bool { self == .completed || self == .canceled }
}

/// Which rule holds a transfer back.
public enum PauseReason: String, Codable, CaseIterable, Sendable {
    /// Somebody said so.
    case user
    /// There is no way to the server; it is tried again by itself.
    case offline
    /// The server asked to be left alone for a while; it is tried again by itself.
    case serverBusy = "server_busy"
    /// More uploads of the account are open than the server takes; it is tried again by itself.
    case tooManyUploads = "too_many_uploads"
    /// The session has ended.
    case signInNeeded = "sign_in_needed"
    /// The program that ran it has ended.
    case stopped

    /// It does not go on by itself.
    public var waitsForAPerson: Bool {
        switch self {
        case .user, .signInNeeded, .stopped: true
        case .offline, .serverBusy, .tooManyUploads: false
        }
    }

    /// The reason in a few words: «paused: …».
    public var words: String {
        switch self {
        case .user: "paused by you"
        case .offline: "connection lost, trying again"
        case .serverBusy: "the server is busy, trying again"
        case .tooManyUploads: "too many uploads are open, trying again"
        case .signInNeeded: "waiting for you to sign in"
        case .stopped: "waiting to be resumed"
        }
    }
}
