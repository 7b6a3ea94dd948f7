import BothyAgent
import BothyClient
import BothyContract
import Synchronization

/// A part that writes down what is asked of it.
final class ScriptedPart: AgentPart {
    let name: String
    private let journal: EventJournal
    private let failure: Mutex<ClientFailure?>

    init(_ name: String, _ journal: EventJournal, failure: ClientFailure? = nil) {
        self.name = name
        self.journal = journal
        self.failure = Mutex(failure)
    }

    func breaks(_ failure: ClientFailure) { self.failure.withLock { $0 = failure } }
    func mend() { failure.withLock { $0 = nil } }

    func start() async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        journal.add("\(name) starts")
    }

    func look() async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        journal.add("\(name) looks")
    }
    func stop() async { journal.add("\(name) stops") }
    func status() async -> [AgentStatusLine] { [AgentStatusLine(name, .idle, "All is well.")] }
    func lend(_ subject: String) async { journal.add("\(name) lends \(subject)") }
    func takeBack(_ subject: String) async { journal.add("\(name) has \(subject) again") }
}

/// What happened, in order.
final class EventJournal: Sendable {
    private let lines = Mutex([String]())

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// What was added since the last time.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// Rules that a test sets.
final class ScriptedRules: AgentRules {
    private let held = Mutex(Result<AgentHold?, ClientFailure>.success(nil))

    func set(_ hold: AgentHold?) { held.withLock { $0 = .success(hold) } }
    func fail(_ failure: ClientFailure) { held.withLock { $0 = .failure(failure) } }
    func hold() async throws -> AgentHold? { try held.withLock { $0 }.get() }
    /// A test says itself that something is to be looked at.
    func turned(from hold: AgentHold?) async throws -> Bool { false }
}

/// A device with a battery, and a plug that a test pulls.
final class MadeUpPlug: PowerSupply {
    private let isPulled = Mutex(false)

    func pull(_ isPulled: Bool = true) { self.isPulled.withLock { $0 = isPulled } }
    func reading() -> PowerReading { PowerReading(hasBattery: true, isOnBattery: isPulled.withLock { $0 }) }
}

/// A clock whose sleepers wake when a test says so, or when they are cancelled.
final class SteppedClock: ClientClock {
    private struct State {
        var seconds = 1_700_000_000.0
        /// Seconds by which the calendar was set.
        var offset = 0.0
        var sleepers = [Int: (until: Double, continuation: CheckedContinuation<Void, any Error>)]()
        var slept = 0
        var arrivals: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func now() -> Timestamp { state.withLock { Timestamp(seconds: Int64($0.seconds + $0.offset)) } }
    func uptime() -> Double { state.withLock { $0.seconds } }
    /// How often somebody has lain down to sleep.
    var sleeps: Int { state.withLock { $0.slept } }

    func sleep(seconds: Double) async throws {
        let id = state.withLock { state in
            state.slept += 1
            return state.slept
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrivals = state.withLock { state in
                    state.sleepers[id] = (state.seconds + seconds, continuation)
                    defer { state.arrivals = nil }
                    return state.arrivals
                }
                arrivals?.resume()
                // Cancelled before it slept, nobody else would wake it.
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }

    /// Returns once somebody sleeps.
    func someoneSleeps() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.isEmpty { state.arrivals = continuation }
                return !state.sleepers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Sets the calendar; nobody wakes by that.
    func setCalendar(ahead seconds: Double) { state.withLock { $0.offset += seconds } }

    func advance(seconds: Double) {
        let woken = state.withLock { state in
            state.seconds += seconds
            let now = state.seconds
            let woken = state.sleepers.filter { $0.value.until <= now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
