import BothyContent
import BothyContract
import NIOCore

/// Uploads of one request: small files, whole in memory, with as little asked of the database as a file needs.
package struct SimpleUploads: Sendable {
    private let database: any Database
    private let packs: any PackStore
    private let stamps: StampSource
    private let notifier: Notifier
    private let signer: URLSigner
    private let writes: BlockWrites

    package init(
        database: any Database, packs: any PackStore, stamps: StampSource, notifier: Notifier, signer: URLSigner,
        writes: BlockWrites
    ) {
        self.database = database
        self.packs = packs
        self.stamps = stamps
        self.notifier = notifier
        self.signer = signer
        self.writes = writes
    }

    /// Makes `content` a file, or a new revision of one.
    ///
    /// - Parameter request: its plan and its finalize mode are not looked at.
    /// - Throws: `invalid_name`, `invalid_parameter`, `size_mismatch`, `hash_mismatch`, `quota_exceeded`, `idempotency_mismatch`,
    ///   what ``FilePlacement/target(in:drive:)`` throws, ``PackError``; nothing is kept then.
    package func store(
        _ request: UploadRequest, content: ByteBuffer, identity: RequestIdentity, for caller: Caller
    ) async throws -> UploadOutcome {
        try UploadSessions.check(request)
        let terms = FinalizeTerms(request, replacedBy: FinalizeRequest())
        if let size = terms.size, size != content.readableBytes {
            throw Problem(.sizeMismatch, "The file should have \(size) bytes; \(content.readableBytes) came.")
        }
        let hash = content.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
        try terms.check(computed: hash)
        let stamp = stamps.stamp(for: caller)
        let mutation = try await writes.during {
            let location = try await write(content, hash: hash)
            return try await database.write { db in
                try OutcomeTable(db, drive: stamp.driveId).once(identity, lived: stamp.lived) {
                    let contentId = try Self.content(hash, at: location, in: db, stamp: stamp)
                    return try Self.commit(request, terms: terms, contentId: contentId, in: db, stamp: stamp)
                }
            }
        }
        await notifier.wake(driveId: caller.driveId, cursor: mutation.cursor)
        return mutation.answer.addressed(by: signer, stamp: stamp)
    }

    /// - Returns: where the bytes lie, on the disk; nil for a file of none.
    private func write(_ content: ByteBuffer, hash: ContentHash) async throws -> BlockLocation? {
        guard content.readableBytes > 0 else { return nil }
        return try await packs.keep(content, hash: hash)
    }

    private static func content(
        _ hash: ContentHash, at location: BlockLocation?, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> Int64 {
        let contents = ContentTable(db, drive: stamp.driveId)
        let size = Int64(location?.length ?? 0)
        if let known = try contents.find(checksum: hash), known.size == size {
            if try contents.isWhole(known.id) { return known.id }
            if let location {
                try BlockTable(db, drive: stamp.driveId).repair(hash, with: location)
                if try contents.isWhole(known.id) { return known.id }
            }
        }
        let id = try contents.insert(checksum: hash, size: size, blockCount: location == nil ? 0 : 1)
        guard let location else { return id }
        let counted = try BlockTable(db, drive: stamp.driveId).add(hash, at: location, lived: stamp.lived)
        try DriveQuota(db, drive: stamp.driveId).charge(counted)
        try ContentBlocks(db, drive: stamp.driveId).adopt(hash, for: id)
        return id
    }

    private static func commit(
        _ request: UploadRequest, terms: FinalizeTerms, contentId: Int64, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> Mutation<UploadOutcome> {
        let outcome = try UploadCommit(request: request, terms: terms).commit(
            contentId: contentId, in: db, stamp: stamp)
        guard let cursor = ChangeCursor(text: outcome.cursor) else {
            preconditionFailure("a cursor reads as it was written")
        }
        return Mutation(answer: outcome, cursor: cursor)
    }
}
