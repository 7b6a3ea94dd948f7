import BothyClient
import BothyContract
import BothySync
import Foundation

/// Finds out what `get` has to fetch and where to write it, and hands it to the queue.
struct GetPlanner: Sendable {
    let session: TransferSession
    let decider: ExistsDecider
    let arguments: GetArguments
    /// A version other than the newest, as `history` shows it.
    let version: String?
    /// What commands before this one left unfinished.
    let begun: BegunDownloads

    private let held = CheckedHeldContent(disk: Home.environment.disk)
    private var home: DeviceHome { session.home }

    /// Each source that cannot be got is told of; the others go on.
    func plan() async throws {
        for source in arguments.sources {
            try Task.checkCancellation()
            do {
                try await plan(source)
            } catch {
                guard arguments.sources.count > 1, let complaint = Complaint(describing: error),
                    complaint.status != .interrupted, complaint.status != .signInNeeded
                else { throw error }
                try await session.log.tell(
                    TransferDocument(
                        event: .failed, direction: .download, local: arguments.target, path: source.path.text),
                    line: nil, complaint: complaint)
            }
        }
    }

    private func plan(_ source: RemoteArgument) async throws {
        let file = try await home.files.file(at: source.path)
        if source.saysFolder, !file.isFolder {
            throw Complaint(.notAFolder, "“\(source.path)” on the server is a file.", status: .notThereOrInConflict)
        }
        if file.isFolder, version != nil {
            throw Complaint(
                .isAFolder, "“\(source.path)” on the server is a folder; only files have versions.", status: .wrongUsage
            )
        }
        // A folder gets a root of its own, which nothing of it leaves; a file's root is the folder it goes to.
        let target = try place(of: file, at: source.path)
        if file.isFolder {
            try await getFolder(file, source.path, target)
        } else {
            try await get(file, source.path, target.path, named: true)
        }
    }

    private func place(of file: File, at path: RemotePath) throws -> LocalTarget {
        let there = try LocalItem.at(arguments.target)
        let mustBeFolder = arguments.sources.count > 1 || arguments.target.hasSuffix("/")
        switch there {
        case .folder:
            // The root folder has no name: what is in it goes straight into the target.
            return path.isRoot
                ? LocalTarget(root: arguments.target)
                : try LocalTarget(root: arguments.target).appending(remoteName: file.name)
        case .nothing where mustBeFolder && !(file.isFolder && arguments.sources.count == 1):
            try LocalFolders.make(LocalTarget(root: arguments.target))
            return try LocalTarget(root: arguments.target).appending(remoteName: file.name)
        case .nothing:
            if !file.isFolder { try requireFolder(around: arguments.target) }
            return LocalTarget(root: arguments.target)
        case .file where !file.isFolder && !mustBeFolder: return LocalTarget(root: arguments.target)
        case .other where !file.isFolder && !mustBeFolder:
            throw Complaint(
                .exists, "“\(arguments.target)” on this machine already exists and is not a file.",
                remedy: "Choose another destination.", status: .notThereOrInConflict)
        case .file, .other:
            throw Complaint(
                .notAFolder, "“\(arguments.target)” on this machine is not a folder.", remedy: "Choose a folder.",
                status: .notThereOrInConflict)
        }
    }

    /// A transfer that can go nowhere is none.
    private func requireFolder(around target: String) throws {
        let folder = (PutPlanner.absolute(target) as NSString).deletingLastPathComponent
        guard try LocalItem.at(folder) != .folder else { return }
        throw ClientFailure(.destinationFolderMissing, "The folder “\(folder)” does not exist.")
    }

    // MARK: - Folders

    private func getFolder(_ folder: File, _ path: RemotePath, _ target: LocalTarget) async throws {
        await session.log.beginFolder()
        var waiting = [(folder, path, target)]
        while let (folder, path, target) = waiting.popLast() {
            try Task.checkCancellation()
            try LocalFolders.make(target)
            for try await page in home.files.list(folder.id) {
                for child in page { try await visit(child, in: path, target, &waiting) }
            }
        }
    }

    private func visit(
        _ child: File, in path: RemotePath, _ target: LocalTarget, _ waiting: inout [(File, RemotePath, LocalTarget)]
    ) async throws {
        do {
            let local = try target.appending(remoteName: child.name)
            let childPath = try path.appending(child.name)
            if child.isFolder {
                waiting.append((child, childPath, local))
            } else {
                try await get(child, childPath, local.path, named: false)
            }
        } catch {
            guard let complaint = Complaint(describing: error), complaint.status != .interrupted else { throw error }
            try await session.log.tell(
                TransferDocument(
                    event: .leftOut, direction: .download, local: target.path, path: path.text + "/" + child.name,
                    fileId: child.id),
                line: nil, complaint: complaint)
        }
    }

    // MARK: - Files

    /// Where a file goes, and whether what stands there may go.
    private struct Destination {
        var path: String
        /// What appears there meanwhile is a person's, and nobody has said that it may go.
        var replacing = false
        /// What stood there when that was decided.
        var replaces: SourcePin?
    }

    private func get(_ file: File, _ path: RemotePath, _ local: String, named: Bool) async throws {
        let revision = try await revision(of: file, at: path)
        guard let destination = try await destination(of: file, revision, path, local, named: named) else { return }
        if revision == nil, comesFromHere(file) {
            try await home.replica.copyContent(
                of: file, at: home.heldContent(of: file), to: PutPlanner.absolute(destination.path),
                replacing: destination.replacing)
            return try await session.log.tell(
                TransferDocument(
                    event: .done, direction: .download, local: destination.path, path: path.text, size: file.size,
                    sha256: file.checksum),
                line: named ? "\(path) → \(destination.path)  \(ByteText.text(file.size))" : nil)
        }
        var order = Self.order(for: file, revision, destination)
        // What is kept here need not be fetched again, once it is right.
        order.basis =
            if let revision {
                try home.replica.heldPath(ofRevision: revision.revisionId)
            } else {
                try await home.replica.wholeCopy(of: file, checking: held)?.path
            }
        try await session.queue.add(
            TransferJob(
                order: .download(order), label: path.text, local: destination.path, path: path.text,
                size: revision?.size ?? file.size, isNamed: named))
    }

    private static func order(
        for file: File, _ revision: FileRevision?, _ destination: Destination
    ) -> DownloadOrder {
        let place = PutPlanner.absolute(destination.path)
        var order = DownloadOrder(file, destination: place, replacing: destination.replacing)
        if let revision {
            order = DownloadOrder(
                fileId: file.id, revisionId: revision.revisionId, name: file.name, destination: place,
                size: revision.size, replacing: destination.replacing)
        }
        order.replaces = destination.replaces
        return order
    }

    /// - Returns: nil where there is nothing to fetch; that is told already.
    private func destination(
        of file: File, _ revision: FileRevision?, _ path: RemotePath, _ local: String, named: Bool
    ) async throws -> Destination? {
        let stands = try pin(local)
        switch try LocalItem.at(local) {
        case .nothing: return Destination(path: local)
        case .folder:
            throw Complaint(
                .isAFolder, "“\(local)” on this machine is a folder, and “\(path)” is a file.",
                remedy: "Move it away, or download into another folder.", status: .notThereOrInConflict)
        case .other:
            throw Complaint(
                .exists, "“\(local)” on this machine is a device, a socket or a pipe.",
                remedy: "Choose another place, or “-” for standard output.", status: .notThereOrInConflict)
        case .file(let size, let modifiedAt):
            // A person who names a file means what is in it, perhaps because it is damaged.
            let isHere = LocalContent.matches(
                local, size: size, modifiedAt: modifiedAt, Self.compared(file, revision),
                trustingTime: !named && local != arguments.target)
            if isHere {
                // Put in its place by a command that ended before it could say so.
                if !comesFromHere(file),
                    let order = begun.order(goingOnWith: Self.order(for: file, revision, Destination(path: local)))
                {
                    return Destination(path: local, replacing: order.replacing, replaces: stands)
                }
                try await unchanged(file, path, local, named)
                return nil
            }
            let subject = "“\(local)” already exists (\(ByteText.text(size)), \(MomentText.text(modifiedAt)))."
            let decision = try await decider.decide(subject, several: !named || arguments.sources.count > 1) {
                // A person who names the very file means it, as with cp.
                if local == arguments.target { return true }
                return try await isVersion(local, size: size, modifiedAt: modifiedAt, of: file)
            }
            switch decision {
            case .replace:
                // What is called damaged may be an edit, and what is here all that is left of it.
                try await FolderBindings(home: home).keepCopy(ofFileAt: PutPlanner.absolute(local))
                return Destination(path: local, replacing: true, replaces: stands)
            case .keepBoth: return Destination(path: try Self.free(local))
            case .skip:
                try await session.log.tell(
                    TransferDocument(
                        event: .skipped, direction: .download, local: local, path: path.text, fileId: file.id),
                    line: named ? "\(path) was skipped" : nil)
                return nil
            }
        }
    }

    /// What stands somewhere, to be known again. Of what was saved a moment ago a look tells nothing later: its content does.
    private func pin(_ local: String) throws -> SourcePin? {
        guard let facts = try Home.environment.disk.facts(of: PutPlanner.absolute(local)) else { return nil }
        var pin = SourcePin(facts)
        let stamp = LocalStamp(modifiedAt: facts.modifiedAt, changedAt: facts.modifiedAt)
        if facts.kind == .file, DiskClock.coarsest(at: Home.environment.clock.now()).isRecent(stamp) {
            pin.content = LocalContent.hash(of: local)
        }
        return pin
    }

    private func comesFromHere(_ file: File) -> Bool { home.files.isOffline || file.isOnlyHere }

    private func revision(of file: File, at path: RemotePath) async throws -> FileRevision? {
        guard let version else { return nil }
        return try await home.version(version, of: file, at: path)
    }

    /// Whether the server's history has what lies here under the file's name.
    private func isVersion(_ local: String, size: Int64, modifiedAt: Timestamp, of file: File) async throws -> Bool {
        if comesFromHere(file) { return false }
        for try await page in home.revisions.list(file.id) {
            for revision in page {
                let version = Self.compared(file, revision)
                if LocalContent.matches(local, size: size, modifiedAt: modifiedAt, version) { return true }
            }
        }
        return false
    }

    /// The file as it was in that version, as far as its content goes.
    private static func compared(_ file: File, _ revision: FileRevision?) -> File {
        guard let revision else { return file }
        var old = file
        old.size = revision.size
        old.checksum = revision.checksum
        old.modifiedAt = revision.modifiedAt
        return old
    }

    private func unchanged(_ file: File, _ path: RemotePath, _ local: String, _ named: Bool) async throws {
        try await session.log.tell(
            TransferDocument(
                event: .unchanged, direction: .download, local: local, path: path.text, fileId: file.id,
                revisionId: file.headRevisionId, size: file.size, sha256: file.checksum),
            line: named ? "\(local) already has the content of \(path)" : nil)
    }

    /// Counters that are tried; more copies of one name than that are a mistake.
    private static let mostCounters = 10_000

    /// «report (1).pdf», or the first counter that is free.
    private static func free(_ local: String) throws -> String {
        let folder = LocalName.folder(of: local)
        let name = LocalName.of(local) ?? local
        for counter in 1...mostCounters {
            let path = LocalTarget.joined(folder, FileName.numbered(name, counter))
            if try LocalItem.at(path) == .nothing { return path }
        }
        throw Complaint(
            .exists, "“\(local)” exists more than \(mostCounters) times.", remedy: "Choose another folder.",
            status: .notThereOrInConflict)
    }
}
