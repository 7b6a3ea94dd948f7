import BothyClient
import BothyContract
import Foundation

/// Finds out what `put` has to send and where, and hands it to the queue.
struct PutPlanner: Sendable {
    let session: TransferSession
    let decider: ExistsDecider
    let target: RemoteArgument
    let several: Bool
    private let places = PutPlaces()

    init(session: TransferSession, decider: ExistsDecider, target: RemoteArgument, several: Bool) {
        self.session = session
        self.decider = decider
        self.target = target
        self.several = several
    }

    private var home: DeviceHome { session.home }

    /// Where one source goes.
    private struct Place {
        var folder: File
        var folderPath: RemotePath
        var name: String
    }

    /// Each source that cannot be put is told of; the others go on.
    func plan(_ sources: [String]) async throws {
        for source in sources {
            try Task.checkCancellation()
            do {
                try await plan(source)
            } catch {
                guard sources.count > 1, let complaint = Complaint(describing: error), complaint.status != .interrupted,
                    complaint.status != .signInNeeded
                else { throw error }
                try await session.log.tell(
                    TransferDocument(event: .failed, direction: .upload, local: source, path: target.path.text),
                    line: nil, complaint: complaint)
            }
        }
    }

    private func plan(_ source: String) async throws {
        switch try LocalItem.at(source) {
        case .nothing where source.contains("\u{FFFD}"):
            // Bytes that are no UTF-8 were read with replacement characters.
            throw Complaint(
                .localUnreadable, "The name “\(source)” is not UTF-8, so it cannot be uploaded.",
                remedy: "Rename the file first.", status: .notThereOrInConflict)
        case .nothing:
            throw Complaint(
                .notThere, "“\(source)” does not exist.", remedy: "Check the name; paths on the server go last.",
                status: .notThereOrInConflict)
        case .other:
            throw Complaint(
                .localUnreadable, "“\(source)” is neither a file nor a folder.",
                remedy: "The output of a pipe or device can be uploaded with “-”.", status: .notThereOrInConflict)
        case .file(size: 0, _) where LocalItem.hasMoreThanItsSize(source):
            throw Complaint(
                .localUnreadable, "“\(source)” has more content than its size says, as system files do.",
                remedy: "Upload its output: “bothy put - /NAME < \(source.asTyped)”.", status: .notThereOrInConflict)
        case .file(let size, let modifiedAt):
            let place = try await place(of: source, isFolder: false)
            let path = try place.folderPath.appending(place.name)
            let there = try await home.files.fileIfPresent(at: path)
            try await put(
                source, size, modifiedAt, named: true, name: place.name, parent: place.folder, path: path, over: there)
        case .folder:
            let place = try await place(of: source, isFolder: true)
            try await putFolder(source, place)
        }
    }

    // MARK: - Where it goes

    private func place(of source: String, isFolder: Bool) async throws -> Place {
        let there = try await home.files.fileIfPresent(at: target.path)
        if let there, there.isFolder {
            return Place(folder: there, folderPath: target.path, name: try Self.name(of: source))
        }
        if several || (target.saysFolder && !isFolder) {
            guard there == nil else { throw Self.inTheWay(target.path) }
            let folder = try await home.files.makeFolders(at: target.path)
            return Place(folder: folder, folderPath: target.path, name: try Self.name(of: source))
        }
        if isFolder, there != nil { throw Self.inTheWay(target.path) }
        let parentPath = target.path.parent
        let parent = try await home.folder(
            at: parentPath,
            remedy:
                "Create it with “bothy mkdir -p \(parentPath.text.asTyped)”; local files go first, the server's path last."
        )
        return Place(folder: parent, folderPath: parentPath, name: target.path.name ?? "")
    }

    private static func inTheWay(_ path: RemotePath) -> Complaint {
        Complaint(
            .notAFolder, "“\(path)” on the server is a file, but a folder is needed there.",
            remedy: "Choose another place.", status: .notThereOrInConflict)
    }

    /// The name that a source gets on the server.
    private static func name(of source: String) throws(Complaint) -> String {
        let name = LocalName.of(source) ?? LocalName.of(URL(filePath: source).standardizedFileURL.path)
        guard let name else {
            throw .usage(
                "“\(source)” has no name of its own.",
                remedy: "Give the name on the server: “bothy put \(source.asTyped) /name”.")
        }
        return name
    }

    // MARK: - Folders

    private func putFolder(_ source: String, _ place: Place) async throws {
        await session.log.beginFolder()
        let rootPath = try place.folderPath.appending(place.name)
        var folders = PutFolders(home: home)
        var tree = try LocalTree(source)
        let top = try await folders.enter(place.name, in: place.folder, at: place.folderPath, depth: 0)
        guard top.isFolder else { throw Self.inTheWay(rootPath) }
        while let entry = tree.next() {
            try Task.checkCancellation()
            let local = LocalTarget.joined(source, entry.names.joined(separator: "/"))
            let path = (rootPath.isRoot ? "" : rootPath.text) + "/" + entry.names.joined(separator: "/")
            if case .leftOut(let why) = entry.kind {
                try await leaveOut(local, path, why)
            } else {
                try await put(entry, local, below: rootPath, &folders, in: tree)
            }
        }
    }

    private func put(
        _ entry: LocalTree.Entry, _ local: String, below root: RemotePath, _ folders: inout PutFolders,
        in tree: LocalTree
    ) async throws {
        let parentPath = try entry.names.dropLast().reduce(root) { try $0.appending($1) }
        guard let name = entry.names.last, let parent = folders.folder(at: entry.names.count) else { return }
        switch entry.kind {
        case .folder:
            await folders.makeAhead(tree.nextFolders(from: entry), depth: entry.names.count)
            let made = try await folders.enter(name, in: parent, at: parentPath, depth: entry.names.count)
            guard made.isFolder else { throw Self.inTheWay(try parentPath.appending(name)) }
        case .file(let size, let modifiedAt, _):
            let path = try parentPath.appending(name)
            let there = try await folders.child(path.name ?? name, depth: entry.names.count)
            do {
                try await put(
                    local, size, modifiedAt, named: false, name: path.name ?? name, parent: parent, path: path,
                    over: there)
            } catch let complaint as Complaint where complaint.status == .notThereOrInConflict {
                try await session.log.tell(
                    TransferDocument(event: .failed, direction: .upload, local: local, path: path.text), line: nil,
                    complaint: complaint)
            }
        case .leftOut: break
        }
    }

    private func leaveOut(_ local: String, _ path: String, _ why: String) async throws {
        let complaint = Complaint(.localUnreadable, "“\(local)” \(why), so it was left out.", status: .failed)
        try await session.log.tell(
            TransferDocument(event: .leftOut, direction: .upload, local: local, path: path, reason: why), line: nil,
            complaint: complaint)
    }

    // MARK: - Files

    private func put(
        _ local: String, _ size: Int64, _ modifiedAt: Timestamp, named: Bool, name: String, parent: File,
        path: RemotePath, over there: File?
    ) async throws {
        var conflict = await decider.policyForFreeName
        guard conflict == .fork || places.give(path) else {
            return try await leaveOut(local, path, isTwin: !named && !several)
        }
        if let there {
            guard !there.isFolder else {
                throw Complaint(
                    .isAFolder, "“\(path)” on the server is a folder, and “\(local)” is a file.",
                    remedy: "Give it another name.", status: .notThereOrInConflict)
            }
            // A person who names a file means what is in it: two that were written in one tick of the clock have one time.
            if LocalContent.matches(local, size: size, modifiedAt: modifiedAt, there, trustingTime: !named) {
                return try await unchanged(local, path, there, named)
            }
            let subject =
                "“\(path)” already exists (\(ByteText.text(there.size)), \(MomentText.text(there.modifiedAt)))."
            switch try await decider.decide(subject, several: several || !named) {
            case .replace: conflict = .overwrite
            case .keepBoth: conflict = .fork
            case .skip:
                return try await session.log.tell(
                    TransferDocument(
                        event: .skipped, direction: .upload, local: local, path: path.text, fileId: there.id),
                    line: named ? "\(local) was skipped" : nil)
            }
        }
        let replaced = conflict == .overwrite ? there?.id : nil
        var order = UploadOrder(
            localPath: Self.absolute(local), name: name, parentId: parent.id, fileId: replaced, conflict: conflict)
        let later = LaterPuts.Put(
            source: ReplicaEngine.LaterPut(
                localPath: Self.absolute(local), name: name, parentId: parent.id, fileId: replaced),
            local: local, path: path, size: size, isNamed: named, isAlone: named && !several)
        if parent.isOnlyHere || there?.isOnlyHere == true { return try await session.later.add(later) }
        if home.files.isOffline, try await !goesOn(order) {
            // Written down as well, it would come a second time.
            try await home.transfers.giveUpBegun(order)
            return try await session.later.add(later)
        }
        if home.files.isOffline, !session.waits, try await home.transfers.handOn(order) {
            home.files.reach.handOn()
            let line = "\(local) → \(path)  will be resumed; keep the file where it is until then"
            return try await session.log.tell(
                TransferDocument(
                    event: .paused, direction: .upload, local: local, path: path.text, size: size,
                    reason: LaterPuts.reason), line: named ? line : nil)
        }
        if let refusal = try await RoomCheck(home: home).refusal(of: order, size: size) {
            let complaint = Complaint(refusal, about: local)
            guard !later.isAlone else { throw complaint }
            return try await session.log.tell(
                TransferDocument(event: .failed, direction: .upload, local: local, path: path.text, size: size),
                line: nil, complaint: complaint)
        }
        order.ancestor = replaced == nil ? nil : there?.headRevisionId
        try await session.queue.add(
            TransferJob(
                order: .upload(order), label: local, local: local, path: path.text, size: size,
                pathIsOpen: conflict == .fork, isNamed: named))
    }

    /// Whether it was begun before, and somebody continues it once there is a connection.
    private func goesOn(_ order: UploadOrder) async throws -> Bool {
        guard try await home.transfers.hasBegun(order) else { return false }
        if session.waits { return true }
        // Without an agent nobody continues it.
        return (try? await HomeAgent.goOn()) ?? false
    }

    /// Another file goes there: the later one would make an older version of it, which nobody would look for there.
    ///
    /// - Parameter isTwin: the other lies beside it: its name has the same letters, written in other bytes.
    private func leaveOut(_ local: String, _ path: RemotePath, isTwin: Bool) async throws {
        let why =
            isTwin
            ? "another file's name differs only in its bytes, and both would be “\(path)” on the server"
            : "another file in this command is uploaded to “\(path)”"
        let remedy = isTwin ? "Rename one of them and upload it again" : "Upload it separately under another name"
        let complaint = Complaint(
            .exists, "“\(local)” was left out: \(why).", remedy: "\(remedy), or use --keep-both.",
            status: .notThereOrInConflict)
        try await session.log.tell(
            TransferDocument(event: .leftOut, direction: .upload, local: local, path: path.text, reason: why),
            line: nil, complaint: complaint)
    }

    private func unchanged(_ local: String, _ path: RemotePath, _ there: File, _ named: Bool) async throws {
        try await session.log.tell(
            TransferDocument(
                event: .unchanged, direction: .upload, local: local, path: path.text, fileId: there.id,
                revisionId: there.headRevisionId, size: there.size, sha256: there.checksum),
            line: named ? "\(path) already has the content of \(local)" : nil)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : LocalTarget.joined(FileManager.default.currentDirectoryPath, path)
    }
}
