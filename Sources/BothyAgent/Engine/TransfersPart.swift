import BothyClient

/// Goes on with transfers that commands left in the middle: killed, or cut off with their terminal.
package actor TransfersPart: AgentPart {
    package nonisolated let name = "transfers"

    private let transfers: TransfersRepository
    private var adopted = Set<String>()

    package init(transfers: TransfersRepository) { self.transfers = transfers }

    package func start() async throws { try await adopt() }

    package func look() async throws { try await adopt() }

    /// What is under way is left for the next start.
    package func stop() async {
        // A claim that cannot be given back now lapses with this process.
        try? await transfers.leaveBehind(adopted)
        adopted = []
    }

    package func status() async -> [AgentStatusLine] {
        let mine: [TransferSnapshot]
        do {
            mine = try await transfers.list().filter { adopted.contains($0.id) }
        } catch {
            return [AgentStatusLine(name, AgentHold.failure(error))]
        }
        guard !mine.isEmpty else { return [AgentStatusLine(name, .idle, "There are no transfers to resume.")] }
        let count = mine.count == 1 ? "1 transfer" : "\(mine.count) transfers"
        let waiting = mine.compactMap { if case .paused(let reason) = $0.state { reason } else { nil } }
        guard waiting.count == mine.count, let reason = waiting.first else {
            return [AgentStatusLine(name, .working, "Resuming \(count).")]
        }
        return [
            AgentStatusLine(
                name, reason.waitsForAPerson ? .held : .waiting, "\(count) to resume: \(reason.words).",
                reason: reason.rawValue)
        ]
    }

    private func adopt() async throws {
        let found = try await transfers.adopt()
        guard !found.isEmpty else { return }
        adopted.formUnion(found)
        let ends = await transfers.observe(found)
        Task { [weak self] in
            for await snapshot in ends where snapshot.state.rests { await self?.ended(snapshot) }
        }
    }

    private func ended(_ snapshot: TransferSnapshot) {
        // One that this agent stops is still its own, to be left behind.
        guard snapshot.state != .paused(.stopped) else { return }
        adopted.remove(snapshot.id)
        if let newer = snapshot.replacedBy { adopted.insert(newer) }
    }
}
