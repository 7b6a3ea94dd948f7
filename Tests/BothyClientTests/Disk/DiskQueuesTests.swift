import Synchronization
import Testing

@testable import BothyClient

@Suite struct DiskQueuesTests {
    private struct Refused: Error {}

    @Test func workOnADiskGoesOnBesideOtherWork() async throws {
        let met = AsyncStream<Void>.makeStream()
        let (value, other) = try await DiskQueues("test", count: 1).run {
            met.continuation.yield()
            return 1
        } beside: {
            // Comes to its end only while the first is under way, or after it.
            for await _ in met.stream { break }
            return "beside"
        }
        #expect(value == 1)
        #expect(other == "beside")
    }

    @Test func withoutAThreadOfItsOwnItComesSecond() async throws {
        let order = Mutex([Int]())
        _ = try await DiskQueues.inline.run {
            order.withLock { $0.append(2) }
        } beside: {
            order.withLock { $0.append(1) }
        }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test func whatEitherFailsWithIsWhatBothFailWith() async {
        let queues = DiskQueues("test", count: 1)
        await #expect(throws: Refused.self) {
            try await queues.run {
                throw Refused()
            } beside: {
                1
            }
        }
        await #expect(throws: Refused.self) {
            try await queues.run {
                1
            } beside: {
                throw Refused()
            }
        }
    }
}
