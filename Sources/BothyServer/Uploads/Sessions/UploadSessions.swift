import BothyContract

/// Upload sessions of all drives: takes what clients send, asks ``UploadSession`` what it means, and writes it down in
/// the one order that loses nothing: bytes, their fsync, the database, the answer.
package struct UploadSessions: Sendable {
    /// Chunks that are looked through on the caller's thread: some milliseconds.
    static let mostReadHere = 4_096

    let database: any Database
    let packs: any PackStore
    let stamps: StampSource
    let notifier: Notifier
    let signer: URLSigner
    let writes: BlockWrites
    let intake: ChunkIntake
    let hashers: ContentHashers
    let flights = FinalizeFlights()
    /// A patch is held in memory with what it copies from: some 30 MiB.
    let patching = Turns(
        atOnce: 4, mostWaiting: 128,
        refusal: Problem(
            .busy, "Too many patches are being taken in. Try again in a moment, or send the bytes themselves."))

    package init(
        database: any Database, packs: any PackStore, stamps: StampSource, notifier: Notifier, signer: URLSigner,
        writes: BlockWrites, pace: BodyPace = BodyPace()
    ) {
        self.database = database
        self.packs = packs
        self.stamps = stamps
        self.notifier = notifier
        self.signer = signer
        self.writes = writes
        self.intake = ChunkIntake(packs: packs, pace: pace)
        self.hashers = ContentHashers(database: database, packs: packs)
    }

    /// How far a session is.
    ///
    /// - Throws: `not_found`, `upload_canceled`, `upload_expired`.
    package func status(_ uploadId: String, for caller: Caller) async throws -> UploadReply {
        let stamp = stamps.stamp(for: caller)
        let (session, runs, parameters) = try await read(uploadId, stamp) { session, chunks, db in
            if session.phase != .finished { try session.requireOpen() }
            return (
                session, try chunks.receivedRuns(of: session), try Drives.blockParameters(of: caller.driveId, in: db)
            )
        }
        var reply = reply(session, runs: runs, for: caller)
        reply.response.blockParameters = parameters
        return reply
    }

    /// Reads a session with its chunks: beside the others where it takes many of these to know which came.
    package func read<Value: Sendable>(
        _ uploadId: String, _ stamp: ChangeStamp,
        _ body: @escaping @Sendable (UploadSession, UploadChunkTable, any SQLConnection) throws -> Value
    ) async throws -> Value {
        let drive = stamp.driveId
        let scattered = try await database.read {
            try UploadTable($0, drive: drive).session(uploadId, lived: stamp.lived).scatteredChunks
        }
        let look: @Sendable (any SQLConnection) throws -> Value = { db in
            let session = try UploadTable(db, drive: drive).session(uploadId, lived: stamp.lived)
            return try body(session, UploadChunkTable(db, drive: drive, uploadId: uploadId), db)
        }
        if scattered > Self.mostReadHere { return try await database.readApart(look) }
        return try await database.read(look)
    }

    /// Cancels a session, and frees what it alone holds. Canceling again is fine.
    ///
    /// - Throws: `not_found`, `upload_finished`, `upload_expired`.
    package func cancel(_ uploadId: String, for caller: Caller) async throws {
        let stamp = stamps.stamp(for: caller)
        try await database.write(from: .reserve) { try Self.cancel(uploadId, in: $0, stamp: stamp) }
        hashers.forget(drive: caller.driveId, uploadId: uploadId)
    }

    static func cancel(_ uploadId: String, in db: any SQLConnection, stamp: ChangeStamp) throws {
        let uploads = UploadTable(db, drive: stamp.driveId)
        var session = try uploads.session(uploadId, lived: stamp.lived)
        if session.phase == .canceled { return }
        try session.cancel()
        let freed = try BlockTable(db, drive: stamp.driveId).freeHeld(onlyBy: uploadId)
        try DriveQuota(db, drive: stamp.driveId).refund(freed)
        try UploadChunkTable(db, drive: stamp.driveId, uploadId: uploadId).deleteAll()
        try uploads.update(session)
    }

    /// Names more blocks of an open plan; answers which of them are there already.
    ///
    /// - Throws: `not_found`, `plan_not_open`, `plan_conflict`, `plan_invalid`, `parameters_differ`, `file_too_large`,
    ///   `too_many_uploads`, `quota_exceeded`, and what says that the session is over.
    package func extendPlan(
        of uploadId: String, with names: PlanNames, for caller: Caller
    ) async throws -> ExtendPlanResponse {
        let stamp = stamps.stamp(for: caller)
        let (session, received) = try await database.write { db in
            let uploads = UploadTable(db, drive: caller.driveId)
            let chunks = UploadChunkTable(db, drive: caller.driveId, uploadId: uploadId)
            var session = try uploads.session(uploadId, lived: stamp.lived)
            try Drives.check(parameters: session.request.plan?.parameters, of: caller.driveId, in: db)
            let request = try names.request(in: db, drive: caller.driveId)
            let known = try chunks.rows(from: request.from, limit: request.blocks.count)
            let (end, bytes) = (session.plan.totalChunks, session.plan.plannedBytes)
            let new = try session.extend(
                from: request.from, with: request.blocks, known: known, now: stamp.now, lived: stamp.lived)
            // Blocks that were named before are named again for nothing: their answer may have been lost.
            try uploads.requireRoom(forChunks: new.count, lived: stamp.lived)
            try chunks.append(new, from: end, start: bytes)
            try Self.pinPresent(from: end, of: &session, in: db, drive: caller.driveId)
            try uploads.update(session)
            return (session, try chunks.rows(from: request.from, limit: request.blocks.count))
        }
        await follow(session, for: caller)
        return ExtendPlanResponse(
            totalChunks: session.plan.totalChunks,
            receivedChunks: received.filter(\.received).map(\.position).chunkRuns)
    }

    /// What the plan names from `position` on and the drive has is received, pinned and counted, in the same transaction; what
    /// has to come must fit into the quota.
    static func pinPresent(
        from position: Int, of session: inout UploadSession, in db: any SQLConnection, drive: Int64
    ) throws {
        let chunks = UploadChunkTable(db, drive: drive, uploadId: session.uploadId)
        let quota = DriveQuota(db, drive: drive)
        session.fill(try chunks.pinPresent(from: position))
        try quota.charge(try BlockTable(db, drive: drive).countPinned(by: session.uploadId, from: position))
        try quota.check(try chunks.missingBytes(from: position))
        try chunks.advancePrefix(of: &session)
    }

    /// Lets the hasher read what the prefix has gained. What fits one chunk is read when it is finalized.
    func follow(_ session: UploadSession, for caller: Caller) async {
        guard session.phase == .open, session.plan.totalChunks > 1 else { return }
        await hashers.hasher(drive: caller.driveId, uploadId: session.uploadId).follow(session.prefixChunks)
    }
}
