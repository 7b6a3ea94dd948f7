import BothyClient
import BothyContract

/// Takes single steps of taking back: looks once more, and acts.
struct Reversing: Sendable {
    let performer: ActionPerformer
    let cache: any RemoteCache
    /// What the server had when this undoing began, with what it has done there itself since.
    private(set) var remote: RemoteTree
    /// As of when the server is known; it grows with what this undoing itself does there.
    var cursor: String
    let lived: Int64
    /// What the server answered to earlier steps.
    private(set) var answers: [String: File] = [:]

    init(performer: ActionPerformer, cache: any RemoteCache, remote: RemoteTree, cursor: String, lived: Int64) {
        self.performer = performer
        self.cache = cache
        self.remote = remote
        self.cursor = cursor
        self.lived = lived
    }

    /// What a step came to.
    struct Done: Sendable {
        /// What the server has now; nil where it holds nothing of it, or was not asked.
        var facts: RemoteFacts?
        /// Of a folder that came back on the server, the files and folders that came with it, itself included.
        var there: Set<String> = []
    }

    /// - Parameter trace: takes up what was done, and what is needed to reverse this step in its turn.
    /// - Returns: nil where there was nothing to do.
    /// - Throws: `changedMeanwhile` for what others have changed.
    mutating func reverse(_ reversal: Reversal, noting trace: inout Decision.Trace) async throws -> Done? {
        var (tried, attempt) = (reversal, 0)
        while true {
            do {
                let done = try await take(tried, noting: &trace)
                trace.reversal = tried
                return done
            } catch let failure as ClientFailure
                where failure.code == .nameConflict || failure.code == .destinationExists
            {
                guard attempt < Reversal.mostNumbers, let next = reversal.numbered(attempt) else { throw failure }
                (tried, attempt) = (next, attempt + 1)
            }
        }
    }

    private mutating func take(_ reversal: Reversal, noting trace: inout Decision.Trace) async throws -> Done? {
        trace.remoteId = reversal.remoteId
        switch reversal {
        case .trashThere(let id, let at, let content, let count, _):
            trace.was = try await trash(id, at, content, count)
            return Done()
        case .untrashThere(let id, let at): return try await untrash(id, at, noting: &trace)
        case .rejoinThere(let id, _, let content, let spot): return try await rejoin(id, content, spot)
        case .setContentThere(let id, let at, let now, let old, _):
            let file = try await current(id)
            guard (file.checksum ?? .ofNothing) == now else { throw SubtreeCheck.changed(at) }
            trace.replaced = RemoteFingerprint(RemoteFacts(file))
            return Done(facts: RemoteFacts(try await send(old, over: file)))
        case .moveThere(let id, let at, let from, let to):
            let file = try await current(id)
            guard file.name == from.name.text else { throw SubtreeCheck.changed(at) }
            trace.was = RemoteSpot(folderId: file.parentId ?? File.rootId, name: NodeName(file.name))
            let change = UpdateFileRequest(name: to.name.text, parentId: to.folderId)
            return Done(facts: RemoteFacts(try await update(file, change)))
        case .touchThere(let id, _, _, let to):
            let change = UpdateFileRequest(executable: to.executable, modifiedAt: to.modifiedAt)
            return Done(facts: RemoteFacts(try await update(try await current(id), change)))
        case .removeFolderHere, .makeFolderHere, .exchangeHere, .moveHere, .touchHere:
            try await reverseHere(reversal, noting: &trace)
            return Done()
        }
    }

    // MARK: - On the server

    func current(_ id: String) async throws -> File {
        if let file = answers[id] { return file }
        guard let file = try await cache.file(id) else {
            throw ClientFailure(.notFound, "The server has deleted it for good.")
        }
        return file
    }

    mutating func update(_ file: File, _ change: UpdateFileRequest) async throws -> File {
        let seen = SeenVersion(version: file.version, cursor: cursor)
        let answer = try await performer.drive.update(
            file.id, change, seen: seen, requestId: performer.environment.newId())
        note(answer)
        return answer
    }

    private mutating func note(_ answer: File) {
        answers[answer.id] = answer
        let folder = answer.parentId ?? File.rootId
        if !remote.put(RemoteFacts(answer), named: NodeName(answer.name), under: folder) { remote.remove(answer.id) }
    }

    /// - Returns: nil where it cannot be: then it is sent anew.
    private mutating func rejoin(
        _ id: String, _ content: ContentHash?, _ spot: RemoteSpot?
    ) async throws -> Done? {
        guard var back = try await cache.file(id), back.isFolder || (back.checksum ?? .ofNothing) == content,
            let spot, spot == RemoteSpot(folderId: back.parentId ?? File.rootId, name: NodeName(back.name))
        else { return nil }
        let file = back
        if file.trashedAt != nil {
            // Beside what stands in its place by now it would be a double.
            guard try await home(of: file) ?? spot.folderId == spot.folderId,
                remote.child(spot.name, of: spot.folderId) == nil
            else { return nil }
            do {
                back = try await update(file, UpdateFileRequest(trashed: false))
            } catch let failure as ClientFailure where failure.asksForAnotherLook || failure.code == .refused {
                // The server will not have it back as it was. Without a connection nobody knows that, and nothing is sent anew.
                return nil
            }
        }
        guard file.isFolder else { return Done(facts: RemoteFacts(back)) }
        cursor = try await cache.pull().cursor
        let below = try await cache.files(below: id) ?? []
        return Done(facts: RemoteFacts(back), there: Set(below.map(\.id)).union([id]))
    }

    /// - Returns: where it was.
    private mutating func trash(
        _ id: String, _ at: Place, _ content: ContentHash?, _ count: Int
    ) async throws -> RemoteSpot {
        let state = try await cache.pull()
        cursor = state.cursor
        let file = try await current(id)
        let below = file.isFolder ? try await cache.files(below: id) ?? [] : []
        let holdsOthers = below.count { $0.id != id } >= count
        let isChanged = content != nil && (file.checksum ?? .ofNothing) != content
        if holdsOthers || isChanged { throw SubtreeCheck.changed(at) }
        let seen: SeenContent =
            file.isFolder ? .subtree(cursor: cursor) : file.headRevisionId.map(SeenContent.head) ?? .anything
        let version = SeenVersion(version: file.version, cursor: cursor)
        _ = try await performer.drive.trash(
            id, seen: seen, version: version, requestId: performer.environment.newId())
        answers[id] = nil
        remote.remove(id)
        return RemoteSpot(folderId: file.parentId ?? File.rootId, name: NodeName(file.name))
    }

    /// The content from before, as a new revision: nothing is rewritten.
    private mutating func send(_ old: RemoteFingerprint, over file: File) async throws -> File {
        let name = try await performer.stage(ActionPerformer.Wish(theirs: old, name: file.name))
        let upload = DriveUpload(
            requestId: performer.environment.newId(), localPath: performer.disk.staging(name), name: file.name,
            parentId: file.parentId ?? File.rootId, fileId: file.id, baseRevisionId: file.headRevisionId)
        let answer = try await performer.drive.upload(upload)
        try await performer.onDisk { try $0.unstage(name) }
        note(answer)
        return answer
    }

    // MARK: - On the disk

    private func reverseHere(_ reversal: Reversal, noting trace: inout Decision.Trace) async throws {
        switch reversal {
        case .removeFolderHere(let at): try await performer.onDisk { try $0.removeFolder(at) }
        case .makeFolderHere(let at): _ = try await performer.onDisk { try $0.makeFolder(at) }
        case .exchangeHere(let at, let taking, let keep):
            if taking != .nothing { trace.keep = try await takeAway(taking, at) }
            if let keep { trace.content = try await bringBack(keep, to: at, noting: &trace) }
        case .moveHere(let from, let to, _):
            try await performer.onDisk { disk in
                guard let there = try disk.facts(from) else { throw SubtreeCheck.changed(from) }
                _ = try disk.move(from, to: to, expecting: there)
            }
        case .touchHere(let at, _, let to):
            try await performer.onDisk { disk in
                guard let there = try disk.facts(at) else { throw SubtreeCheck.changed(at) }
                _ = try disk.touch(at, modifiedAt: to.modifiedAt, executable: to.executable, expecting: there)
            }
        case .trashThere, .untrashThere, .rejoinThere, .setContentThere, .moveThere, .touchThere: break
        }
    }

    /// Edits made since are nobody's to take back.
    ///
    /// - Returns: where in the local trash it is.
    private func takeAway(_ taking: TakenHere, _ place: Place) async throws -> String {
        let there = try await performer.onDisk { disk in
            guard var there = try disk.facts(place) else { throw SubtreeCheck.changed(place) }
            switch (taking, there.kind) {
            case (.file(let content), .file):
                guard try disk.hash(place, expecting: there) == content else { throw SubtreeCheck.changed(place) }
                // An edit right after that may have left the same stamp.
                there.content = content
            case (.folder, .folder): break
            default: throw SubtreeCheck.changed(place)
            }
            return there
        }
        let keep = performer.environment.newId()
        let facts = LocalFingerprint(LocalFacts(there, hash: nil))
        try await performer.noteInTrash(keep, place, facts, .takenBack, lived)
        try await performer.onDisk(takingAwayAs: keep) { disk in
            let isFolder = there.kind == .folder
            if isFolder, let used = try SubtreeCheck.fileInUse(below: place, on: disk) {
                throw ClientFailure.inUse(used)
            }
            try disk.discard(place, expecting: there, keep: keep)
            guard isFolder else { return }
            try SubtreeCheck.takingBack(keep, to: place, on: disk) { () throws(ClientFailure) in
                try SubtreeCheck.fileInUse(below: disk.trashed(keep), on: disk).map { _ in place }
            }
        }
        return keep
    }
}
