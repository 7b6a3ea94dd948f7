import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy why`
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain the state of a file or post, and what to do about it.",
        discussion: """
            For a file in a synced folder it shows both sides, their last synced state and the last decisions about it; for a \
            file on the server, what this device knows of it and what is waiting to be sent. Digits that are not a file here \
            are a post, as “bothy feed” and “bothy feed outbox” show them.
            """)

    @Argument(
        help:
            "A file or folder here, even a deleted one, or on the server (/path); or the digits of a post.",
        completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            let bindings = FolderBindings(home: home)
            let elsewhere = WhyElsewhere(home: home, output: output)
            var found = try await bindings.binding(holding: path)
            if found == nil { found = try await elsewhere.binding(holding: path, bindings) }
            guard let (binding, place) = found else {
                if Self.isThere(path) == false, try await PostWhy(home: home, output: output).tellIfKnown(path) {
                    return
                }
                return try await elsewhere.tell(path)
            }
            let cache = LastKnownCache(home.replica)
            let explanation = try await bindings.explain(
                place, in: binding, by: cache, isKept: bindings.isKept(binding))
            let waiting = try await Self.waiting(place, in: binding, home)
            // Typed, and not sent yet: it is in no place that the folder's own look would find.
            if explanation.cause == .item(.unknown), let typed = waiting.operations.first?.path {
                return try await elsewhere.tell(typed.text)
            }
            if output.json { return try output.print(WhyDocument(explanation, waiting, place, binding)) }
            // A rule keeps it from being looked into, and not from being there.
            let isThere = Self.isThere(binding.absolute(place))
            for line in WhyWords.lines(explanation, waiting, place, binding, isThere: isThere) {
                Terminal().writeOutput(TerminalText.safe(line) + "\n")
            }
            if let away = cache.offline { output.note(WhyWords.lastKnown(away)) }
        }
    }

    private static func waiting(_ place: Place, in binding: Binding, _ home: DeviceHome) async throws -> WhyWaiting {
        // A name that only a disk can have is nowhere on the server.
        let remote = try? RemotePath("\(binding.remotePath)/\(place.text)")
        var file: ReplicaFile?
        if let remote { file = try await home.replica.file(at: remote) }
        return try await WhyWaiting(file, at: remote, local: binding.absolute(place), isWithBelow: true, in: home)
    }

    /// - Returns: nil where the disk does not say: it lies in a folder that may not be read.
    static func isThere(_ path: String) -> Bool? {
        do {
            return try Home.environment.disk.facts(of: path) != nil
        } catch {
            // Otherwise it is a name that nothing can have.
            return error.code == .permissionDenied ? nil : false
        }
    }
}

extension Decision {
    /// What makes ready for others of the same pass, which say what came of it.
    fileprivate var isPreparation: Bool {
        guard case .rebind = action.step else { return false }
        return action.reason.decidesAConflict
    }
}

extension Explanation {
    /// What the server has of it: of a folder that is gone there, nothing.
    fileprivate var there: RemoteFacts? { sighting == .remoteRootLost ? nil : onTheServer }
}

/// An explanation as people read it.
enum WhyWords {
    /// - Parameter isThere: whether anything is in its place here; nil where the disk does not say.
    static func lines(
        _ explanation: Explanation, _ waiting: WhyWaiting, _ place: Place, _ binding: Binding, isThere: Bool?
    ) -> [String] {
        var lines = [
            "\(place.isRoot ? binding.localPath : place.text): \(explanation.state.words)",
            "  Why: \(sentence(explanation.words))", "  What to do: \(sentence(explanation.remedy))", "",
            "  here           \(here(explanation, isThere: isThere))", "  on the server  \(server(explanation))",
            "  agreed on      \(agreed(explanation))",
        ]
        lines += waiting.lines
        let decisions = RepeatedDecision.all(in: explanation.history.filter { !$0.isPreparation })
        if !decisions.isEmpty {
            lines += ["", "  last decisions:"]
            lines += decisions.prefix(Explanation.mostDecisions).map { "  \($0.words)" }
        }
        return lines
    }

    /// - Parameter away: why the server was not asked.
    static func lastKnown(_ away: ClientFailure) -> String {
        let why = away.isNetworks ? "There is no connection." : away.words
        return "\(why) The server's side is the last state that this device knows."
    }

    /// What a failure says ends with a full stop of its own.
    static func sentence(_ words: String) -> String { words.hasSuffix(".") ? words : words + "." }

    private static func here(_ explanation: Explanation, isThere: Bool?) -> String {
        if let special = explanation.special { return "\(special.words), which is not synced" }
        guard let facts = explanation.here else {
            guard let isThere else { return "unknown: permission denied" }
            return isThere ? "there, but not read" : "nothing"
        }
        return describe(facts.kind, facts.stamp.size, facts.stamp.modifiedAt)
    }

    private static func server(_ explanation: Explanation) -> String {
        guard let facts = explanation.there else { return "nothing" }
        return describe(facts.kind, facts.size, facts.modifiedAt) + ", version \(facts.version)"
    }

    private static func agreed(_ explanation: Explanation) -> String {
        guard let facts = explanation.agreed else { return "nothing yet" }
        return describe(facts.kind, facts.size, facts.remoteModifiedAt)
    }

    static func describe(_ kind: NodeKind, _ size: Int64, _ modified: Timestamp) -> String {
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
    /// What was typed about it and waits, in its order.
    var waiting: [OperationDocument]
    var transfers: [TransferRecordDocument]
    var decisions: [SyncEventDocument]

    init(_ explanation: Explanation, _ waiting: WhyWaiting, _ place: Place, _ binding: Binding) {
        path = place.text
        folder = binding.localPath
        status = explanation.state.rawValue
        cause = explanation.words
        remedy = explanation.remedy
        here = explanation.here.map {
            Side(kind: $0.kind.rawValue, size: $0.stamp.size, sha256: $0.hash, modifiedAt: $0.stamp.modifiedAt)
        }
        onTheServer = explanation.there.map {
            Side(
                kind: $0.kind.rawValue, size: $0.size, sha256: $0.checksum, modifiedAt: $0.modifiedAt, fileId: $0.id,
                revisionId: $0.headRevisionId, version: $0.version)
        }
        agreed = explanation.agreed.map {
            Side(
                kind: $0.kind.rawValue, size: $0.size, sha256: $0.checksum, modifiedAt: $0.remoteModifiedAt,
                fileId: $0.remoteId, revisionId: $0.baseRevisionId, version: $0.version)
        }
        self.waiting = waiting.documents
        transfers = waiting.transferDocuments
        decisions = explanation.decisions.map(SyncEventDocument.init)
    }
}
