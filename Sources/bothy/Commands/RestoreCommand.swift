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
        abstract: "Bring an old version of a file back, or anything as it stood at a moment.",
        usage: """
            bothy restore FILE [VERSION]
            bothy restore PATH --at MOMENT [--dry-run]
            bothy restore --plan ID
            """,
        discussion: """
            Without --at, the old content of a file becomes a new version on top. With --at, a folder, a file or everything \
            (“/”) gets back the content, names and places that it had then: what was made since goes to the trash, and what \
            went to the trash since comes back. What was deleted for good since cannot come back, and is named.

            No bytes move, nothing is taken out of any history, and each restore tells how to undo it. A moment is like \
            \(MomentArgument.examples), in your own time zone. For single things in the trash there is “bothy trash put-back”.
            """)

    @Argument(help: "A file on the server; with --at a folder too, or “/”.", completion: RemoteNames.completion)
    var file: String?

    @Argument(help: "The version, as “bothy history” shows it; the one before the newest where left out.")
    var version: String?

    @Option(help: ArgumentHelp("As it stood at this moment.", valueName: "moment"))
    var at: String?

    @Flag(help: "List what would change, and change nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Do exactly what a dry run listed, or nothing.", valueName: "id"))
    var plan: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let restore = MomentRestore(output: output)
        switch (file, at, plan) {
        case (nil, nil, let plan?) where !dryRun:
            try await Home.using { try await restore.carryOut(plan, $0) }
        case (let file?, let at?, nil) where version == nil:
            let path = try RemoteArgument(file).path
            let moment = try MomentArgument(at, now: SystemTime.now()).moment
            try await Home.using { home in
                if dryRun {
                    try await restore.plan(path, to: moment, home)
                } else {
                    try await restore.run(path, to: moment, home)
                }
            }
        case (let file?, nil, nil) where !dryRun:
            try await restoreVersion(of: RemoteArgument(file).path)
        default:
            throw Complaint.usage(
                "“bothy restore” takes a file and perhaps a version, or a path and --at, or --plan alone.",
                remedy: "For a folder say the moment: bothy restore /docs --at \"2 hours ago\" --dry-run")
        }
    }

    private func restoreVersion(of path: RemotePath) async throws {
        try await Home.using { home in
            let file = try await home.plainFile(
                at: path,
                remedy:
                    "Files have versions; a folder goes back to a moment: bothy restore \(path.text.asTyped) --at \"2 hours ago\""
            )
            try home.requireOnServer(file, at: path)
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
