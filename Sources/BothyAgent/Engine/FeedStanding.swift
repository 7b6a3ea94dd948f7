import BothyClient
import BothyContract

/// What waits for the feed, as the status tells it.
package enum FeedStanding {
    /// - Parameter operations: in their order.
    package static func lines(of operations: [FeedOperation]) -> [AgentStatusLine] {
        var lines = [AgentStatusLine]()
        let refused = operations.filter { $0.state == .parked }
        if let first = refused.first {
            lines.append(
                AgentStatusLine(
                    "feed", .held,
                    "\(count(refused.count, "post was", "posts were")) refused: \(first.lastError?.words ?? "")",
                    reason: first.lastError?.code.rawValue,
                    remedy: "“bothy feed outbox” lists them; “bothy feed retry” or “bothy feed discard” decides.",
                    since: first.createdAt))
        }
        let pending = operations.filter { $0.state == .queued || $0.state == .sending }
        if let first = pending.first {
            lines.append(
                AgentStatusLine(
                    "feed", first.lastError == nil ? .working : .waiting,
                    "\(count(pending.count, "thing", "things")) to be sent to the feed.",
                    reason: first.lastError?.code.rawValue, remedy: first.lastError?.remedy, since: first.createdAt))
        }
        return lines
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}
