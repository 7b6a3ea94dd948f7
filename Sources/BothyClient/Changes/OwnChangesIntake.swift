import BothyContract
import Synchronization

/// What this device's requests have changed in the drive, from the answers that tell it to the replica that takes it in: while much is
/// still being done, and at the end on request.
package final class OwnChangesIntake: Sendable {
    private struct State {
        var changes = OwnChanges()
        /// Changes that were noted since they were taken in last.
        var fresh = 0
        var take: (@Sendable () async -> Void)?
        var taking: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Changes that are taken in at once.
    package static let enough = 128

    package init() {}

    /// - Parameter take: takes in what was told so far, whenever that is enough.
    func start(taking take: @escaping @Sendable () async -> Void) { state.withLock { $0.take = take } }

    /// Returns once nothing is taken in any more: what is not taken in by then is in the log.
    func stop() async {
        let taking = state.withLock { state in
            state.take = nil
            return state.taking
        }
        taking?.cancel()
        await taking?.value
    }

    /// Notes what one answer told: see ``OwnChanges/note(_:at:before:)``.
    func note(_ file: File?, at place: String?, before: String?) {
        state.withLock { state in
            state.changes.note(file, at: place, before: before)
            state.fresh += 1
            guard state.fresh >= Self.enough, state.taking == nil, let take = state.take else { return }
            state.fresh = 0
            state.taking = Task {
                await take()
                self.state.withLock { $0.taking = nil }
            }
        }
    }

    /// See ``OwnChanges/page(after:)``.
    func page(after cursor: String) -> GetChangesResponse? { state.withLock { $0.changes.page(after: cursor) } }

    /// See ``OwnChanges/beginning(after:)``.
    func beginning(after cursor: String) -> GetChangesResponse? {
        state.withLock { $0.changes.beginning(after: cursor) }
    }
}
