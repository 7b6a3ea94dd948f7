import BothyClient
import BothyContract

/// Sends what a person did here without a connection, in its order.
package actor JournalPart: AgentPart {
    package nonisolated let name = "journal"

    private let replica: ReplicaEngine
    /// Another process of this device sends the journal.
    private var isElsewhere = false

    package init(replica: ReplicaEngine) { self.replica = replica }

    package func start() async throws { isElsewhere = try await !replica.start() }

    package func look() async throws {
        if isElsewhere { try await start() }
        try await replica.wake()
    }

    package func stop() async { await replica.stop() }

    package func status() async -> [AgentStatusLine] {
        do {
            return Self.lines(of: try await replica.operations())
        } catch {
            return [AgentStatusLine("journal", AgentHold.failure(error))]
        }
    }

    /// - Parameter operations: in their order.
    package static func lines(of operations: [JournalOperation]) -> [AgentStatusLine] {
        let waiting = operations.filter { $0.state == .queued || $0.state == .sending }
        let stuck = operations.filter { $0.state == .conflict || $0.state == .parked }
        var lines = [AgentStatusLine]()
        if let first = stuck.first {
            lines.append(
                AgentStatusLine(
                    "journal", .held,
                    "\(count(stuck)) could not be made on the server: \(first.lastError?.words ?? "it needs you").",
                    reason: first.lastError?.code.rawValue ?? first.state.rawValue,
                    remedy: "“bothy journal” lists them; “bothy journal retry” or “discard” decides.",
                    since: first.updatedAt))
        }
        if let first = waiting.first {
            let failure = waiting.lazy.compactMap(\.lastError).first
            lines.append(
                AgentStatusLine(
                    "journal", failure == nil ? .working : .waiting,
                    "\(count(waiting)) to be sent." + (failure.map { " \($0.words)" } ?? ""),
                    reason: failure?.code.rawValue, remedy: failure?.remedy, since: first.createdAt))
        }
        return lines.isEmpty ? [AgentStatusLine("journal", .idle, "Everything that was done here was sent.")] : lines
    }

    private static func count(_ operations: [JournalOperation]) -> String {
        operations.count == 1 ? "1 change" : "\(operations.count) changes"
    }
}
