import BothyContent
import BothyContract

/// How a session ends as a file.
extension UploadSessions {
    /// Makes the file, once however often it is asked; a finished session tells again what it led to.
    ///
    /// - Throws: `missing_chunks`, `size_mismatch`, `hash_mismatch`, what ``FilePlacement/target(in:drive:)`` throws, and what
    ///   says that the session is over. After each refusal but the last the session stands as before.
    package func finalize(
        _ uploadId: String, _ request: FinalizeRequest, for caller: Caller
    ) async throws -> UploadOutcome {
        try await flights.run(drive: caller.driveId, uploadId: uploadId, request: request) {
            try await finalizeOnce(uploadId, request, for: caller)
        }
    }

    private func finalizeOnce(
        _ uploadId: String, _ request: FinalizeRequest, for caller: Caller
    ) async throws -> UploadOutcome {
        let stamp = stamps.stamp(for: caller)
        let (session, missing) = try await read(uploadId, stamp) { session, chunks, _ in
            (session, session.phase == .open ? try chunks.missingRuns(of: session) : [])
        }
        if let outcome = session.outcome { return outcome.addressed(by: signer, for: caller, now: stamp.now) }
        let terms = FinalizeTerms(session.request, replacedBy: request)
        try terms.check(session, missing: missing)
        let hash = try await contentHash(of: session, for: caller)
        try terms.check(computed: hash)
        let outcome = try await database.write { db in
            try Self.finish(session, terms: terms, hash: hash, in: db, stamp: stamp)
        }
        hashers.forget(drive: caller.driveId, uploadId: uploadId)
        if let cursor = ChangeCursor(text: outcome.cursor) {
            await notifier.wake(driveId: caller.driveId, cursor: cursor)
        }
        return outcome.addressed(by: signer, for: caller, now: stamp.now)
    }

    /// The SHA-256 of the whole file, of what is stored.
    private func contentHash(of session: UploadSession, for caller: Caller) async throws -> ContentHash {
        guard session.plan.totalChunks > 0 else { return SHA256Hasher().finish() }
        return try await hashers.hasher(drive: caller.driveId, uploadId: session.uploadId)
            .hash(of: session.plan.totalChunks)
    }

    /// - Parameter hashed: the session as it was when its content was hashed. Chunks never change, so only a plan that
    ///   has grown since makes the hash worthless.
    private static func finish(
        _ hashed: UploadSession, terms: FinalizeTerms, hash: ContentHash, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> UploadOutcome {
        let uploads = UploadTable(db, drive: stamp.driveId)
        var session = try uploads.session(hashed.uploadId, lived: stamp.lived)
        if let outcome = session.outcome { return outcome }
        try terms.check(session, missing: [])
        guard session.plan == hashed.plan else {
            throw Problem(.sizeMismatch, "The plan has grown since. Finalize it again.")
        }
        let outcome = try UploadCommit(request: session.request, terms: terms)
            .commit(session, hash: hash, in: db, stamp: stamp).answer
        session.finish(outcome)
        session.touch(now: stamp.now, lived: stamp.lived)
        // What the content did not take, because the drive has it in other blocks, is not held any longer.
        let freed = try BlockTable(db, drive: stamp.driveId).freeHeld(onlyBy: session.uploadId)
        try DriveQuota(db, drive: stamp.driveId).refund(freed)
        try UploadChunkTable(db, drive: stamp.driveId, uploadId: session.uploadId).deleteAll()
        try uploads.update(session)
        return outcome
    }
}
