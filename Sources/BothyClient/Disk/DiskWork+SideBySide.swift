import Dispatch
import Foundation
import Synchronization

extension DiskWork {
    /// Threads that work on the disk which needs the processor is shared by: more would keep a person's other work waiting.
    private static let mostThreads = 4

    /// Does parts of some work on this thread and beside it, and returns once all are done.
    ///
    /// - Returns: what each came to, in their order.
    package static func sideBySide<Part: Sendable, Value: Sendable>(
        _ parts: [Part], _ perform: @Sendable (Part) -> Value
    ) -> [Value] {
        let threads = min(parts.count, mostThreads, ProcessInfo.processInfo.activeProcessorCount)
        guard threads > 1 else { return parts.map(perform) }
        let next = Atomic(0)
        let stop = stop
        let done = Mutex([Value?](repeating: nil, count: parts.count))
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            $stop.withValue(stop) {
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < parts.count else { return }
                    let value = perform(parts[index])
                    done.withLock { $0[index] = value }
                }
            }
        }
        return done.withLock { $0.compactMap(\.self) }
    }
}
