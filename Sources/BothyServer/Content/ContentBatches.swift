import BothyContent
import BothyContract
import Foundation
import NIOCore

/// Many small contents in one answer. Each is read, checked and answered as if it had been asked for by itself; what they share
/// is the way, and the look into the database.
package struct ContentBatches: Sendable {
    /// Bytes that are gathered before they go out. With one item, all the memory that an answer takes.
    private static let pieceBytes = 128 << 10
    /// Bytes of an answer in each frame, where it goes compressed. Nothing but a frame's checksum vouches for an item's metadata: what came of
    /// one before that does not count yet.
    package static let frameBytes = 256 << 10
    /// Blocks of one item. What is small is one block as a rule; whatever was cut finer is fetched by itself.
    private static let mostBlocks = 64

    private let database: any Database
    private let packs: any PackStore

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
    }

    /// One revision that was asked for, as it stood when it was looked up.
    package struct Item: Sendable {
        fileprivate var revisionId: String
        fileprivate var driveId: Int64
        fileprivate var found: Result<Found, Problem>
    }

    fileprivate struct Found: Sendable {
        var content: BatchedContent
        /// All of its blocks, in order.
        var blocks: [ContentBlocks.Located]
    }

    /// Looks up everything that is asked for, all at one moment. What is refused of one is nothing to the others.
    ///
    /// - Throws: `malformed_request`, `too_many_items`, ``DatabaseError``.
    package func find(_ request: ContentBatchRequest, for caller: Caller) async throws -> [Item] {
        let ids = request.revisionIds
        guard !ids.isEmpty else { throw Problem(.malformedRequest, "The batch has no item.") }
        guard ids.count <= UploadLimits.batchItems else {
            throw Problem(.tooManyItems, "A batch has \(UploadLimits.batchItems) items at most.")
        }
        return try await database.read { db in
            // Files that are fetched together lie in few folders.
            var ancestry = Ancestry(db, drive: caller.driveId)
            return try ids.map { id in
                let found = try Self.look(for: id, in: db, drive: caller.driveId, &ancestry)
                return Item(revisionId: id, driveId: caller.driveId, found: found)
            }
        }
    }

    /// An answer of which the first piece was read.
    package struct Opened: Sendable {
        /// As it goes over the wire.
        package fileprivate(set) var first: ByteBuffer
        /// Whether the contents lie compressed, and enough smaller for that.
        package fileprivate(set) var isSmallAtRest: Bool
        fileprivate var rest: ArraySlice<Item>
    }

    /// - Throws: `CancellationError`.
    package func open(_ items: [Item]) async throws -> Opened {
        var rest = items[...]
        let first = try await gather(&rest)
        return Opened(first: first, isSmallAtRest: Self.isSmallAtRest(items), rest: rest)
    }

    /// Hands on the items as they go over the wire, in their order. What cannot be read of one is told in its place.
    ///
    /// - Throws: what `send` throws; `CancellationError`.
    package func send(_ opened: Opened, to send: (ByteBuffer) async throws -> Void) async throws {
        var (piece, rest) = (opened.first, opened.rest)
        while piece.readableBytes > 0 {
            try await send(piece)
            piece = try await gather(&rest)
        }
    }

    /// The next piece; nothing after the last item.
    private func gather(_ rest: inout ArraySlice<Item>) async throws -> ByteBuffer {
        var gathered = ByteBuffer()
        while gathered.readableBytes < Self.pieceBytes, let item = rest.popFirst() {
            let (outcome, bytes) = try await read(item)
            try gathered.writeItem(outcome, bytes)
        }
        return gathered
    }

    private static func isSmallAtRest(_ items: [Item]) -> Bool {
        let blocks = items.compactMap { try? $0.found.get() }.flatMap(\.blocks)
        let stored = blocks.reduce(0) { $0 + $1.location.stored }
        return !blocks.isEmpty && ShrinkGuess.isWorthIt(stored, of: blocks.reduce(0) { $0 + $1.location.length })
    }

    // MARK: - Looking up

    private static func look(
        for revisionId: String, in db: any SQLConnection, drive: Int64, _ ancestry: inout Ancestry
    ) throws -> Result<Found, Problem> {
        do {
            return .success(try find(revisionId, in: db, drive: drive, &ancestry))
        } catch let problem as Problem {
            return .failure(problem)
        }
    }

    private static func find(
        _ revisionId: String, in db: any SQLConnection, drive: Int64, _ ancestry: inout Ancestry
    ) throws -> Found {
        guard let revision = try RevisionTable(db, drive: drive).find(revisionId) else {
            throw Problem(.notFound, "This content no longer exists.")
        }
        let (file, _) = try FileTable(db, drive: drive).require(revision.fileId, &ancestry)
        let blocks =
            revision.size > UploadLimits.batchContent
            ? [] : try ContentBlocks(db, drive: drive).located(of: revision.contentId, from: 0, limit: mostBlocks)
        guard blocks.reduce(0, { $0 + Int64($1.location.length) }) == revision.size else {
            throw Problem(.bodyTooLarge, "This content is too large for a batch. Fetch it by itself.")
                .with { $0.limit = Int64(UploadLimits.batchContent) }
        }
        let isHead = file.headRevisionId == revisionId
        return Found(
            content: BatchedContent(
                size: revision.size, checksum: revision.checksum,
                modifiedAt: isHead ? file.modifiedAt : revision.modifiedAt, executable: file.executable),
            blocks: blocks)
    }

    // MARK: - Reading

    /// All of an item is read and checked before any of it goes out: no damaged byte is served, and none has to be taken back.
    private func read(_ item: Item) async throws -> (ContentBatchOutcome, ByteBuffer) {
        do {
            let found = try item.found.get()
            let bytes = try await read(found, of: item.driveId)
            return (ContentBatchOutcome(revisionId: item.revisionId, content: found.content), bytes)
        } catch let error as CancellationError {
            throw error
        } catch {
            return (
                ContentBatchOutcome(revisionId: item.revisionId, problem: Problem(describing: error)), ByteBuffer()
            )
        }
    }

    private func read(_ found: Found, of drive: Int64) async throws -> ByteBuffer {
        let reader = BlockReader(database: database, packs: packs, drive: drive)
        var whole = ByteBuffer()
        for block in found.blocks {
            let range = 0..<block.location.length
            var bytes = try await reader.read(block.hash, at: block.location, range: range)
            if found.blocks.count == 1 { return bytes }
            whole.writeBuffer(&bytes)
        }
        return whole
    }
}

extension ByteBuffer {
    fileprivate mutating func writeItem(_ outcome: ContentBatchOutcome, _ content: ByteBuffer) throws {
        let metadata = try WireCoding.encode(outcome)
        writeBytes(BatchHead(metadataBytes: metadata.count, contentBytes: content.readableBytes).bytes)
        writeBytes(metadata)
        writeImmutableBuffer(content)
    }
}
