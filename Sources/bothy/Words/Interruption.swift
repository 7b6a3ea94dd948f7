import Foundation

/// Lets Ctrl-C (and SIGTERM) end work in order: the first asks it to stop, one that comes later ends the process at once.
enum Interruption {
    /// Runs the work as a task that a signal cancels.
    ///
    /// - Throws: what the work throws; a `CancellationError` when it was interrupted.
    static func guarding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let numbers = [SIGINT, SIGTERM]
        let sources = numbers.map { number in watch(number) { task.cancel() } }
        defer {
            sources.forEach { $0.cancel() }
            // What comes after the work, such as waiting for a connection, ends at the first signal again.
            for number in numbers { signal(number, SIG_DFL) }
        }
        return try await task.value
    }

    private static func watch(_ number: Int32, _ stop: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        let presses = Presses()
        source.setEventHandler {
            switch presses.next() {
            case .first: stop()
            case .same: break
            case .later: exit(128 + number)
            }
        }
        source.resume()
        return source
    }

    /// Counts on the source's own events, which come one after the other.
    private final class Presses: @unchecked Sendable {
        enum Press {
            case first
            /// Pressed twice, or sent to the process and to its group: what stops in order has not had the time for it.
            case same
            case later
        }

        /// Seconds in which all are one.
        private static let span = 1.0
        private var first: ContinuousClock.Instant?

        // Only a signal source's handler calls this, and those never overlap.
        func next() -> Press {
            guard let first else {
                self.first = .now
                return .first
            }
            return first.duration(to: .now) < .seconds(Self.span) ? .same : .later
        }
    }
}
