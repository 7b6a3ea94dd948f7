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
        abstract: "Restore an older version of a file, or a folder to an earlier point in time.",
        usage: """
            bothy restore FILE [VERSION]
            bothy restore PATH --at MOMENT [--dry-run]
            bothy restore --plan ID
            """,
        discussion: """
            Without --at, the old content becomes the newest version of the file. With --at, a file, a folder or everything \
            (“/”) gets the content, names and places that it had then: files created since go to the trash, and files \
            trashed since come back. Files that were deleted for good cannot be restored, and are listed.

            Nothing is transferred, history is kept, and each restore says how to undo it. A moment is written like \
            \(MomentArgument.examples), in your own time zone. To restore single files from the trash, use “bothy trash put-back”.
            """)

    @Argument(help: "A file on the server; with --at also a folder, or “/”.", completion: RemoteNames.completion)
    var file: String?

    @Argument(help: "The version, as “bothy history” shows it. Default: the one before the newest.")
    var version: String?

    @Option(help: ArgumentHelp("The point in time to restore.", valueName: "moment"))
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
                remedy: "For a folder, give the moment: bothy restore /docs --at \"2 hours ago\" --dry-run")
        }
    }

    private func restoreVersion(of path: RemotePath) async throws {
        try await Home.using { home in
            let file = try await home.plainFile(
                at: path,
                remedy:
                    "Only files have versions. Restore a folder to a moment: bothy restore \(path.text.asTyped) --at \"2 hours ago\""
            )
            try home.requireOnServer(file, at: path)
            let old = try await choose(file, path, home)
            guard old.revisionId != file.headRevisionId else {
                return try output.tell(
                    "“\(path)” already has this version.",
                    Document(
                        file: FileDocument(file, path: path.text), restored: RevisionDocument(old, current: true),
                        revision: RevisionDocument(old, current: true)))
            }
            let answer = try await home.revisions.restore(old.revisionId, of: file.id)
            try output.tell(
                "“\(path)” was restored to its version of \(MomentText.text(old.createdAt)) (\(ByteText.text(old.size))).",
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
