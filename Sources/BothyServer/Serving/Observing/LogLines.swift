import Dispatch
import Foundation
import Logging
import Synchronization

/// Takes log lines from every thread and writes them to a file descriptor, some at a time: a server that answers thousands
/// of requests a second has as many lines, and a call of the system for each would cost a tenth of what it does.
///
/// What is a warning or worse is written before the call returns, and all lines before it. A process that is killed
/// loses the lines of its last moment; one that ends does not, see ``flush()``.
package final class LogLines: Sendable {
    private struct State {
        var bytes = [UInt8]()
        var isWaiting = false
    }

    private let descriptor: Int32
    // Held while lines are written, so that they keep their order.
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "bothy.log")

    /// How long a line may wait.
    private static let patience = DispatchTimeInterval.milliseconds(20)
    /// Bytes that may wait.
    private static let most = 64 << 10

    package init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// - Parameter line: with its end.
    package func write(_ line: String, _ level: Logger.Level) {
        let starts = state.withLock { state in
            state.bytes.append(contentsOf: line.utf8)
            if level >= .warning || state.bytes.count >= Self.most { writeOut(&state) }
            defer { state.isWaiting = state.isWaiting || !state.bytes.isEmpty }
            return !state.isWaiting && !state.bytes.isEmpty
        }
        if starts { queue.asyncAfter(deadline: .now() + Self.patience) { self.flush() } }
    }

    /// Writes what waits.
    package func flush() {
        state.withLock { state in
            writeOut(&state)
            state.isWaiting = false
        }
    }

    private func writeOut(_ state: inout State) {
        state.bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // A log that cannot be written has nowhere to say so.
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
        }
        state.bytes.removeAll(keepingCapacity: true)
    }
}
