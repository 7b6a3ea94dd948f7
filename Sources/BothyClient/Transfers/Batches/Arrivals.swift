import Synchronization

/// What becomes of those that go side by side, as it comes: handed on together once nothing more of it is at work, so that what is through
/// waits for no other that is still on its way.
package final class Arrivals<Outcome: Sendable>: Sendable {
    private struct State {
        var arrived = [(place: Int, outcome: Outcome)]()
        var atWork = 0
        /// How many have still to come.
        var left: Int
        var waiter: CheckedContinuation<[(place: Int, outcome: Outcome)]?, Never>?

        /// Takes out who waits, where there is something for them.
        mutating func due() -> (CheckedContinuation<[(place: Int, outcome: Outcome)]?, Never>, [(Int, Outcome)]?)? {
            guard let waiting = waiter, left == 0 || atWork == 0 && !arrived.isEmpty else { return nil }
            waiter = nil
            defer { arrived = [] }
            return (waiting, arrived.isEmpty ? nil : arrived)
        }
    }

    private let state: Mutex<State>

    /// - Parameter count: of those that come.
    package init(count: Int) { state = Mutex(State(left: count)) }

    /// One has come, and is at work until it is added.
    package func begin() { state.withLock { $0.atWork += 1 } }

    /// Some have come, all at one moment.
    package func add(_ outcomes: [(place: Int, outcome: Outcome)]) {
        change { state in
            state.arrived += outcomes
            state.left -= outcomes.count
        }
    }

    package func add(_ outcome: Outcome, at place: Int) {
        change { state in
            state.arrived.append((place, outcome))
            state.atWork -= 1
            state.left -= 1
        }
    }

    /// All that came since the last time; nil once there is nothing more. One may wait at a time.
    package func next() async -> [(place: Int, outcome: Outcome)]? {
        await withCheckedContinuation { waiter in change { $0.waiter = waiter } }
    }

    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            return state.due()
        }
        if let (waiter, arrived) = due { waiter.resume(returning: arrived) }
    }
}
