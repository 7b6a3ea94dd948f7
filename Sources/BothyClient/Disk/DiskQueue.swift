import Dispatch

/// A thread of its own, as far as the caller is concerned: disk calls block, and the tasks' own threads must not.
package final class DiskQueue: Sendable {
    private let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: "bothy.\(label)") }

    /// Runs `body` after everything that was handed in before.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
