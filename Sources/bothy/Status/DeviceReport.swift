import BothyAgent
import BothyClient
import BothySync

/// Gathers what `bothy status` tells: from the agent where one runs, and from the home itself.
struct DeviceReport {
    let home: DeviceHome
    let client: AgentClient

    func gather() async throws -> StatusDocument {
        try await home.endLeftOverUploads()
        let account = try home.account.signedIn()
        let agent = try await client.status()
        var lines = try await conditions()
        if let full = HomeRoom(of: home.directory).line { lines.append(full) }
        let server = try await server(agent, isSignedIn: account != nil)
        lines += server
        if account != nil, let drive = DriveWords(try await home.transfers.driveParameters()) {
            lines.append(
                AgentStatusLine("drive", .idle, drive.words, reason: DriveWords.reason, remedy: DriveWords.remedy))
        }
        let told = agent?.lines.filter { !Self.toldAbove.contains($0.part) } ?? []
        lines += told.filter { $0.part != "folders" }
        // What waits here is told whether an agent runs or not.
        let operations = try await home.replica.operations()
        if !told.contains(where: { $0.part == "journal" }) {
            lines += JournalPart.lines(ofAll: try await home.replica.journal())
        }
        let folders = try await FolderReport(FolderBindings(home: home), server: server)
        lines += folders.lines(told.filter { $0.part == "folders" })
        let storage = HomeStorage.measure(home.directory)
        return StatusDocument(
            account: account.map { AccountDocument($0) },
            agent: .init(
                running: agent != nil, pid: agent?.pid, release: agent?.version.release, startedAt: agent?.startedAt),
            watches: folders.watches,
            lines: lines, transfers: .init(try await home.transfers.list(), besides: operations),
            carried: try await home.transfers.carried(),
            storage: .init(database: storage.database, content: storage.content, other: storage.other),
            kept: try await home.replica.kept())
    }

    /// Parts that have lines of their own on the page, whether an agent runs or not.
    private static let toldAbove: Set<String> = [
        "account", Condition.Rule.pause, Condition.Rule.battery, Condition.Rule.metered, "server",
    ]

    /// What holds work back, or slows it down.
    private func conditions() async throws -> [AgentStatusLine] {
        var lines = [AgentStatusLine]()
        for condition in try await home.conditions.standing() {
            var line = AgentStatusLine(condition)
            switch condition.effect {
            case .holds(let until?): line.words += " It ends at \(MomentText.text(until, seenAt: SystemTime.now()))."
            case .holds(nil): break
            case .slows(let rate):
                line.words = "Transfers are limited to \(ByteText.rate(Double(rate))) in each direction."
            }
            lines.append(line)
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
            // That it answers is not that it answers this device.
            _ = try await home.drive.quota()
            try await home.account.checkKeeps()
            if agent == nil { try await OfflineEnding.sendWhatWaits(home) }
            let milliseconds = Int((probe.seconds * 1000).rounded(.up))
            return [AgentStatusLine("server", .idle, "It answers in \(milliseconds) ms.")]
        } catch let failure as ClientFailure {
            return [AgentStatusLine("server", failure)]
        }
    }
}
