import BothyClient
import BothyContract

/// A transfer as `bothy transfers` prints it with `--json`.
struct TransferRecordDocument: Encodable {
    var id: String
    var direction: TransferSnapshot.Direction
    var name: String
    var local: String
    /// queued, preparing, transferring, verifying, paused, completed, failed or canceled.
    var state: String
    /// Of a paused one: user, offline, server_busy, too_many_uploads, sign_in_needed or stopped.
    var reason: String?
    /// The rule that holds it back, with all other automatic work: pause, battery or metered.
    var heldBy: String?
    var bytesDone: Int64
    var bytesTotal: Int64?
    var bytesCarried: Int64?
    var fileId: String?
    var revisionId: String?
    var sha256: ContentHash?
    var error: ErrorDocument.Body?
    var trace: TransferTrace?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    /// - Parameters:
    ///   - place: where it is here, or will be; nil for where the transfer itself has it.
    ///   - hold: what holds back all automatic work.
    init(_ snapshot: TransferSnapshot, at place: String? = nil, _ hold: Condition? = nil) {
        id = snapshot.id
        direction = snapshot.direction
        name = snapshot.name
        local = place ?? snapshot.localPath
        (state, reason) = Self.words(snapshot.state)
        heldBy = snapshot.state.isStopped ? hold?.rule : nil
        bytesDone = snapshot.bytesDone
        bytesTotal = snapshot.bytesTotal
        bytesCarried = snapshot.bytesCarried
        fileId = snapshot.remoteFileId
        revisionId = snapshot.remoteRevisionId
        sha256 = snapshot.checksum
        error = snapshot.failure.map { ErrorDocument(Complaint($0)).error }
        trace = snapshot.trace
        createdAt = snapshot.createdAt
        updatedAt = snapshot.updatedAt
    }

    private static func words(_ state: TransferState) -> (String, String?) {
        switch state {
        case .queued: ("queued", nil)
        case .preparing: ("preparing", nil)
        case .transferring: ("transferring", nil)
        case .verifying: ("verifying", nil)
        case .paused(let reason): ("paused", reason.rawValue)
        case .completed: ("completed", nil)
        case .failed: ("failed", nil)
        case .canceled: ("canceled", nil)
        }
    }
}
