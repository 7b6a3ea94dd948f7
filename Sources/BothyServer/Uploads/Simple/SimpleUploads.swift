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

    /// Makes the content a file, or a new revision of one.
    ///
    /// - Throws: `invalid_name`, `invalid_parameter`, `size_mismatch`, `hash_mismatch`, `quota_exceeded`, `idempotency_mismatch`,
    ///   what ``FilePlacement/target(in:drive:)`` throws, ``PackError``, ``DatabaseError``; nothing is kept then.
    package func store(_ upload: SimpleUpload, for caller: Caller) async throws -> UploadOutcome {
        let outcomes = try await store([upload], for: caller)
        guard let outcome = try outcomes.first?.get() else { preconditionFailure("each upload has its outcome") }
        return outcome.addressed(by: signer, for: caller, now: stamps.now)
    }

    /// `store` for each of `uploads`, in their order, but that what is more than a new file comes after the others: what is refused of
    /// one is nothing to the others. All that is kept is on the disk when it returns, and the addresses of what was made are left open.
    ///
    /// - Throws: ``PackError``, ``DatabaseError``: what is wrong with the server is no one file's. Some may be kept then, and
    ///   their request ids tell of it.
    package func store(
        _ uploads: [SimpleUpload], for caller: Caller
    ) async throws -> [Result<UploadOutcome, Problem>] {
        var refusals = try uploads.map(Self.refusal)
        let stamp = stamps.stamp(for: caller)
        try await refuseEarly(uploads, &refusals, stamp)
        let sound = zip(uploads, refusals).filter { $1 == nil }.map(\.0)
        let kept = try await writes.during(in: packs) { try await keep(sound, stamp: stamp) }
        if let last = kept.compactMap({ try? $0.get().cursor }).max(by: { $1.isAfter($0) }) {
            await notifier.wake(driveId: caller.driveId, cursor: last)
        }
        var outcomes = try kept.map(Self.refusalsApart).makeIterator()
        return refusals.map { refusal in
            if let refusal { return .failure(refusal) }
            guard let outcome = outcomes.next() else { preconditionFailure("each upload has its outcome") }
            return outcome.map(\.answer)
        }
    }

    /// Adds why those are refused that would be only after they were written.
    private func refuseEarly(
        _ uploads: [SimpleUpload], _ refusals: inout [Problem?], _ stamp: ChangeStamp
    ) async throws {
        let sound = zip(uploads, refusals).filter { $1 == nil }.map(\.0)
        guard !sound.isEmpty else { return }
        var early = try await database.read { try UploadAdmission.refusals(of: sound, in: $0, stamp: stamp) }[...]
        for index in refusals.indices where refusals[index] == nil { refusals[index] = early.popFirst() ?? nil }
    }

    private static func refusal(_ upload: SimpleUpload) throws -> Problem? {
        do {
            try upload.check()
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    private static func refusalsApart<Value>(_ result: Result<Value, any Error>) throws -> Result<Value, Problem> {
        do {
            return .success(try result.get())
        } catch let problem as Problem {
            return .failure(problem)
        }
    }

    /// First the bytes, on the disk; then the rows that speak of them.
    private func keep(
        _ uploads: [SimpleUpload], stamp: ChangeStamp
    ) async throws -> [Result<Mutation<UploadOutcome>, any Error>] {
        // A file of no bytes lies nowhere.
        var locations = try await packs.keep(uploads.map(\.block).filter { !$0.isEmpty }).makeIterator()
        let located = uploads.map { ($0, $0.block.isEmpty ? nil : locations.next()) }
        let isAlone = uploads.count == 1
        var kept: [Result<Mutation<UploadOutcome>, any Error>?] = [nil]
        if !isAlone { kept = try await NewFiles.store(located, in: database, stamp: stamp) }
        let rest = zip(located, kept).filter { $1 == nil }.map(\.0)
        guard !rest.isEmpty else { return kept.compactMap(\.self) }
        var others = try await database.writeEach(
            rest.map { upload, location -> @Sendable (any SQLConnection) throws -> Mutation<UploadOutcome> in
                { try Self.commit(upload, at: location, isAlone: isAlone, in: $0, stamp: stamp) }
            }
        ).makeIterator()
        return kept.map { known in
            if let known { return known }
            guard let other = others.next() else { preconditionFailure("each upload has its outcome") }
            return other
        }
    }

    private static func commit(
        _ upload: SimpleUpload, at location: BlockLocation?, isAlone: Bool, in db: any SQLConnection,
        stamp: ChangeStamp
    ) throws -> Mutation<UploadOutcome> {
        try OutcomeTable(db, drive: stamp.driveId).once(upload.identity, lived: stamp.lived) {
            let commit = UploadCommit(request: upload.request, terms: upload.terms, tellsBefore: isAlone)
            let size = Int64(upload.length)
            let made = try commit.made(of: upload.hash, size: size, in: db, drive: stamp.driveId)
            if let made { return made }
            let contentId = try content(upload.hash, at: location, in: db, stamp: stamp)
            return try commit.commit(contentId: contentId, in: db, stamp: stamp)
        }
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
}
