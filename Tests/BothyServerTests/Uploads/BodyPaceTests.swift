import BothyContent
import BothyContract
import BothyServer
import NIOCore
import Synchronization
import Testing

/// Clients that send too slowly, and connections that are cut.
@Suite struct BodyPaceTests {
    /// Time that passes as fast as it is waited for.
    private struct RushingClock: Clock {
        typealias Instant = ContinuousClock.Instant
        var now: Instant { ContinuousClock.now }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Time that passes while it is told to, and then waits for the watcher to have looked.
    private final class GatedClock: Clock {
        typealias Instant = ContinuousClock.Instant
        private struct State {
            var isOpen = false
            var begun = 0
            var passed = 0
        }

        private let state = Mutex(State())
        var now: Instant { ContinuousClock.now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            state.withLock { $0.begun += 1 }
            while !state.withLock(\.isOpen) { await Task.yield() }
            state.withLock { $0.passed += 1 }
        }

        func open() { state.withLock { $0.isOpen = true } }

        func letPass(_ sleeps: Int) async {
            let enough = state.withLock { state in
                state.isOpen = true
                return state.passed + sleeps
            }
            while state.withLock({ $0.passed < enough }) { await Task.yield() }
            state.withLock { $0.isOpen = false }
            while state.withLock({ $0.begun == $0.passed }) { await Task.yield() }
        }
    }

    /// Time of which a window passes when it is let, and no more.
    private final class WindowClock: Clock {
        typealias Instant = ContinuousClock.Instant
        private struct State {
            var permits = 0
            var begun = 0
            var passed = 0

            mutating func take() -> Bool {
                guard permits > 0 else { return false }
                permits -= 1
                passed += 1
                return true
            }
        }

        private let state = Mutex(State())
        var now: Instant { ContinuousClock.now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            state.withLock { $0.begun += 1 }
            while !state.withLock({ $0.take() }) { await Task.yield() }
        }

        /// - Parameter isSeen: whether to wait until the watcher has looked.
        func letPass(_ windows: Int = 1, isSeen: Bool) async {
            let enough = state.withLock { state in
                state.permits += windows
                return state.passed + windows
            }
            while isSeen, state.withLock({ $0.passed < enough || $0.begun == $0.passed }) { await Task.yield() }
        }
    }

    private final class ByteTally: Sendable {
        private let state = Mutex(0)
        var bytes: Int { state.withLock { $0 } }
        func add(_ bytes: Int) { state.withLock { $0 += bytes } }
    }

    @Test func aBodyThatNeverComesIsGivenUp() async throws {
        let pace = BodyPace(window: .seconds(30), clock: RushingClock())
        let (body, source) = AsyncStream<ByteBuffer>.makeStream()
        source.yield(ByteBuffer(string: "a byte a second"))
        let refusal = await #expect(throws: Problem.self) {
            try await pace.watch(body) { parts in
                while try await parts.next() != nil {}
            }
        }
        #expect(refusal?.code == .requestTimeout)
    }

    /// Fast enough in each window, and for days.
    @Test func aBodyThatComesForTooLongIsGivenUp() async throws {
        let clock = WindowClock()
        let pace = BodyPace(window: .seconds(30), minimumBytes: 10, longest: .seconds(90), clock: clock)
        let (body, source) = AsyncStream<ByteBuffer>.makeStream()
        let taken = ByteTally()
        let reading = Task {
            try await pace.watch(body) { parts in
                while let part = try await parts.next() { taken.add(part.readableBytes) }
            }
        }
        for window in 1...5 {
            source.yield(ByteBuffer(repeating: 1, count: 20))
            while taken.bytes < 20 * window { await Task.yield() }
            await clock.letPass(isSeen: window < 5)
        }
        let refusal = await #expect(throws: Problem.self) { try await reading.value }
        #expect(refusal?.code == .requestTimeout && refusal?.detail.contains("smaller parts") == true)
        // The watcher sees that there is nothing left to watch.
        await clock.letPass(2, isSeen: false)
    }

    @Test func timeThatTheServerTakesIsNotTheClients() async throws {
        let clock = GatedClock()
        let pace = BodyPace(window: .seconds(30), clock: clock)
        let (body, source) = AsyncStream<ByteBuffer>.makeStream()
        source.yield(ByteBuffer(string: "x"))
        source.finish()
        let count = try await pace.watch(body) { parts in
            var count = 0
            while let part = try await parts.next() {
                count += part.readableBytes
                await clock.letPass(5)
            }
            return count
        }
        #expect(count == 1)
        // The watcher looks once more, and sees that there is nothing left to watch.
        clock.open()
    }

    @Test func nothingIsKeptOfABodyThatWasCut() async throws {
        let packs = MemoryPacks()
        let intake = ChunkIntake(packs: packs, pace: BodyPace())
        let (body, source) = AsyncStream<ByteBuffer>.makeStream()
        source.yield(ByteBuffer(repeating: 1, count: 700))
        source.finish()
        let expected = [0, 500].enumerated().map {
            ExpectedChunk(position: $0, start: Int64($1), size: 500, hash: nil, isNamed: false, isThere: false)
        }
        let refusal = await #expect(throws: Problem.self) { try await intake.take(expected, digest: nil, from: body) }
        #expect(refusal?.code == .lengthMismatch)
        #expect(packs.writersUnderWay == 0)
        #expect(packs.abandoned == 1)
    }

    @Test func aBodyThatBreaksLeavesNoWriterBehind() async throws {
        let packs = MemoryPacks()
        let intake = ChunkIntake(packs: packs, pace: BodyPace())
        let (body, source) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        source.yield(ByteBuffer(repeating: 1, count: 10))
        source.finish(throwing: PackError.diskFull)
        let expected = [ExpectedChunk(position: 0, start: 0, size: 500, hash: nil, isNamed: false, isThere: false)]
        await #expect(throws: PackError.self) { try await intake.take(expected, digest: nil, from: body) }
        #expect(packs.writersUnderWay == 0)
    }

    @Test func aBodyLongerThanItsChunksIsRefusedAsSoonAsItIs() async throws {
        let packs = MemoryPacks()
        let intake = ChunkIntake(packs: packs, pace: BodyPace())
        let endless = AsyncStream<ByteBuffer> { ByteBuffer(repeating: 1, count: 300) }
        let expected = [ExpectedChunk(position: 0, start: 0, size: 500, hash: nil, isNamed: false, isThere: false)]
        let refusal = await #expect(throws: Problem.self) {
            try await intake.take(expected, digest: nil, from: endless)
        }
        #expect(refusal?.code == .lengthMismatch)
    }
}
