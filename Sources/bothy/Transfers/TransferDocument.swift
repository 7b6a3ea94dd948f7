import BothyClient
import BothyContract

/// What `put`, `get` and `transfers resume` print with `--json`: one line for each file, as it ends.
struct TransferDocument: Encodable, Sendable {
    enum Event: String, Encodable, Sendable {
        case done
        /// Both sides had the same content already.
        case unchanged
        /// The name was taken, and the answer was to leave it.
        case skipped
        /// Something that is not taken: a symbolic link, a device, a name that cannot be kept.
        case leftOut = "left_out"
        /// It waits to be gone on with.
        case paused
        case failed
    }

    var event: Event
    var direction: TransferSnapshot.Direction
    /// On this machine; `-` for standard input and output.
    var local: String
    /// On the server, from the root.
    var path: String
    var transferId: String?
    var fileId: String?
    var revisionId: String?
    /// Bytes.
    var size: Int64?
    /// Bytes of it that had to cross the network.
    var bytesCarried: Int64?
    var sha256: ContentHash?
    /// Why it was left out, or waits.
    var reason: String?
    var error: ErrorDocument.Body?
}

/// The last line of `put`, `get` and `transfers resume` with `--json`.
struct TransferSummaryDocument: Encodable {
    var event = "summary"
    var done: Int
    var unchanged: Int
    var skipped: Int
    var leftOut: Int
    var paused: Int
    var failed: Int
    /// Bytes of the files that are done.
    var bytes: Int64
    var seconds: Double
}
