import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy why`
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell why a file in a folder in step is as it is, and what to do about it.",
        discussion: "It looks at both sides, at what they last agreed on, and at the last decisions about it.")

    @Argument(help: "A file or folder here; it need not be there any more.", completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let bindings = FolderBindings(home: home)
            guard let (binding, place) = try await bindings.binding(holding: path) else {
                throw Complaint(
                    .notThere, "“\(path)” lies in no folder that is kept in step.",
                    remedy: "“bothy bindings” lists them; “bothy sync DIR” adds one.", status: .notThereOrInConflict)
            }
            let device = try home.account.signedIn()?.device.name ?? "this device"
            let cache = LastKnownCache(home.replica)
            let engine = bindings.engine(for: binding, rules: BindingRules(deviceName: device), cache: cache)
            let absolute = place.isRoot ? binding.localPath : "\(binding.localPath)/\(place.text)"
            let explanation = try await engine.explain(place) { id in
                try await Surroundings(ofFileAt: absolute, withId: id, on: home, offline: cache.offline)
            }
            if output.json { return try output.print(WhyDocument(explanation, place, binding)) }
            for line in WhyWords.lines(explanation, place, binding) {
                Terminal().writeOutput(TerminalText.safe(line) + "\n")
            }
            if cache.offline != nil {
                output.note("There is no connection. What is said of the server is what was known here last.")
            }
        }
    }
}

/// An explanation as people read it.
enum WhyWords {
    static func lines(_ explanation: Explanation, _ place: Place, _ binding: Binding) -> [String] {
        var lines = [
            "\(place.isRoot ? binding.localPath : place.text): \(explanation.state.rawValue)",
            "  Why: \(sentence(explanation.cause))", "  What to do: \(sentence(explanation.remedy))", "",
            "  here           \(here(explanation))", "  on the server  \(server(explanation))",
            "  agreed on      \(agreed(explanation))",
        ]
        if !explanation.decisions.isEmpty {
            lines += ["", "  last decisions:"]
            lines += explanation.decisions.map {
                let failure = $0.trace.failure.map { ". It failed: \($0.words)" } ?? ""
                return "  \(MomentText.text($0.at))  \($0.words)\(failure)"
            }
        }
        return lines
    }

    /// What a failure says ends with a full stop of its own.
    private static func sentence(_ words: String) -> String { words.hasSuffix(".") ? words : words + "." }

    private static func here(_ explanation: Explanation) -> String {
        if let special = explanation.special { return "a \(special.rawValue), which is not synced" }
        guard let facts = explanation.here else { return "nothing" }
        return describe(facts.kind, facts.stamp.size, facts.stamp.modifiedAt)
    }

    private static func server(_ explanation: Explanation) -> String {
        guard let facts = explanation.onTheServer else { return "nothing" }
        return describe(facts.kind, facts.size, facts.modifiedAt) + ", version \(facts.version)"
    }

    private static func agreed(_ explanation: Explanation) -> String {
        guard let facts = explanation.agreed else { return "nothing yet" }
        return describe(facts.kind, facts.size, facts.remoteModifiedAt)
    }

    private static func describe(_ kind: NodeKind, _ size: Int64, _ modified: Timestamp) -> String {
        kind == .folder ? "a folder" : "\(ByteText.text(size)), of \(MomentText.text(modified))"
    }
}

struct WhyDocument: Encodable {
    struct Side: Encodable {
        var kind: String
        var size: Int64
        var sha256: ContentHash?
        var modifiedAt: Timestamp
        var fileId: String?
        var revisionId: String?
        var version: Int64?
    }

    var path: String
    var folder: String
    var status: String
    var cause: String
    var remedy: String
    var here: Side?
    var onTheServer: Side?
    var agreed: Side?
    var decisions: [SyncEventDocument]

    init(_ explanation: Explanation, _ place: Place, _ binding: Binding) {
        path = place.text
        folder = binding.localPath
        status = explanation.state.rawValue
        cause = explanation.cause
        remedy = explanation.remedy
        here = explanation.here.map {
            Side(kind: $0.kind.rawValue, size: $0.stamp.size, sha256: $0.hash, modifiedAt: $0.stamp.modifiedAt)
        }
        onTheServer = explanation.onTheServer.map {
            Side(
                kind: $0.kind.rawValue, size: $0.size, sha256: $0.checksum, modifiedAt: $0.modifiedAt, fileId: $0.id,
                revisionId: $0.headRevisionId, version: $0.version)
        }
        agreed = explanation.agreed.map {
            Side(
                kind: $0.kind.rawValue, size: $0.size, sha256: $0.checksum, modifiedAt: $0.remoteModifiedAt,
                fileId: $0.remoteId, revisionId: $0.baseRevisionId, version: $0.version)
        }
        decisions = explanation.decisions.map(SyncEventDocument.init)
    }
}
