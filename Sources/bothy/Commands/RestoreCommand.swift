import ArgumentParser
import BothyClient
import BothyContract

/// `bothy restore`
struct RestoreCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var file: FileDocument
        /// The version whose content came back.
        var restored: RevisionDocument
        /// The new version that has it.
        var revision: RevisionDocument
    }

    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring an old version of a file back.",
        discussion: """
            The old content becomes a new version on top; nothing is taken out of the history, so that this can be undone \
            the same way. No bytes move. For things in the trash there is “bothy trash put-back”.
            """)

    @Argument(help: "A file on the server.", completion: RemoteNames.completion)
    var file: String

    @Argument(help: "The version, as “bothy history” shows it; the one before the newest where left out.")
    var version: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let path = try RemoteArgument(file).path
        try await Home.using { home in
            let file = try await home.plainFile(
                at: path, remedy: "Files have versions; for folders there is “bothy trash put-back”.")
            let old = try await choose(file, path, home)
            guard old.revisionId != file.headRevisionId else {
                return try output.tell(
                    "“\(path)” has this version already.",
                    Document(
                        file: FileDocument(file, path: path.text), restored: RevisionDocument(old, current: true),
                        revision: RevisionDocument(old, current: true)))
            }
            let answer = try await home.revisions.restore(old.revisionId, of: file.id)
            try output.tell(
                "“\(path)” is again as it was on \(MomentText.text(old.createdAt)) (\(ByteText.text(old.size))).",
                Document(
                    file: FileDocument(answer.file, path: path.text), restored: RevisionDocument(old, current: false),
                    revision: RevisionDocument(answer.revision, current: true)))
        }
    }

    private func choose(_ file: File, _ path: RemotePath, _ home: DeviceHome) async throws -> FileRevision {
        if let version { return try await home.version(version, of: file, at: path) }
        let page = try await home.revisions.page(of: file.id, limit: 2)
        guard page.revisions.count > 1 else {
            throw Complaint(
                .notThere, "“\(path)” has no older version.", remedy: "“bothy put” makes new ones.",
                status: .notThereOrInConflict)
        }
        return page.revisions[1]
    }
}
