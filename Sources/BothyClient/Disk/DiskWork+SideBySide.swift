import Dispatch
import Foundation
import Synchronization

extension DiskWork {
    /// Threads beside the callers', for all that this process does side by side: more would keep a person's other work waiting. They are no
    /// threads of the tasks', which must not wait for a disk.
    private static let others = (0..<min(3, ProcessInfo.processInfo.activeProcessorCount - 1)).map { number in
        DispatchQueue(label: "bothy.beside \(number)")
    }

    /// Does parts of some work on this thread, and on others where those are free, and returns once all are done.
    ///
    /// - Returns: what each came to, in their order.
    package static func sideBySide<Part: Sendable, Value: Sendable>(
        _ parts: [Part], _ perform: @escaping @Sendable (Part) -> Value
    ) -> [Value] {
        guard parts.count > 1, !others.isEmpty else { return parts.map(perform) }
        let work = SharedWork(parts, perform)
        let stop = stop
        for other in others.prefix(parts.count - 1) {
            other.async { $stop.withValue(stop) { work.goOn() } }
        }
        work.goOn()
        return work.wait()
    }
}

/// Parts of some work, of which each thread that continues it takes the next. One that comes late finds nothing left.
private final class SharedWork<Part: Sendable, Value: Sendable>: Sendable {
    private struct Done {
        var values: [Value?]
        /// Parts that are not done yet.
        var left: Int
    }

    private let parts: [Part]
    private let perform: @Sendable (Part) -> Value
    private let next = Atomic(0)
    private let done: Mutex<Done>
    private let isOver = DispatchSemaphore(value: 0)

    init(_ parts: [Part], _ perform: @escaping @Sendable (Part) -> Value) {
        self.parts = parts
        self.perform = perform
        done = Mutex(Done(values: Array(repeating: nil, count: parts.count), left: parts.count))
    }

    func goOn() {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < parts.count else { return }
            let value = perform(parts[index])
            let isLast = done.withLock { done in
                done.values[index] = value
                done.left -= 1
                return done.left == 0
            }
            if isLast { isOver.signal() }
        }
    }

    /// Waits for what others have begun.
    func wait() -> [Value] {
        isOver.wait()
        return done.withLock { $0.values.compactMap(\.self) }
    }
}
