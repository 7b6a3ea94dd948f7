import BothyClient
import BothyContract
import BothySync

/// `bothy why` of what lies in no synced folder: a file on the server, as it is known here with what waits done to it, or one
/// that nobody keeps.
struct WhyElsewhere {
    let home: DeviceHome
    let output: OutputOptions

    private struct Document: Encodable {
        var path: String
        var status: String
        var cause: String
        var remedy: String
        var onTheServer: WhyDocument.Side?
        /// What was typed about it and waits, in its order.
        var waiting: [OperationDocument]
        var transfers: [TransferRecordDocument]
    }

    /// The synced folder here that a path on the server lies in; nil where it lies in none, or where something was typed about it
    /// that waits: of that only the path on the server tells.
    func binding(
        holding typed: String, _ bindings: FolderBindings
    ) async throws -> (binding: Binding, place: Place)? {
        // What is no path on the server lies in none.
        guard typed.hasPrefix("/"), let place = try? RemoteArgument(typed).path else { return nil }
        let file = try await home.replica.file(at: place)
        // What is known nowhere there, and is here, was meant as what is here.
        if file == nil, WhyCommand.isThere(typed) ?? true { return nil }
        guard try await WhyWaiting(file, at: place, in: home).operations.isEmpty else { return nil }
        return try await bindings.binding(holding: place, withId: file?.serverId)
    }

    func tell(_ typed: String) async throws {
        let cache = LastKnownCache(home.replica)
        // What is no path on the server is told of as what is here.
        let place = typed.hasPrefix("/") ? try? RemoteArgument(typed).path : nil
        // A device that never asked the server has nothing to fall back on, and is told of what is here alone.
        if place != nil { _ = try? await cache.pull() }
        var file: ReplicaFile?
        if let place { file = try await home.replica.file(at: place) }
        let waiting = try await WhyWaiting(file, at: place, in: home)
        let cause = ExplainedCause.of(
            .elsewhere(file?.serverId), failure: nil, in: try await surroundings(waiting, cache.offline))
        var (words, remedy) = (cause.words, cause.remedy)
        let isSentNext = cause == .operation(.queued) || cause == .operation(.sending)
        if isSentNext, try await HomeAgent.launcher.client.hello() == nil { remedy = Self.sentLater }
        if place != nil, cause == .item(.outside), WhyCommand.isThere(typed) == false {
            words =
                "there is no such file, neither here nor on the server"
                + (cache.offline == nil ? "" : ", as far as is known here")
            remedy = ItemStatus(.unknown).remedy
        }
        if output.json {
            return try output.print(
                Document(
                    path: place?.text ?? typed, status: cause.state.rawValue, cause: words, remedy: remedy,
                    onTheServer: file.flatMap(Self.side), waiting: waiting.documents,
                    transfers: waiting.transferDocuments))
        }
        var lines = [
            "\(place?.text ?? typed): \(cause.headline)", "  Why: \(WhyWords.sentence(words))",
            "  What to do: \(WhyWords.sentence(remedy))",
        ]
        if let side = file.flatMap(Self.side) {
            let kind: NodeKind = side.kind == NodeKind.folder.rawValue ? .folder : .file
            lines += ["", "  on the server  \(WhyWords.describe(kind, side.size, side.modifiedAt))"]
        }
        lines += waiting.lines
        for line in lines { Terminal().writeOutput(TerminalText.safe(line) + "\n") }
        if let away = cache.offline { output.note(WhyWords.lastKnown(away)) }
    }

    private static let sentLater = "nothing to do: it is sent \(OfflineEnding.sentWithoutAgent)"

    private func surroundings(
        _ waiting: WhyWaiting, _ offline: ClientFailure?
    ) async throws -> Surroundings {
        Surroundings(
            pause: try await home.settings.pause(), rest: try await home.rest(), offline: offline,
            transfer: waiting.transfers.first?.state, operation: waiting.operations.first?.operation.state)
    }

    private static func side(_ file: ReplicaFile) -> WhyDocument.Side? {
        guard let id = file.serverId else { return nil }
        return WhyDocument.Side(
            kind: (file.isFolder ? NodeKind.folder : .file).rawValue, size: file.size, sha256: file.checksum,
            modifiedAt: file.modifiedAt, fileId: id, revisionId: file.headRevisionId, version: file.version)
    }
}
