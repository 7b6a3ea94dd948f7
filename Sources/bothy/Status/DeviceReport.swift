import BothyAgent
import BothyClient

/// Gathers what `bothy status` tells: from the agent where one runs, and from the home itself.
struct DeviceReport {
    let home: DeviceHome
    let client: AgentClient

    func gather() async throws -> StatusDocument {
        let account = try home.account.signedIn()
        let agent = try await client.status()
        var lines = try await conditions(agent)
        lines += try await server(agent, isSignedIn: account != nil)
        lines += agent?.lines.filter { !Self.toldAbove.contains($0.part) } ?? []
        let storage = HomeStorage.measure(home.directory)
        return StatusDocument(
            account: account.map { AccountDocument($0) },
            agent: .init(
                running: agent != nil, pid: agent?.pid, release: agent?.version.release, startedAt: agent?.startedAt),
            lines: lines, transfers: .init(try await home.transfers.list()),
            storage: .init(database: storage.database, content: storage.content, other: storage.other))
    }

    /// Parts that have lines of their own on the page, whether an agent runs or not.
    private static let toldAbove: Set<String> = ["account", "pause", "server"]

    /// What the person has set that holds work back.
    private func conditions(_ agent: AgentStatus?) async throws -> [AgentStatusLine] {
        var lines = [AgentStatusLine]()
        if let pause = try await home.settings.pause() {
            var line = AgentHold(pause).line
            if let until = pause.until { line.words += " It ends at \(MomentText.text(until))." }
            lines.append(line)
        }
        if let limit = try await home.settings.rateLimit() {
            lines.append(
                AgentStatusLine(
                    "rate", .working, "Transfers keep to \(ByteText.rate(Double(limit))) each way.",
                    remedy: "“bothy config limit-rate off” lifts it."))
        }
        return lines
    }

    /// As the agent hears of it; where none listens, it is asked.
    private func server(_ agent: AgentStatus?, isSignedIn: Bool) async throws -> [AgentStatusLine] {
        guard isSignedIn else { return [] }
        let heard = agent?.lines.filter { $0.part == "server" && $0.state != .working } ?? []
        guard heard.isEmpty else { return heard }
        do {
            let probe = try await home.account.probe()
            let milliseconds = Int((probe.seconds * 1000).rounded(.up))
            return [AgentStatusLine("server", .idle, "It answers in \(milliseconds) ms.")]
        } catch let failure as ClientFailure {
            return [AgentStatusLine("server", failure)]
        }
    }
}
