import BothyContent
import BothyContract

/// An upload's record: what is to be sent, how far it is, and what is known when it goes wrong.
package struct UploadTransfer: Equatable, Sendable {
    package let transferId: String
    /// Grows with each session; it and `transferId` make the session's `requestId`.
    package var generation = 0

    /// Where the file is stored locally.
    package let localPath: String
    /// The file is this transfer's own copy, in the home's private folder.
    package var spooled = false
    /// What the file was like when the upload began: `fileSize`, time and inode.
    package var source: SourcePin?

    package let name: String
    package let parentId: String
    package let fileId: String?
    package let baseRevisionId: String?
    package let mimeType: String?
    package let conflict: ConflictPolicy
    package var executable = false
    /// See ``UploadOrder/checksum``.
    package var expectedHash: ContentHash?
    /// See ``UploadOrder/twins``. Not written down: the process that continues it reads the file as it goes up.
    package let twins: Set<ContentHash>
    /// See ``UploadOrder/ancestor``. Not written down either.
    package let ancestorId: String?
    /// See ``UploadOrder/hashed``. Not written down either.
    package let hashed: HashedSource?
    /// See ``UploadOrder/executable``. Not written down: once the source is pinned, ``executable`` has it.
    private let orderedExecutable: Bool?

    /// Sent in chunks however small it is: one request was too much for a proxy, or all of it is more than what changed.
    package var chunked = false
    /// Of its session: blocks that are named as the file is read, or fixed chunks: of a session that an older release began, and where the
    /// drive's files are cut in a way that this release does not know.
    package var plan = ChunkPlan.Kind.open
    /// The most that one body has, in bytes; of a fixed plan each but the last.
    package var chunkSize = UploadLimits.defaultChunkSize
    /// Places in the plan that the server acknowledged.
    package var receivedBlocks = ChunkSet()
    /// Bytes that the server took of this upload, over all of its runs; the others it had.
    package var sentBytes: Int64 = 0

    /// The server's session; nil until it is made.
    package var sessionId: String?
    package var sessionExpiresAt: Timestamp?
    /// The server's file; nil until the upload is finalized.
    package var remoteFileId: String?
    package var remoteRevisionId: String?
    /// Nil until the file has been read to its end.
    package var fileHashSha256: ContentHash?

    package var state = TransferState.queued
    /// What another process of this device asks of the one that runs it.
    package var wish: TransferWish?
    package var runner: String?
    /// Somebody keeps account of it, under an id of their own: what its file has become meanwhile is theirs to send. Sent by itself, that
    /// would go under an id which they have never heard of.
    package var hasKeeper = false
    /// The transfer that sends the newer content.
    package var replacedBy: String?
    /// The most that was ever shown as done, in bytes.
    package var shownBytes: Int64 = 0

    package var lastError: TransferFailure?
    /// Failures in a row that were not the network's.
    package var failures = 0
    package var attemptsPerChunk = [Int: Int]()
    /// Bytes from the beginning that the server has without a gap.
    package var lastByteOffset: Int64 = 0
    package var lastServerStatus: Int?

    package let createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(transferId: String, order: UploadOrder, spooled: Bool = false, now: Timestamp) {
        self.transferId = transferId
        localPath = order.localPath
        self.spooled = spooled
        name = order.name
        parentId = order.parentId
        fileId = order.fileId
        baseRevisionId = order.baseRevisionId
        mimeType = order.mimeType
        conflict = order.conflict
        expectedHash = order.checksum
        // What is something else than it must be is no copy of anything.
        twins = order.checksum.map { order.twins.intersection([$0]) } ?? order.twins
        ancestorId = order.ancestor ?? order.baseRevisionId
        hashed = order.hashed
        orderedExecutable = order.executable
        createdAt = now
        updatedAt = now
    }

    /// This is what is sent, and nothing else that may stand there later.
    package mutating func pin(_ facts: FileFacts) {
        source = SourcePin(facts)
        executable = orderedExecutable ?? facts.executable
    }

    package var fileSize: Int64? { source?.size }
    /// SHA-256 of the source, where the caller knew it when it ordered the upload and nothing has been refused since: what is sent need
    /// not be hashed once more, since the server hashes what it receives, and refuses what is something else.
    package var knownHash: ContentHash? {
        // Where it must be something, its bytes are held to that.
        guard let hashed, hashed.pin == source, attemptsPerChunk.isEmpty, expectedHash == nil else { return nil }
        return hashed.hash
    }
    package var requestId: String { requestId(generation) }
    package func requestId(_ generation: Int) -> String { "\(transferId)-\(generation)" }
    /// Of a fixed plan.
    package var grid: ChunkGrid? { source.map { ChunkGrid(size: $0.size, chunkSize: chunkSize) } }
}

/// What a source is known again by.
package struct SourcePin: Equatable, Sendable {
    /// Bytes.
    package var size: Int64
    package var modifiedAt: Timestamp
    package var inode: UInt64
    /// What it holds, where it was changed so shortly before that a later edit may have left its size and time; nil where they tell.
    package var content: ContentHash?

    package init(size: Int64, modifiedAt: Timestamp, inode: UInt64, content: ContentHash? = nil) {
        self.size = size
        self.modifiedAt = modifiedAt
        self.inode = inode
        self.content = content
    }

    package init(_ facts: FileFacts) {
        self.init(size: facts.size, modifiedAt: facts.modifiedAt, inode: facts.inode)
    }

    /// Whether a file is the one that was pinned, as it was then.
    ///
    /// - Parameter hash: reads it. It is asked for only where a look does not tell.
    package func isStill(_ facts: FileFacts, hash: () throws -> ContentHash) rethrows -> Bool {
        var now = SourcePin(facts)
        guard let content else { return now == self }
        now.content = content
        guard now == self else { return false }
        return try hash() == content
    }
}

/// A source whose content is known already.
package struct HashedSource: Equatable, Sendable {
    /// SHA-256 of all of it,
    package var hash: ContentHash
    /// as long as it is like this.
    package var pin: SourcePin

    package init(hash: ContentHash, pin: SourcePin) {
        self.hash = hash
        self.pin = pin
    }
}

/// What a person asks of a transfer that runs.
package enum TransferWish: String, Sendable {
    case pause
    case cancel
    /// The program ends.
    case stop
}

extension UploadTransfer {
    package func snapshot(bytesMoved: Int64 = 0, onTheWay: Int64? = nil) -> TransferSnapshot {
        TransferSnapshot(
            id: transferId, direction: .upload, name: name, localPath: localPath, state: state,
            bytesDone: shownBytes, bytesTotal: fileSize, bytesMoved: bytesMoved, failure: lastError,
            remoteFileId: remoteFileId ?? fileId, remoteRevisionId: remoteRevisionId, checksum: fileHashSha256,
            replacedBy: replacedBy, createdAt: createdAt, updatedAt: updatedAt, bytesCarried: sentBytes,
            bytesOnTheWay: onTheWay,
            trace: TransferTrace(
                failures: failures, attempts: attemptsPerChunk, byteOffset: lastByteOffset,
                serverStatus: lastServerStatus))
    }
}
