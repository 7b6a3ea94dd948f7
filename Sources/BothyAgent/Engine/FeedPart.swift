import BothyClient
import BothyContract

/// Sends what a person did with posts here without a connection, in its order.
package actor FeedPart: AgentPart {
    package nonisolated let name = "feed"

    private let sender: FeedSender
    private let store: FeedStore
    private let clock: any ClientClock
    private var again: Task<Void, Never>?

    package init(home: DeviceHome, clock: any ClientClock) {
        sender = home.feedSender
        store = home.feed
        self.clock = clock
    }

    package func start() async throws { try await look() }

    package func look() async throws {
        again?.cancel()
        again = nil
        guard case .until(let time) = try await sender.push() else { return }
        lookAgain(in: Double(max(1, time.seconds(since: clock.now()) + 1)))
    }

    private func lookAgain(in seconds: Double) {
        again = Task { [weak self, clock] in
            // Cancelled is asked for anew by whoever cancelled it.
            guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
            await self?.lookByItself()
        }
    }

    /// Nobody hears of a look that nobody asked for: what fails is looked at once more.
    private func lookByItself() async {
        again = nil
        do { try await look() } catch { lookAgain(in: Self.patience) }
    }

    /// Seconds until it is looked again, where this device itself was the obstacle.
    private static let patience = 10.0

    package func stop() { again?.cancel() }

    package func status() async -> [AgentStatusLine] {
        do {
            return Self.lines(of: try await store.operations())
        } catch {
            return [AgentStatusLine(name, AgentHold.failure(error))]
        }
    }

    /// - Parameter operations: in their order.
    package static func lines(of operations: [FeedOperation]) -> [AgentStatusLine] {
        var lines = [AgentStatusLine]()
        let refused = operations.filter { $0.state == .refused }
        if let first = refused.first {
            lines.append(
                AgentStatusLine(
                    "feed", .held,
                    "\(count(refused.count, "post was", "posts were")) refused: \(first.lastError?.words ?? "")",
                    reason: first.lastError?.code.rawValue,
                    remedy: "“bothy feed outbox” lists them; “bothy feed retry” or “bothy feed discard” decides.",
                    since: first.createdAt))
        }
        let pending = operations.filter { $0.state == .pending }
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
