import BothyContract

/// What the request id of a session's start stands for.
struct UploadStarted: Codable, Sendable {
    var uploadId: String
}

/// How a session starts.
extension UploadSessions {
    /// Starts a session, or tells how the one stands that the same request started before. Content that the drive has
    /// already, by the SHA-256 of all of it, becomes the file at once.
    ///
    /// - Throws: `invalid_parameter`, `file_too_large`, `plan_invalid`, `parameters_unknown`, `parameters_differ`, `too_many_uploads`,
    ///   `quota_exceeded`, `idempotency_mismatch`, and early what a finalize would refuse: ``FilePlacement/target(in:drive:)``.
    package func start(
        _ request: UploadRequest, identity: RequestIdentity, for caller: Caller
    ) async throws -> UploadReply {
        let plan = try UploadPlan(starting: request)
        try Self.check(request)
        let stamp = stamps.stamp(for: caller)
        let started = try await database.write { db in
            try OutcomeTable(db, drive: caller.driveId).once(identity, lived: stamp.lived) {
                try Self.begin(request, plan: plan, in: db, stamp: stamp, deviceId: caller.deviceId)
            }
        }
        let reply = try await status(started.answer.uploadId, for: caller)
        if reply.outcome != nil {
            await notifier.wake(driveId: caller.driveId, cursor: started.cursor)
            return reply
        }
        return try await finishIfWhole(started.answer.uploadId, otherwise: reply, for: caller)
    }

    static func check(_ request: UploadRequest) throws {
        _ = try FileName.checked(request.name)
        guard try MimeType.checked(request.mimeType) != File.folderMimeType else {
            throw Problem(.invalidParameter, "A folder is created, not uploaded.")
        }
        // A session is kept for a month, with all that its start said.
        let ids = [
            ("parentId", request.parentId), ("fileId", request.fileId), ("baseRevisionId", request.baseRevisionId),
        ]
        for (name, id) in ids {
            guard let id, !FileID.isPlausible(id) else { continue }
            throw Problem(.invalidParameter, "“\(name)” is no id: ours have 36 letters, digits and dashes.")
        }
    }

    private static func begin(
        _ request: UploadRequest, plan: UploadPlan, in db: any SQLConnection, stamp: ChangeStamp, deviceId: String
    ) throws -> Mutation<UploadStarted> {
        let drive = stamp.driveId
        let uploads = UploadTable(db, drive: drive)
        var session = UploadSession(
            uploadId: stamp.newId(), deviceId: deviceId, plan: plan, request: request, now: stamp.now,
            lived: stamp.lived)
        let terms = FinalizeTerms(request, replacedBy: FinalizeRequest())
        let started = UploadStarted(uploadId: session.uploadId)
        let made = try UploadCommit(request: request, terms: terms)
            .made(of: terms.fileHash, size: terms.size, in: db, drive: drive)
        if let made {
            session.finish(made.answer)
            try uploads.insert(session)
            return Mutation(answer: started, cursor: made.cursor)
        }
        try Drives.check(parameters: request.plan?.parameters, of: drive, in: db)
        guard try uploads.openSessions(lived: stamp.lived) < UploadLimits.maximumOpenSessions else {
            throw Problem(
                .tooManyUploads, "\(UploadLimits.maximumOpenSessions) uploads are open. Finish or cancel some first.")
        }
        try uploads.requireRoom(forChunks: plan.totalChunks, lived: stamp.lived)
        _ = try terms.placement.target(in: db, drive: drive)
        if let cursor = try completeAtOnce(&session, terms: terms, in: db, stamp: stamp) {
            try uploads.insert(session)
            return Mutation(answer: started, cursor: cursor)
        }
        try uploads.insert(session)
        if plan.kind == .fixed {
            try DriveQuota(db, drive: drive).check(plan.plannedBytes)
        } else {
            try UploadChunkTable(db, drive: drive, uploadId: session.uploadId)
                .append(request.plan?.blocks ?? [], from: 0, start: 0)
            try pinPresent(from: 0, of: &session, in: db, drive: drive)
            try uploads.update(session)
        }
        return Mutation(answer: started, cursor: try ChangeLog(db, drive: drive).head())
    }

    /// - Returns: the place of the change; nil unless the drive has the content whole, with its hash and its size.
    private static func completeAtOnce(
        _ session: inout UploadSession, terms: FinalizeTerms, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> ChangeCursor? {
        guard let hash = terms.fileHash, let size = session.plan.size,
            let content = try ContentTable(db, drive: stamp.driveId).find(checksum: hash), content.size == size,
            try ContentTable(db, drive: stamp.driveId).isWhole(content.id)
        else { return nil }
        let outcome = try UploadCommit(request: session.request, terms: terms)
            .commit(contentId: content.id, in: db, stamp: stamp)
        session.finish(outcome.answer)
        return outcome.cursor
    }

    /// A plan whose every block was there already has nobody who would send its last chunk. A refusal here is not the
    /// start's: the session is there, and its finalize tells it again.
    private func finishIfWhole(
        _ uploadId: String, otherwise reply: UploadReply, for caller: Caller
    ) async throws -> UploadReply {
        let stamp = stamps.stamp(for: caller)
        let session = try await database.read {
            try UploadTable($0, drive: caller.driveId).session(uploadId, lived: stamp.lived)
        }
        await follow(session, for: caller)
        guard session.finishesByItself else { return reply }
        do {
            _ = try await finalize(uploadId, FinalizeRequest(), for: caller)
            return try await status(uploadId, for: caller)
        } catch is Problem {
            return reply
        }
    }
}
