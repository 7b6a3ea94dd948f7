import BothyContract
import Testing

@testable import BothyServer

@Suite struct GarbageCollectionTests {
    private static let day: Int64 = 86_400

    @Test func aBlockThatNobodyRefersToIsFreedAfterADayAndItsRoomGivenBack() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let kept = Block(1_500_000, seed: 1)
        try await house.put("kept", kept.bytes)
        let dead = Block(1_500_000, seed: 2)
        let location = try await dead.store(in: house.packs)
        let lived = Int64(house.clock.uptimeSeconds())
        try await house.database.write { _ = try BlockTable($0, drive: 1).add(dead.hash, at: location, lived: lived) }
        house.clock.advance(seconds: Self.day - 10)
        #expect(try await house.collection.run() == .init(freedBlocks: 0, freedBytes: 0))
        // A calendar that jumps frees nothing.
        house.clock.jump(seconds: 400 * Self.day)
        #expect(try await house.collection.run().freedBlocks == 0)
        house.clock.advance(seconds: 20)
        let report = try await house.collection.run()
        #expect(report.freedBlocks == 1)
        #expect(report.freedBytes > 1_400_000)
        #expect(try await house.verification.run().damaged.isEmpty)
        try await house.close()
    }

    @Test func aBlockBetweenItsLastByteAndItsCommitIsNotReclaimed() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let block = Block(1_500_000, seed: 1)
        let (finished, finish) = AsyncStream<Void>.makeStream()
        let writing = Task {
            try await house.writes.during(in: house.packs) {
                let location = try await block.store(in: house.packs)
                finish.yield()
                // Others write, and are collected, before this one commits.
                for number in 0..<3 { _ = try await Block(1_500_000, seed: UInt64(10 + number)).store(in: house.packs) }
                try await house.database.write {
                    _ = try BlockTable($0, drive: 1).add(block.hash, at: location, lived: 0)
                }
            }
        }
        for await _ in finished { break }
        _ = try await house.collection.run()
        try await writing.value
        #expect(
            try await house.verification.run() == .init(blocks: 1, bytes: 1_500_000, damaged: [], databaseFaults: []))
        try await house.close()
    }
}
