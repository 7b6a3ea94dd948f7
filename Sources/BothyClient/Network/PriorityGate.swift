/// What goes first when there are more requests than connections.
package enum TrafficPriority: Int, Sendable, Comparable {
    case background
    case transfer
    case interactive

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Lets so many through at once, the more urgent ones first and each kind in its order.
package actor PriorityGate {
    fileprivate struct Waiter {
        var ticket: Int
        var priority: TrafficPriority
        var continuation: CheckedContinuation<Void, any Error>
    }

    private var free: Int
    private var waiters = [Waiter]()
    private var tickets = 0

    package init(width: Int) { free = width }

    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    package func enter(_ priority: TrafficPriority) async throws {
        if free > 0 {
            free -= 1
            return
        }
        tickets += 1
        let ticket = tickets
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiters.append(Waiter(ticket: ticket, priority: priority, continuation: continuation))
                }
            }
        } onCancel: {
            Task { await self.giveUp(ticket) }
        }
    }

    package func leave() {
        guard let next = waiters.indices.max(by: { waiters[$0].isBehind(waiters[$1]) }) else {
            free += 1
            return
        }
        waiters.remove(at: next).continuation.resume()
    }

    private func giveUp(_ ticket: Int) {
        guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}

extension PriorityGate.Waiter {
    fileprivate func isBehind(_ other: Self) -> Bool {
        priority == other.priority ? ticket > other.ticket : priority < other.priority
    }
}
