import BothyContract
import Testing

@testable import BothyServer

/// How far an upload is takes a walk over its chunks, of which there may be a million.
@Suite struct LongUploadTests {
    private func sessions(_ world: UploadWorld, on database: WatchedDatabase) -> UploadSessions {
        let parts = world.server.parts
        return UploadSessions(
            database: database, packs: world.packs, stamps: parts.stamps, notifier: parts.notifier,
            signer: parts.signer, writes: world.writes)
    }

    private func walks(_ statements: [String]) -> Int { statements.count { $0.contains("row_number()") } }

    @Test func aLongOneIsLookedThroughBesideEverybodysRequests() async throws {
        let world = try await UploadWorld()
        let database = WatchedDatabase(world.server.database)
        let sessions = sessions(world, on: database)
        let chunks = UploadSessions.mostReadHere + 2
        let long = try await world.startFixed("long", size: chunks * UploadWorld.chunk)
        #expect(try await world.put(long.uploadId, chunk: 1, UploadWorld.bytes(UploadWorld.chunk)).status == 308)

        let reply = try await sessions.status(long.uploadId, for: TestCaller.kitchen.caller)
        #expect(reply.response.receivedChunks == [ChunkRun(first: 1, last: 1)])
        #expect(walks(database.statements) == 1 && walks(database.statementsApart) == 1)
        let code = try await problemCode {
            _ = try await sessions.finalize(long.uploadId, FinalizeRequest(), for: TestCaller.kitchen.caller)
        }
        #expect(code == .missingChunks)
        #expect(walks(database.statements) == 2 && walks(database.statementsApart) == 2)
    }

    @Test func aShortOneAndOneWithoutGapsTakeNoThread() async throws {
        let world = try await UploadWorld()
        let database = WatchedDatabase(world.server.database)
        let sessions = sessions(world, on: database)
        let short = try await world.startFixed("short", size: 4 * UploadWorld.chunk)
        #expect(try await world.put(short.uploadId, chunk: 2, UploadWorld.bytes(UploadWorld.chunk)).status == 308)
        let reply = try await sessions.status(short.uploadId, for: TestCaller.kitchen.caller)
        #expect(reply.response.receivedChunks == [ChunkRun(first: 2, last: 2)])
        #expect(walks(database.statements) == 1 && database.statementsApart.isEmpty)

        let chunks = UploadSessions.mostReadHere + 2
        let long = try await world.startFixed("long", size: chunks * UploadWorld.chunk)
        #expect(try await world.put(long.uploadId, chunk: 0, UploadWorld.bytes(UploadWorld.chunk)).status == 308)
        let other = try await sessions.status(long.uploadId, for: TestCaller.kitchen.caller)
        #expect(other.response.receivedChunks == [ChunkRun(first: 0, last: 0)])
        #expect(walks(database.statements) == 1 && database.statementsApart.isEmpty)
    }

    /// What is written on a thread of its own is written alike.
    @Test func thousandsOfRunsAreTold() async throws {
        let world = try await UploadWorld()
        let long = try await world.startFixed("long", size: 3_000 * UploadWorld.chunk)
        let bytes = Int64(UploadWorld.chunk)
        try await world.server.database.write { db in
            for position in stride(from: 1, to: 3_000, by: 2) {
                try db.execute(
                    """
                    INSERT INTO upload_chunks (drive_id, upload_id, position, start, size, hash, received)
                    VALUES (1, ?, ?, ?, ?, NULL, 1)
                    """, [long.uploadId.sql, position.sql, (Int64(position) * bytes).sql, bytes.sql])
            }
            try db.execute(
                "UPDATE uploads SET received_chunks = 1500 WHERE drive_id = 1 AND upload_id = ?", [long.uploadId.sql])
        }
        let told = try await world.status(long.uploadId)
        #expect(told.receivedChunks == stride(from: 1, to: 3_000, by: 2).map { ChunkRun(first: $0, last: $0) })
        #expect(told.chunksProcessed == 1500)
    }
}
