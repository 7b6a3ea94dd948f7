import BothyClient
import BothyContract

/// `bothy restore PATH --at MOMENT`: a folder, a file or everything as it stood at a moment.
struct MomentRestore {
    var output: OutputOptions

    /// What `--dry-run` lists, and what a run came to.
    private struct Document: Encodable {
        var restoreId: String
        /// The folder or file that was named; absent where a plan was.
        var path: String?
        var at: Timestamp
        /// The moment that was named, where `at` is an earlier one.
        var askedAt: Timestamp?
        var state: OpenWord<DriveRestore.State>
        var putBack: Int
        var trashed: Int
        var recreated: Int
        var lost: Int
        var skipped: Int
        /// The moment to restore to, to undo it.
        var before: String?

        init(_ restore: DriveRestore, path: String?) {
            restoreId = restore.restoreId
            self.path = path
            at = restore.at
            askedAt = restore.askedAt
            state = restore.state
            putBack = restore.counts.putBack
            trashed = restore.counts.trashed
            recreated = restore.counts.recreated
            lost = restore.counts.lost
            skipped = restore.counts.skipped
            before = restore.before
        }
    }

    func plan(_ path: RemotePath, to moment: RestoresRepository.Moment, _ home: DeviceHome) async throws {
        let file = try await find(path, home)
        let plan = try await Self.inWords(path, moment) {
            try await home.restores.plan(to: moment, fileId: file.id)
        }
        for try await changes in home.restores.changes(of: plan.restoreId) {
            for change in changes {
                if output.json { try output.print(change) } else { output.print(line: RestoreWords.line(change)) }
            }
        }
        try output.tell(RestoreWords.planned(plan, path: path.text), Document(plan, path: path.text))
    }

    func run(_ path: RemotePath, to moment: RestoresRepository.Moment, _ home: DeviceHome) async throws {
        let file = try await find(path, home)
        let restore = try await Self.inWords(path, moment) {
            try await home.restores.restore(to: moment, fileId: file.id)
        }
        try await tell(restore, path: path.text, home)
    }

    func carryOut(_ planId: String, _ home: DeviceHome) async throws {
        let restore: DriveRestore
        do {
            restore = try await home.restores.carryOut(planId: planId)
        } catch let failure as ClientFailure where failure.code == .notFound {
            throw Complaint(
                .notThere, "There is no plan “\(planId)”, or it is too old.",
                remedy: "“bothy restore PATH --at MOMENT --dry-run” makes a new one.",
                status: .notThereOrInConflict)
        }
        var paths = RemotePathFinder(home: home)
        try await tell(restore, path: paths.path(ofId: restore.fileId), home)
    }

    /// A moment is told as every other is, and not as the server writes it.
    private static func inWords(
        _ path: RemotePath, _ moment: RestoresRepository.Moment, _ ask: () async throws -> DriveRestore
    ) async throws -> DriveRestore {
        do {
            return try await ask()
        } catch let failure as ClientFailure where failure.problem?.code == .notThereThen {
            let time = if case .time(let at) = moment { MomentText.text(at) } else { "that moment" }
            throw failure.with {
                $0.words =
                    "“\(path)” did not exist or was in the trash at \(time). There is nothing to restore."
            }
        }
    }

    private func tell(_ restore: DriveRestore, path: String?, _ home: DeviceHome) async throws {
        let place = path.map { $0.isEmpty ? "/" : $0 } ?? restore.fileId
        try output.tell(RestoreWords.finished(restore, path: place), Document(restore, path: path))
        guard restore.counts.skipped > 0 else { return }
        for try await changes in home.restores.changes(of: restore.restoreId) {
            for change in changes where change.outcome == .skipped {
                Complaint(.partlyDone, RestoreWords.skipped(change)).print(json: output.json)
            }
        }
        throw Complaint(
            .partlyDone, "\(RestoreWords.things(restore.counts.skipped)) changed meanwhile and stayed as they are.",
            remedy: "Check them, and restore again if they should be restored too.", status: .partlyDone)
    }

    /// What lies at a path, or lay there before it went to the trash: the last that did.
    private func find(_ path: RemotePath, _ home: DeviceHome) async throws -> File {
        if let file = try await home.files.fileIfPresent(at: path) {
            try home.requireOnServer(file, at: path)
            return file
        }
        var paths = RemotePathFinder(home: home)
        for try await page in home.files.listTrash() {
            for file in page where try await path.text == paths.path(ofId: file.id) { return file }
        }
        throw Complaint(
            .notThere, "There is no “\(path)”, and none in the trash.",
            remedy: "If it was renamed or deleted for good since, restore its parent folder.",
            status: .notThereOrInConflict)
    }
}
