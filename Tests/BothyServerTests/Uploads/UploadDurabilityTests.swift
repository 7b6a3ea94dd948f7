import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// What was acknowledged outlives a power cut; what failed counts for nothing.
@Suite struct UploadDurabilityTests {
    private let chunk = UploadWorld.chunk

    @Test func anAcknowledgedChunkOutlivesAPowerCut() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(4 * chunk)
        let session = try await world.startFixed("durable", size: content.count)
        for index in 0..<4 {
            let piece = Array(content[(index * chunk)..<((index + 1) * chunk)])
            #expect(try await world.put(session.uploadId, chunk: index, piece).status == 308)
            world.packs.cutPower()
        }
        let done = try await world.finalize(session.uploadId)
        #expect(done.status == 201, "\(done.text)")
        world.packs.cutPower()
        let file = try done.json(FinalizeResponse.self).file
        #expect(Array(try await world.read(file).body.readableBytesView) == content)
    }

    @Test func anAcknowledgedSmallFileOutlivesAPowerCut() async throws {
        let world = try await UploadWorld()
        let answer = try await world.server.send(
            .post, "/v1/upload?uploadType=media&name=small", body: ByteBuffer(string: "kept"))
        world.packs.cutPower()
        #expect(try await world.read(answer.file()).text == "kept")
    }

    @Test func aChunkWhoseFsyncFailedIsNeitherAcknowledgedNorKnown() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("unsure", size: content.count)
        world.packs.failNextSync()
        let answer = try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk]))
        #expect(answer.status == 503)
        #expect(answer.code == .storeFailed)
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        #expect(try await world.used() == 0)
        let blocks = try await world.server.database.read { try $0.first("SELECT count(*) FROM blocks")?.int(0) }
        #expect(blocks == 0)
    }

    @Test func aSmallFileWhoseFsyncFailedIsNotThere() async throws {
        let world = try await UploadWorld()
        world.packs.failNextSync()
        let answer = try await world.server.send(
            .post, "/v1/upload?uploadType=media&name=small", body: ByteBuffer(string: "lost"))
        #expect(answer.code == .storeFailed)
        #expect(try await world.server.names().isEmpty)
    }

    @Test func damageOfStoredChunksStopsTheFinalize() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3 * chunk)
        let session = try await world.startFixed("rotten", size: content.count)
        try await world.putAll(session.uploadId, content)
        world.packs.damageEverything()
        // Whoever has hashed it already may finish it; a process that has to read it must not.
        let parts = world.server.parts
        let other = UploadSessions(
            database: parts.database, packs: world.packs, stamps: parts.stamps, notifier: parts.notifier,
            signer: parts.signer, writes: world.writes)
        await #expect(throws: PackError.self) {
            try await other.finalize(session.uploadId, FinalizeRequest(), for: TestCaller.kitchen.caller)
        }
        world.packs.repairEverything()
        let outcome = try await other.finalize(session.uploadId, FinalizeRequest(), for: TestCaller.kitchen.caller)
        #expect(outcome.revision.checksum == SHA256Hasher.hash(content))
    }

    @Test(arguments: [1, 3]) func theHashOfAFileIsOfWhatIsStored(chunks: Int) async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(chunks * chunk)
        let session = try await world.startFixed("changed", size: content.count)
        let other = [UInt8](repeating: 7, count: content.count)
        for index in 0..<chunks {
            let piece = Array(content[(index * chunk)..<((index + 1) * chunk)])
            _ = try await world.put(session.uploadId, chunk: index, piece)
        }
        world.packs.replaceEverything(with: 7)
        // As a process does that was started anew: what this one read before is not of what is there now.
        let parts = world.server.parts
        let sessions = UploadSessions(
            database: parts.database, packs: world.packs, stamps: parts.stamps, notifier: parts.notifier,
            signer: parts.signer, writes: world.writes)
        await #expect(throws: Problem.self) {
            try await sessions.finalize(
                session.uploadId, FinalizeRequest(fileHashSha256: SHA256Hasher.hash(content)),
                for: TestCaller.kitchen.caller)
        }
        let outcome = try await sessions.finalize(
            session.uploadId, FinalizeRequest(), for: TestCaller.kitchen.caller)
        #expect(outcome.revision.checksum == SHA256Hasher.hash(other))
    }

    /// A body that came slowly held it up for days.
    @Test func reclaimingWaitsForNoWriteAndKeepsBehindThoseUnderWay() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let old = try await house.put("old", Block(300_000, seed: 1).bytes)
        let began = house.packs.end
        try await house.writes.during(in: house.packs) {
            let slow = Block(200_000, seed: 2)
            let writer = try await house.packs.begin(length: slow.bytes.count)
            try await writer.append(.init(bytes: slow.bytes))
            let location = try await writer.finish(hash: slow.hash)
            let new = try await house.put("new", Block(300_000, seed: 3).bytes)
            #expect(await house.packs.reclaimMark() == house.packs.end && began < house.packs.end)
            #expect(house.writes.lowest(below: house.packs.end) == began)
            try await house.deleteForGood([old, new])
            #expect((280_000..<330_000).contains(try await house.collection.run().freedBytes))
            // Finished, and committed only now.
            try await house.packs.makeDurable()
            try await house.database.write { db in
                _ = try BlockTable(db, drive: 1).add(slow.hash, at: location, lived: 0)
            }
            let there = try await house.packs.read(location, of: slow.hash, range: 0..<slow.bytes.count)
            #expect(Array(there.readableBytesView) == slow.bytes)
        }
        #expect(house.writes.lowest(below: house.packs.end) == house.packs.end)
        // Nothing refers to the slow one either.
        #expect((480_000..<530_000).contains(try await house.collection.run().freedBytes))
        try await house.close()
    }
}
