import Dispatch
import Synchronization

/// One fdatasync for everyone who waits: while one runs, the next group gathers. It has a thread of its own, which also
/// writes what is small enough for that: such a block is handed over once, and not once to be written and once to be synced.
///
/// After one that failed there is none any more: the kernel may have dropped what it could not write, and a second
/// fdatasync would say that all is well (the «fsyncgate» of PostgreSQL, 2018).
final class GroupSync: Sendable {
    /// Requests that may wait; more of them than the server has connections is a fault.
    static let maximumWaiting = 65_536

    private struct State {
        var waiting = [any WaitingWrite]()
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
    func wait() async throws { try await write {} }

    /// Runs `body`, which writes a little, and returns when that and everything written before the call is on the disk.
    ///
    /// - Throws: what `body` throws, which is nobody else's failure; ``PackError``.
    func write<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(WaitingBlock(body, continuation))
        }
    }

    private func submit(_ write: any WaitingWrite) {
        let (refusal, starts) = state.withLock { state -> (PackError?, Bool) in
            if let poison = state.poison { return (.poisoned(poison), false) }
            guard state.waiting.count < Self.maximumWaiting else {
                return (.failed("too many requests wait for the disk"), false)
            }
            state.waiting.append(write)
            defer { state.isRunning = true }
            return (nil, !state.isRunning)
        }
        if let refusal { write.answer(failure: refusal) }
        if starts { queue.async { self.run() } }
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
            let failure = writeAndSync(group)
            for write in group { write.answer(failure: failure) }
        }
    }

    private func writeAndSync(_ group: [any WaitingWrite]) -> PackError? {
        if let poison { return .poisoned(poison) }
        for write in group { write.run() }
        do {
            try sync()
            return nil
        } catch {
            stop("\(error)")
            return .poisoned("\(error)")
        }
    }
}

/// What waits for the disk, and what it came to.
private protocol WaitingWrite: AnyObject, Sendable {
    func run()
    /// Answers who waits: with the outcome of the run, or with `failure`.
    func answer(failure: PackError?)
}

/// Unchecked because only the sync's own thread touches `outcome`, after the lock that handed this over.
private final class WaitingBlock<Value: Sendable>: WaitingWrite, @unchecked Sendable {
    private let body: @Sendable () throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private var outcome: Result<Value, any Error>?

    init(_ body: @escaping @Sendable () throws -> Value, _ continuation: CheckedContinuation<Value, any Error>) {
        self.body = body
        self.continuation = continuation
    }

    func run() { outcome = Result(catching: body) }

    func answer(failure: PackError?) {
        if let failure {
            continuation.resume(throwing: failure)
        } else if let outcome {
            continuation.resume(with: outcome)
        } else {
            preconditionFailure("a write is answered after it ran")
        }
    }
}
