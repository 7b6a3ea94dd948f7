import BothyClient
import BothyContract

/// The files that one `put --wait` has written down to be sent later: each is told of again once that was done.
actor KeptPuts {
    private struct Kept {
        var operation: JournalOperation
        var local: String
        var path: RemotePath
        /// Bytes.
        var size: Int64
        var isNamed: Bool
    }

    private let home: DeviceHome
    private let log: TransferLog
    /// What was not told of again yet, by the operation's number.
    private var waiting: [Int64: Kept] = [:]
    /// Whether one of them waits for a person now, and its line has said why.
    private(set) var hasFailed = false

    init(home: DeviceHome, log: TransferLog) {
        self.home = home
        self.log = log
    }

    func keep(_ operation: JournalOperation, _ local: String, _ path: RemotePath, _ size: Int64, isNamed: Bool) {
        waiting[operation.id] = Kept(operation: operation, local: local, path: path, size: size, isNamed: isNamed)
    }

    /// Tells of those that do not wait any more.
    ///
    /// - Parameter held: what the journal holds still.
    func tell(_ held: [JournalOperation]) async throws {
        let journal = Dictionary(held.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (id, kept) in waiting.sorted(by: { $0.key < $1.key }) {
            let operation = journal[id]
            guard operation?.state == .acknowledged || operation?.isStuck ?? true else { continue }
            waiting[id] = nil
            if let failure = operation?.lastError, operation?.isStuck == true {
                hasFailed = true
                try await log.tellAgain(
                    document(.failed, kept), line: nil, complaint: Complaint(failure, about: kept.local))
            } else {
                try await tellOver(kept, acknowledged: operation)
            }
        }
    }

    /// - Parameter acknowledged: nil where it has left the journal already.
    private func tellOver(_ kept: Kept, acknowledged: JournalOperation?) async throws {
        let content = kept.operation.content?.checksum
        var file = try await home.replica.file(acknowledged?.subject ?? kept.operation.subject)
        // What the server had already, with the same content, is known here by another number.
        if file?.serverId == nil { file = try await home.replica.file(at: kept.path) }
        let isSame = file.map { $0.checksum == content || $0.size == 0 && kept.size == 0 } ?? false
        var isThere = acknowledged != nil || isSame
        if !isThere {
            // What was merged with another's is there too, and is another content than what was put.
            isThere = try await home.replica.decisions().contains { $0.operation.id == kept.operation.id }
        }
        guard isThere, let id = file?.serverId else { return try await tellGivenUp(kept) }
        var finder = RemotePathFinder(home: home)
        // The name may have been taken: then it has a counter.
        let path = try await finder.path(ofId: id) ?? kept.path.text
        var document = document(.done, kept)
        document.path = path
        document.fileId = id
        document.revisionId = acknowledged?.acknowledgedRevision ?? file?.headRevisionId
        document.sha256 = content
        let line = "\(kept.local) → \(path)  \(ByteText.text(kept.size))"
        try await log.tellAgain(document, line: kept.isNamed ? line : nil)
    }

    /// Another command has discarded it, or somebody has sent a newer version or deleted it before this one looked.
    private func tellGivenUp(_ kept: Kept) async throws {
        let complaint = Complaint(
            code: FailureCode.canceled.rawValue,
            message: "“\(kept.local)” is no longer waiting, and “\(kept.path)” has other content.",
            remedy: """
                It was discarded, or there is a newer version: see “bothy history \(kept.path.text.asTyped)”, and \
                upload it again.
                """,
            status: .failed)
        try await log.tellAgain(document(.failed, kept), line: nil, complaint: complaint)
    }

    private func document(_ event: TransferDocument.Event, _ kept: Kept) -> TransferDocument {
        TransferDocument(
            event: event, direction: .upload, local: kept.local, path: kept.path.text, size: kept.size)
    }
}
