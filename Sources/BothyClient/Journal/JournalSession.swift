import BothyContract
import GRDB

/// One transaction in which several things are written down, each behind those before it.
struct JournalSession {
    let recording: Recording
    /// What is shown, with what was written down in this transaction.
    var shown = MovedOverlay()

    var db: Database { recording.db }

    /// - Throws: what the server would say to it, as things stand here.
    mutating func record(_ action: JournalOperation.Action) throws -> JournalOperation {
        let outcome = try recording.record(
            action, on: nil, .file, JournalRecorder.newRequestId(), sent: false, &shown)
        guard case .recorded(let operation) = outcome else {
            preconditionFailure("what makes something takes nothing back")
        }
        return operation
    }

    /// What has a name in a folder, as far as that is known here; nil where nothing has it.
    mutating func child(named name: String, of parent: LUID) throws -> ReplicaFile? {
        let ground = DatabaseGround(db: db)
        try shown.catchUp(over: ground)
        let place = NameInFolder(parent: parent, name: name)
        return try shown.overlay.child(at: place, over: ground).flatMap { try shown.overlay.file($0, over: ground) }
    }
}
