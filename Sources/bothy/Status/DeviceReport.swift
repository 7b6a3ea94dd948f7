import BothyAgent
import BothyClient
import BothySync

/// Gathers what `bothy status` tells: from the agent where one runs, and from the home itself.
struct DeviceReport {
    let home: DeviceHome
    let client: AgentClient

    func gather() async throws -> StatusDocument {
        let account = try home.account.signedIn()
        let agent = try await client.status()
        var lines = try await conditions(agent)
        lines += try await server(agent, isSignedIn: account != nil)
        if account != nil, let drive = DriveWords(try await home.transfers.driveParameters()) {
            lines.append(
                AgentStatusLine("drive", .idle, drive.words, reason: DriveWords.reason, remedy: DriveWords.remedy))
        }
        let told = agent?.lines.filter { !Self.toldAbove.contains($0.part) } ?? []
        let folders = try await folders()
        lines += told.filter { !folders.watched.contains($0.subject) }
        // What waits here is told whether an agent runs or not.
        let operations = try await home.replica.operations()
        if !told.contains(where: { $0.part == "journal" }) { lines += JournalPart.lines(of: operations) }
        // The agent says nothing of a folder that it has lent, and of one that a watch keeps no more than that.
        let toldOf = Set(told.filter { $0.part == "folders" }.map(\.subject)).subtracting(folders.watched)
        lines += folders.lines.filter { !toldOf.contains($0.subject) }
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
    private static let toldAbove: Set<String> = ["account", Condition.Rule.pause, Condition.Rule.battery, "server"]

    /// What holds work back, or slows it down.
    private func conditions(_ agent: AgentStatus?) async throws -> [AgentStatusLine] {
        var lines = [AgentStatusLine]()
        for condition in try await home.conditions.standing() {
            var line = AgentStatusLine(condition)
            switch condition.effect {
            case .holds(let until?): line.words += " It ends at \(MomentText.text(until))."
            case .holds(nil): break
            case .slows(let rate): line.words = "Transfers keep to \(ByteText.rate(Double(rate))) each way."
            }
            lines.append(line)
        }
        return lines
    }

    /// As their last passes left them: the agent does not look after them at the moment; a watch may.
    ///
    /// - Returns: and the processes of the watches, and the folders that these keep.
    private func folders() async throws -> (lines: [AgentStatusLine], watches: [Int32], watched: Set<String?>) {
        let bindings = FolderBindings(home: home)
        let all = try await bindings.all().map { ($0, bindings.watch(of: $0)) }
        let watched = Set(all.filter { $0.1 != nil }.map { String?.some($0.0.localPath) })
        return (all.map { line($0, $1) }, all.compactMap(\.1), watched)
    }

    private func line(_ binding: Binding, _ watch: Int32?) -> AgentStatusLine {
        let last =
            binding.inStepAt.map { "Last in step with “\(binding.remotePath)” on \(MomentText.text($0))" }
            ?? "Not in step with “\(binding.remotePath)” yet"
        guard let failure = binding.failure else {
            if let watch, !binding.waits.asks { return AgentStatusLine(of: binding, keptBy: watch) }
            let waiting = AgentStatusLine(of: binding, binding.waits) {
                (SyncWords.words($0), SyncWords.remedy($0, $1))
            }
            let aside = binding.waits.aside.map { ", but \($0)" } ?? ""
            return waiting ?? AgentStatusLine("folders", .idle, "\(last)\(aside).", subject: binding.localPath)
        }
        var line = AgentStatusLine("folders", failure, subject: binding.localPath)
        line.words += " \(last)."
        return line
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
            if agent == nil { try await OfflineEnding.sendWhatWaits(home) }
            let milliseconds = Int((probe.seconds * 1000).rounded(.up))
            return [AgentStatusLine("server", .idle, "It answers in \(milliseconds) ms.")]
        } catch let failure as ClientFailure {
            return [AgentStatusLine("server", failure)]
        }
    }
}
