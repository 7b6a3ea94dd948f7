import BothyClient
import BothyContract

/// An operation of the journal in a person's words.
struct OperationWords: Sendable {
    let operation: JournalOperation
    /// Where its subject is shown; nil where it is not.
    let path: RemotePath?
    /// Where it takes its subject from; nil where that is not known, or stays where it is.
    var origin: RemotePath?

    init(operation: JournalOperation, path: RemotePath?, origin: RemotePath? = nil) {
        self.operation = operation
        self.path = path
        self.origin = origin
    }

    /// As what was asked for, whether it is done or not: what could not be moved is shown where it was.
    init(_ operation: JournalOperation, in replica: ReplicaEngine) async throws {
        guard let placed = try await replica.placed([operation]).first else { preconditionFailure("one was asked for") }
        self.init(placed)
    }

    init(_ placed: PlacedOperation) {
        self.init(operation: placed.operation, path: placed.destination, origin: placed.origin)
    }

    /// «Put /docs/report.pdf».
    var deed: String {
        let place = path?.text ?? "something that no longer exists"
        return switch operation.action {
        case .createFolder(_, let name): "make the folder \(path?.text ?? name)"
        case .upload(_, let name, _, _): "upload \(path?.text ?? name)"
        case .newRevision: "upload a new version of \(place)"
        case .rename(let name): origin.map { "rename \($0.text) to \(name)" } ?? "rename to \(name): \(place)"
        case .move: origin.map { "move \($0.text) to \(place)" } ?? "move to \(place)"
        case .trash: "move to the trash: \(place)"
        case .restore: "restore \(place)"
        case .star(let on): on ? "star \(place)" : "unstar \(place)"
        case .hide(let on): on ? "hide \(place)" : "show \(place)"
        }
    }
}

extension DomainOperation {
    /// Where it stands, and why.
    var standingWords: String {
        switch state {
        case .queued: nextAttemptAt == nil ? "waiting to be sent" : "will be retried: \(reason)"
        case .sending: "being sent"
        case .acknowledged: "done, waiting for the server's confirmation"
        case .conflict: "conflict: \(reason)"
        case .parked: "failed: \(reason)"
        }
    }

    /// What a person can do, where only that helps and its own words say it; “bothy conflicts” says it of a conflict.
    var remedyWords: String? { state == .parked ? lastError?.remedy : nil }

    private var reason: String { lastError?.words ?? "" }
}

extension OperationWords {
    /// Where it stands, and why.
    var standing: String { operation.standingWords }

    /// What a person can do, where only that helps and its own words say it.
    var remedy: String? { operation.remedyWords }
}

/// An operation as `journal` and `conflicts` print it with `--json`.
struct OperationDocument: Encodable {
    var id: Int64
    var kind: String
    var path: String?
    /// Where a move or a rename takes it from.
    var from: String?
    var state: String
    var attempts: Int
    var nextAttemptAt: Timestamp?
    var createdAt: Timestamp
    var error: ErrorDocument.Body?

    init(_ placed: PlacedOperation) {
        self.init(placed.operation, path: placed.destination, origin: placed.origin)
    }

    init(_ operation: any DomainOperation, path: RemotePath?, origin: RemotePath? = nil) {
        id = operation.id
        kind = operation.kind
        self.path = path?.text
        from = origin?.text
        state = operation.state.rawValue
        attempts = operation.attempts
        nextAttemptAt = operation.nextAttemptAt
        createdAt = operation.createdAt
        error = operation.lastError.map { ErrorDocument(Complaint($0)).error }
    }
}
