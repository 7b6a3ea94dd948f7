import BothyContract
import NIOCore

/// What a request says of the chunks that it carries.
package struct ChunkArrival: Sendable {
    package var placement: ChunkPlacement
    /// The SHA-256 of the whole body.
    package var digest: ContentHash?
    /// Bytes of the body, where the request says so.
    package var length: Int64?

    package init(placement: ChunkPlacement, digest: ContentHash?, length: Int64?) {
        self.placement = placement
        self.digest = digest
        self.length = length
    }
}

/// How chunks come in.
extension UploadSessions {
    private enum Admission: Sendable {
        case take([ExpectedChunk])
        /// The file is there. A client that sends a chunk again is told so.
        case finished(UploadSession)
    }

    /// Takes the chunks of one body, all or none of them; the last one that was missing finishes the file where that is `auto`.
    ///
    /// - Throws: `not_found`, `range_off_plan`, `body_too_large`, `length_mismatch`, `chunk_corrupt`, `chunk_hash_conflict`,
    ///   `quota_exceeded`, `request_timeout`, ``PackError``, and what says that the session is over. Nothing of the body is
    ///   kept then. Then what ``finalize(_:_:for:)`` throws: the chunks are kept.
    package func receive<Body: AsyncSequence & Sendable>(
        _ arrival: ChunkArrival, of uploadId: String, from body: Body, for caller: Caller
    ) async throws -> UploadReply where Body.Element == ByteBuffer {
        let stamp = stamps.stamp(for: caller)
        let expected: [ExpectedChunk]
        switch try await admit(arrival, of: uploadId, lived: stamp.lived, for: caller) {
        case .finished(let session): return reply(session, runs: [], for: caller)
        case .take(let chunks): expected = chunks
        }
        let (session, runs) = try await writes.during(in: packs) {
            let arrived = try await intake.take(expected, digest: arrival.digest, from: body)
            if arrived.contains(where: { $0.location != nil }) { try await packs.makeDurable() }
            let stamp = stamps.stamp(for: caller)
            return try await database.write { try Self.keep(arrived, of: uploadId, in: $0, stamp: stamp) }
        }
        await follow(session, for: caller)
        if session.finishesByItself {
            _ = try await finalize(uploadId, FinalizeRequest(), for: caller)
            return try await status(uploadId, for: caller)
        }
        return reply(session, runs: runs, for: caller)
    }

    private func admit(
        _ arrival: ChunkArrival, of uploadId: String, lived: Int64, for caller: Caller
    ) async throws -> Admission {
        try await database.read { db in
            let session = try UploadTable(db, drive: caller.driveId).session(uploadId, lived: lived)
            if session.phase == .finished { return .finished(session) }
            try session.requireOpen()
            let chunks = try UploadChunkTable(db, drive: caller.driveId, uploadId: uploadId)
                .chunks(at: arrival.placement, of: session.plan)
            let expected = try session.admit(chunks, digest: arrival.digest, length: arrival.length)
            let new = expected.reduce(0) { $1.isThere ? $0 : $0 + $1.size }
            try DriveQuota(db, drive: caller.driveId).check(new)
            return .take(expected)
        }
    }

    /// Writes down chunks whose bytes are on the disk.
    private static func keep(
        _ arrived: [ArrivedChunk], of uploadId: String, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> (UploadSession, [ChunkRun]) {
        let uploads = UploadTable(db, drive: stamp.driveId)
        let chunks = UploadChunkTable(db, drive: stamp.driveId, uploadId: uploadId)
        var session = try uploads.session(uploadId, lived: stamp.lived)
        if session.phase == .finished { return (session, []) }
        let first = arrived.first?.position ?? 0
        let present = Dictionary(
            uniqueKeysWithValues: try chunks.rows(from: first, limit: arrived.count).map { ($0.position, $0) })
        let new = try session.receive(arrived, present: present, now: stamp.now, lived: stamp.lived)
        try DriveQuota(db, drive: stamp.driveId).charge(
            try Self.insert(new, into: chunks, of: &session, BlockTable(db, drive: stamp.driveId), lived: stamp.lived))
        try chunks.advancePrefix(of: &session)
        try uploads.update(session)
        return (session, try chunks.nearRuns(of: session))
    }

    /// - Returns: bytes that count to the quota from now on.
    private static func insert(
        _ new: [ArrivedChunk], into chunks: UploadChunkTable, of session: inout UploadSession, _ blocks: BlockTable,
        lived: Int64
    ) throws -> Int64 {
        var counted: Int64 = 0
        for chunk in new {
            // Chunks of an open session do not go away, so one that was there when its body came is there still.
            guard let location = chunk.location else { throw DatabaseError.corrupt("a chunk that was there is gone") }
            counted += try blocks.add(chunk.hash, at: location, lived: lived)
            if session.plan.kind == .fixed {
                try chunks.insertReceived(chunk)
                session.fill(1)
            } else {
                session.fill(try chunks.markReceived(chunk.hash, size: chunk.size))
            }
        }
        return counted
    }
}
