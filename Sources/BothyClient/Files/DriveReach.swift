import Synchronization

/// What this process knows of the way to the server: once it is gone, nobody waits for it again and again.
package final class DriveReach: Sendable {
    private struct State {
        var isOffline = false
        var wasReached = false
        var hasTriedJournal = false
        var recorded = [Int64]()
        var handedOn = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// A request has found no way to the server.
    package var isOffline: Bool { state.withLock { $0.isOffline } }
    /// A request was answered.
    package var wasReached: Bool { state.withLock { $0.wasReached } }
    /// The operations that this process has written down because they could not be sent.
    package var recorded: [Int64] { state.withLock { $0.recorded } }

    /// How many transfers, begun before, this process has left to go on once there is a way.
    package var handedOn: Int { state.withLock { $0.handedOn } }

    func answered() { state.withLock { $0.wasReached = true } }

    func lost() { state.withLock { $0.isOffline = true } }

    func found() { state.withLock { $0.isOffline = false } }

    package func record(_ operation: Int64) { state.withLock { $0.recorded.append(operation) } }

    package func handOn() { state.withLock { $0.handedOn += 1 } }

    /// Once a process, what waits is sent before anything else is asked.
    func takeJournalTurn() -> Bool {
        state.withLock { state in
            defer { state.hasTriedJournal = true }
            return !state.hasTriedJournal
        }
    }
}
