import BothyContract
import NIOCore
import Synchronization

/// How slowly a body may arrive before its connection is worth more to somebody else.
package struct BodyPace: Sendable {
    /// A body that brings less than `minimumBytes` in a `window` is given up: a byte a second holds no connection.
    package var window: Duration
    package var minimumBytes: Int
    private let clock: any Clock<Duration>

    package init(
        window: Duration = .seconds(30), minimumBytes: Int = 4096, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.window = window
        self.minimumBytes = minimumBytes
        self.clock = clock
    }

    /// Runs `read`, which takes a body's parts from the iterator that it is handed.
    ///
    /// - Throws: `request_timeout` when the body comes too slowly; what `read` throws.
    package func watch<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ body: Body, _ read: @escaping @Sendable (inout PacedIterator<Body>) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        let arrival = BodyArrival()
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask {
                var iterator = PacedIterator(body, arrival: arrival)
                return try await read(&iterator)
            }
            group.addTask {
                while true {
                    try await clock.sleep(for: window)
                    if arrival.isStarving(below: minimumBytes) {
                        throw Problem(
                            .requestTimeout,
                            "The body came too slowly: less than \(minimumBytes) bytes in \(window). "
                                + "What was kept is kept; send the rest again.")
                    }
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { preconditionFailure("the group has two tasks") }
            return value
        }
    }
}

/// A body's iterator that tells its watcher how it goes.
package struct PacedIterator<Body: AsyncSequence & Sendable> where Body.Element == ByteBuffer {
    private var iterator: Body.AsyncIterator
    private let arrival: BodyArrival

    fileprivate init(_ body: Body, arrival: BodyArrival) {
        self.iterator = body.makeAsyncIterator()
        self.arrival = arrival
    }

    /// - Returns: nil at the body's end, or where its connection was cut: whoever knows the length tells the two apart.
    package mutating func next() async throws -> ByteBuffer? {
        arrival.begin()
        defer { arrival.end() }
        let part = try await iterator.next(isolation: nil)
        arrival.add(part?.readableBytes ?? 0)
        return part
    }
}

/// What came since the watcher last looked. Time that the server itself takes is not the client's.
private final class BodyArrival: Sendable {
    private struct State {
        var bytes = 0
        var isWaiting = false
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.isWaiting = true } }

    func end() { state.withLock { $0.isWaiting = false } }

    func add(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    func isStarving(below minimum: Int) -> Bool {
        state.withLock { state in
            defer { state.bytes = 0 }
            return state.isWaiting && state.bytes < minimum
        }
    }
}
