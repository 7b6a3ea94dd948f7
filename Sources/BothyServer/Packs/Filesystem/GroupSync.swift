import Dispatch
import Synchronization

/// One fdatasync for everyone who waits: while one runs, the next group gathers. It has a thread of its own.
///
/// After one that failed there is none any more: the kernel may have dropped what it could not write, and a second
/// fdatasync would say that all is well (the «fsyncgate» of PostgreSQL, 2018).
final class GroupSync: Sendable {
    /// Requests that may wait; more of them than the server has connections is a fault.
    static let maximumWaiting = 65_536

    private struct State {
        var waiting = [CheckedContinuation<Void, any Error>]()
        var isRunning = false
        var poison: String?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "bothy.packs.sync")
    private let sync: @Sendable () throws -> Void
    private let onPoison: @Sendable (String) -> Void

    init(sync: @escaping @Sendable () throws -> Void, onPoison: @escaping @Sendable (String) -> Void) {
        self.sync = sync
        self.onPoison = onPoison
    }

    var poison: String? { state.withLock { $0.poison } }

    /// Returns when everything that was written before the call is on the disk.
    func wait() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let (refusal, starts) = state.withLock { state -> (PackError?, Bool) in
                if let poison = state.poison { return (.poisoned(poison), false) }
                guard state.waiting.count < Self.maximumWaiting else {
                    return (.failed("too many requests wait for the disk"), false)
                }
                state.waiting.append(continuation)
                defer { state.isRunning = true }
                return (nil, !state.isRunning)
            }
            if let refusal { continuation.resume(throwing: refusal) }
            if starts { queue.async { self.run() } }
        }
    }

    /// No more writes: what the disk holds is not known.
    func stop(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { if state.poison == nil { state.poison = reason } }
            return state.poison == nil
        }
        if isFirst { onPoison(reason) }
    }

    private func run() {
        while true {
            let group = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isRunning = false }
                return state.waiting
            }
            if group.isEmpty { return }
            var failure = poison.map(PackError.poisoned)
            if failure == nil {
                do {
                    try sync()
                } catch {
                    stop("\(error)")
                    failure = .poisoned("\(error)")
                }
            }
            for continuation in group {
                if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
            }
        }
    }
}
