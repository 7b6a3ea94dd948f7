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
            return Self.lines(ofAll: try await replica.journal())
        } catch {
            return [AgentStatusLine("journal", AgentHold.failure(error))]
        }
    }

    /// - Parameter journal: in its order.
    package static func lines(ofAll journal: [any DomainOperation]) -> [AgentStatusLine] {
        lines(of: journal.compactMap { $0 as? JournalOperation })
            + FeedStanding.lines(of: journal.compactMap { $0 as? FeedOperation })
    }

    /// - Parameter operations: in their order.
    package static func lines(of operations: [JournalOperation]) -> [AgentStatusLine] {
        let waiting = operations.filter { $0.state == .queued || $0.state == .sending }
        var lines = [AgentStatusLine]()
        func add(_ stuck: [JournalOperation], _ what: String, remedy: String) {
            guard let first = stuck.first else { return }
            lines.append(
                AgentStatusLine(
                    "journal", .held, "\(count(stuck)) \(what): \(ended(first.lastError?.words ?? "it needs you"))",
                    reason: first.lastError?.code.rawValue ?? first.state.rawValue, remedy: remedy,
                    since: first.updatedAt))
        }
        add(
            operations.filter { $0.state == .conflict }, "conflicted with a change on the server",
            remedy: "“bothy conflicts” lists the conflicts, “bothy resolve” resolves them.")
        add(
            operations.filter { $0.state == .parked }, "could not be made on the server",
            remedy: "“bothy journal” lists them; “bothy journal retry” or “discard” decides.")
        if let first = waiting.first {
            let failure = waiting.lazy.compactMap(\.lastError).first
            lines.append(
                AgentStatusLine(
                    "journal", failure == nil ? .working : .waiting,
                    "\(count(waiting)) to be sent." + (failure.map { " \($0.words)" } ?? ""),
                    reason: failure?.code.rawValue, remedy: failure?.remedy, since: first.createdAt))
        }
        return lines.isEmpty ? [AgentStatusLine("journal", .idle, "All changes to your files were sent.")] : lines
    }

    private static func ended(_ sentence: String) -> String { sentence.hasSuffix(".") ? sentence : "\(sentence)." }

    private static func count(_ operations: [JournalOperation]) -> String {
        operations.count == 1 ? "1 change" : "\(operations.count) changes"
    }
}
