import BothyAgent
import BothyClient
import BothyContract
import Foundation

/// The status as a person reads it: what it is about, how it stands, and what to do where something is to be done.
struct StatusPage {
    private let document: StatusDocument
    private let zone: TimeZone

    init(_ document: StatusDocument, in zone: TimeZone = .current) {
        self.document = document
        self.zone = zone
    }

    var table: Table {
        var table = Table([.init(""), .init("")])
        func add(_ name: String, _ words: String, remedy: String? = nil) {
            table.add([name, words])
            if let remedy { table.add(["", "→ \(remedy)"]) }
        }
        if let account = document.account {
            add(
                "account",
                "\(account.user.displayName) <\(account.user.email)>, “\(account.device.name)”, at \(account.server)")
        } else {
            add("account", "nobody is signed in", remedy: "“bothy login”, or “bothy register”.")
        }
        for line in document.lines where Self.isAbove(line) { add(line.part, words(line), remedy: remedy(line)) }
        add("agent", agent.words, remedy: agent.remedy)
        for line in document.lines where !Self.isAbove(line) && line.part != Self.transfers {
            add(line.subject ?? line.part, words(line), remedy: remedy(line))
        }
        add(Self.transfers, transfers, remedy: document.transfers.remedy)
        if let saved = Self.saved(document.carried) { add("carried", saved) }
        let storage = document.storage
        add(
            "storage",
            "\(ByteText.text(storage.database + storage.content + storage.other)): \(ByteText.text(storage.content)) of content, \(ByteText.text(storage.database)) for the list of files"
        )
        add("known", Self.known(document.kept))
        if document.kept.pinned + document.kept.freeable > 0 { add("offline", Self.atHand(document.kept)) }
        if document.kept.givenUp > 0 {
            add(
                "given up",
                "\(ByteText.text(document.kept.givenUp)) of changes that you discarded before they were sent",
                remedy: "“bothy trash --local” lists them for 30 days; “bothy trash put-back --local” restores them.")
        }
        return table
    }

    /// `sent 1.1 MiB of 256 MiB in 30 days`, where that is less than all.
    private static func saved(_ carried: CarriedBytes) -> String? {
        var parts = [String]()
        if carried.sent < carried.uploaded {
            parts.append("sent \(ByteText.text(carried.sent)) of \(ByteText.text(carried.uploaded))")
        }
        if carried.fetched < carried.downloaded {
            parts.append("fetched \(ByteText.text(carried.fetched)) of \(ByteText.text(carried.downloaded))")
        }
        if parts.isEmpty { return nil }
        return parts.joined(separator: ", ") + " in 30 days; the rest was already there or compressed"
    }

    private static func known(_ kept: KeptHere) -> String {
        let count = kept.knownFiles == 1 ? "1 file or folder" : "\(kept.knownFiles) files and folders"
        let cap = kept.metadataCap.map { " of at most \(ByteText.text($0))" } ?? ""
        let thinned =
            switch kept.thinnedFolders {
            case 0: ""
            case 1: "; 1 folder is listed from the server when you open it"
            default: "; \(kept.thinnedFolders) folders are listed from the server when you open them"
            }
        return "\(count), in \(ByteText.text(kept.metadata))\(cap)\(thinned)"
    }

    private static func atHand(_ kept: KeptHere) -> String {
        "\(ByteText.text(kept.pinned)) of content is pinned, and \(ByteText.text(kept.freeable)) is removed automatically when the cache is full\(kept.freeable == 0 ? "" : "; “bothy unpin --free” frees it now")"
    }

    private var agent: (words: String, remedy: String?) {
        guard document.agent.running, let pid = document.agent.pid, let started = document.agent.startedAt else {
            let processes = document.watches.map(String.init).joined(separator: ", ")
            let alone =
                switch document.watches.count {
                case 0: "nothing is synced automatically"
                case 1: "only “bothy sync --watch” (process \(processes)) is running"
                default: "only “bothy sync --watch” (processes \(processes)) is running"
                }
            return (
                "not running; \(alone)",
                "“bothy agent --background” starts it; docs/agent.md describes the service."
            )
        }
        return ("running since \(MomentText.text(started, in: zone)), process \(pid)", nil)
    }

    private func words(_ line: AgentStatusLine) -> String {
        guard let since = line.since else { return line.words }
        switch line.state {
        case .idle, .working: return line.words
        case .waiting, .held: return "\(line.words) Since \(MomentText.text(since, in: zone))."
        }
    }

    /// Where all is well, nothing is to be done.
    private func remedy(_ line: AgentStatusLine) -> String? { line.state == .idle ? nil : line.remedy }

    /// What is open, told once: those that the agent continues are among them, and why they wait is all that it adds.
    private var transfers: String {
        let words = document.transfers.words
        let line = document.lines.first { $0.part == Self.transfers }
        guard let line, line.state == .waiting || line.state == .held else { return words }
        guard let reason = line.reason.flatMap(PauseReason.init) else { return "\(words). \(line.words)" }
        return document.transfers == .init() ? words : "\(words): \(reason.words)"
    }

    private static let transfers = "transfers"

    private static func isAbove(_ line: AgentStatusLine) -> Bool {
        ["server", "disk", Condition.Rule.pause, Condition.Rule.battery, Condition.Rule.metered, Condition.Rule.rate]
            .contains(line.part)
    }
}
