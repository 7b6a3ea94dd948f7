import BothyContract
import NIOCore
import Synchronization

/// How slowly a body may arrive before its connection is worth more to somebody else.
package struct BodyPace: Sendable {
    /// A body that brings less than `minimumBytes` in a `window` is given up: a byte a second holds no connection.
    package var window: Duration { watch.window }
    package var minimumBytes: Int { watch.minimumBytes }
    /// A body takes no longer: the room of what is written meanwhile cannot be given back before it ends.
    package var longest: Duration { watch.longest }
    private let watch: BodyWatch

    package init(
        window: Duration = .seconds(30), minimumBytes: Int = 4096, longest: Duration = .seconds(3600),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        watch = BodyWatch(window: window, minimumBytes: minimumBytes, longest: longest, clock: clock)
    }

    /// Runs `read`, which takes a body's parts from the iterator that it is handed.
    ///
    /// - Throws: `request_timeout` when the body comes too slowly, noticed after two windows at most; what `read` throws.
    package func watch<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ body: Body, _ read: @escaping @Sendable (inout PacedIterator<Body>) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        let arrival = BodyArrival()
        let outcome = await withTaskGroup(of: Result<Value, any Error>.self) { group in
            // A task of its own, because giving up the body must not cancel the answer that says so.
            group.addTask {
                var iterator = PacedIterator(body, arrival: arrival)
                return await withUnsafeCurrentTask { task in
                    let number = watch.add(arrival, readBy: task)
                    defer { watch.remove(number) }
                    do { return .success(try await read(&iterator)) } catch { return .failure(error) }
                }
            }
            guard let outcome = await group.next() else { preconditionFailure("the group has a task") }
            return outcome
        }
        if let giveUp = arrival.giveUp { throw problem(giveUp) }
        return try outcome.get()
    }

    private func problem(_ giveUp: GiveUp) -> Problem {
        let why =
            switch giveUp {
            case .starving: "less than \(minimumBytes) bytes in \(window)"
            case .overdue: "it was not there within \(longest), so that smaller parts would do better"
            }
        return Problem(
            .requestTimeout, "The body came too slowly: \(why). What was kept is kept; send the rest again.")
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

    /// - Returns: nil at the body's end, or where its connection was cut: the caller knows the length and tells the two apart.
    package mutating func next() async throws -> ByteBuffer? {
        arrival.begin()
        defer { arrival.end() }
        let part = try await iterator.next(isolation: nil)
        arrival.add(part?.readableBytes ?? 0)
        return part
    }
}

/// Why a body is given up.
private enum GiveUp {
    case starving, overdue
}

/// Looks at all bodies under way, once a window, while there are any: a timer for each would cost a small body more than
/// all else that is done with it.
private final class BodyWatch: Sendable {
    /// Unchecked because the task is only ever cancelled, which any task may do, and is taken out before it ends.
    private struct Reading: @unchecked Sendable {
        var arrival: BodyArrival
        var task: UnsafeCurrentTask?
        /// Looks at which it was there: since the first of them it had whole windows.
        var looks = 0
    }

    private struct State {
        var readings = [Int: Reading]()
        var numbers = 0
        var isLooking = false
    }

    let window: Duration
    let minimumBytes: Int
    let longest: Duration
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(window: Duration, minimumBytes: Int, longest: Duration, clock: any Clock<Duration>) {
        self.window = window
        self.minimumBytes = minimumBytes
        self.longest = longest
        self.clock = clock
    }

    /// - Parameter task: outlives its time on the watch.
    func add(_ arrival: BodyArrival, readBy task: UnsafeCurrentTask?) -> Int {
        let reading = Reading(arrival: arrival, task: task)
        let (number, starts) = state.withLock { state in
            state.numbers += 1
            state.readings[state.numbers] = reading
            defer { state.isLooking = true }
            return (state.numbers, !state.isLooking)
        }
        if starts { Task { await look() } }
        return number
    }

    func remove(_ number: Int) { state.withLock { _ = $0.readings.removeValue(forKey: number) } }

    private func look() async {
        repeat {
            // Nobody cancels this task, so that the sleep ends by itself.
            try? await clock.sleep(for: window)
        } while giveUpTheStarving()
    }

    /// - Returns: whether there is anything left to look at.
    private func giveUpTheStarving() -> Bool {
        state.withLock { state in
            for number in Array(state.readings.keys) {
                guard let reading = state.readings[number] else { continue }
                state.readings[number]?.looks += 1
                let isOverdue = window * reading.looks > longest
                if reading.looks == 0 {
                    reading.arrival.beginWindow()
                } else if reading.arrival.giveUp(below: minimumBytes, isOverdue: isOverdue) {
                    // Under the lock, which the reading needs to end.
                    reading.task?.cancel()
                }
            }
            state.isLooking = !state.readings.isEmpty
            return state.isLooking
        }
    }
}

/// What came since the watcher last looked. Time that the server itself takes is not the client's.
private final class BodyArrival: Sendable {
    private struct State {
        var bytes = 0
        var isWaiting = false
        var giveUp: GiveUp?
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.isWaiting = true } }

    func end() { state.withLock { $0.isWaiting = false } }

    func add(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    func beginWindow() { state.withLock { $0.bytes = 0 } }

    var giveUp: GiveUp? { state.withLock { $0.giveUp } }

    func giveUp(below minimum: Int, isOverdue: Bool) -> Bool {
        state.withLock { state in
            defer { state.bytes = 0 }
            if state.isWaiting, state.giveUp == nil {
                if state.bytes < minimum { state.giveUp = .starving } else if isOverdue { state.giveUp = .overdue }
            }
            return state.giveUp != nil
        }
    }
}
