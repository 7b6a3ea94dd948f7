import Dispatch
import Synchronization

/// A thread of its own, as far as the caller is concerned: disk calls block, and the tasks' own threads must not.
package final class DiskQueue: Sendable {
    /// Nil where the caller's own thread does it.
    private let queue: DispatchQueue?

    package init(_ label: String) { queue = DispatchQueue(label: "bothy.\(label)") }

    private init() { queue = nil }

    /// For disks in memory, which block nobody: the simulated world would wait for threads more than for anything else.
    package static let inline = DiskQueue()

    /// Runs `body` after everything that was handed in before, and waits for nothing.
    package func begin(_ body: @escaping @Sendable () -> Void) {
        guard let queue else { return body() }
        queue.async(execute: body)
    }

    /// Runs `body` after everything that was handed in before.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard let queue else { return try body() }
        let stop = DiskWork.Stop()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Result { try DiskWork.$stop.withValue(stop) { try body() } })
                }
            }
        } onCancel: {
            stop.isAsked.store(true, ordering: .relaxed)
        }
    }
}

/// Whether the caller no longer waits for its work on the disk. Long work checks that now and then, and gives up.
package enum DiskWork {
    final class Stop: Sendable {
        let isAsked = Atomic(false)
    }

    @TaskLocal static var stop: Stop?

    package static var isCancelled: Bool { stop?.isAsked.load(ordering: .relaxed) ?? false }

    package static let canceled = ClientFailure(.canceled, "Stopped.")
}

/// Several of them, for work that waits for the disk more than it uses it: syncs that are asked for side by side share
/// what they cost.
package final class DiskQueues: Sendable {
    private let queues: [DiskQueue]
    private let isInline: Bool
    private let turn = Atomic(0)

    package init(_ label: String, count: Int) {
        (queues, isInline) = ((0..<count).map { DiskQueue("\(label) \($0)") }, false)
    }

    private init() { (queues, isInline) = ([.inline], true) }

    /// See ``DiskQueue/inline``.
    package static let inline = DiskQueues()

    /// Runs `body` on one of them while `other` goes on; where the caller's own thread does it, after it.
    package func run<Value: Sendable, Other>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () throws -> Value,
        beside other: () async throws -> Other
    ) async throws -> (Value, Other) {
        guard !isInline else {
            let beside = try await other()
            return (try body(), beside)
        }
        async let value = run(body)
        let beside = try await other()
        return (try await value, beside)
    }

    /// Runs `body` on one of them; of two, either may come first.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await next.run(body)
    }

    /// Runs `body` on one of them, and waits for nothing.
    package func begin(_ body: @escaping @Sendable () -> Void) { next.begin(body) }

    private var next: DiskQueue { queues[abs(turn.wrappingAdd(1, ordering: .relaxed).newValue % queues.count)] }
}
