import BothyClient
import BothyContract
import Foundation
import Synchronization

/// A drive in memory, with the semantics of the server's contract and a network that can be taken away.
final class PaperDrive: Sendable {
    struct Node: Sendable {
        var file: File
        var content: [UInt8] = []
    }

    enum Outcome: Sendable {
        case file(File)
        case version(Int64)
        case withdrawn
    }

    struct State: Sendable {
        var nodes = [String: Node]()
        /// Entity ids, in the order of changes.
        var log = [String]()
        var outcomes = [String: Outcome]()
        var revisions = [String: [UInt8]]()
        var ids = 0
        var epoch: Int64 = 1
        var deletions = [Deletion]()
        var faults = Faults()
        /// What each device was told of its own changes.
        var own = [String: OwnChanges]()
        /// Requests that reached it, by kind and id.
        var requests = [String]()
        var now: Int64 = 1_700_000_000_000
    }

    struct Faults: Sendable {
        var offline = false
        /// So many mutations act, and their answers are lost.
        var lostAnswers = 0
        /// Thrown, once each, before anything is done.
        var refusals = [ClientFailure]()
        var pageLimit = 1000
        /// Thrown to whoever asks who is signed in.
        var signIn: ClientFailure?
    }

    let state: Mutex<State>

    init() {
        var state = State()
        state.nodes[File.rootId] = Node(
            file: File(
                id: File.rootId, name: "", mimeType: File.folderMimeType, size: 0, parentId: nil, version: 1,
                createdAt: Timestamp(seconds: 0), modifiedAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0)))
        state.log = [File.rootId]
        self.state = Mutex(state)
    }

    /// The drive as one device reaches it.
    func from(_ device: String) -> PaperDriveProvider { PaperDriveProvider(drive: self, device: device) }

    var faults: Faults {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    var requests: [String] { state.withLock { $0.requests } }

    /// As after a restore from a backup: every cursor is of another past.
    func beginEpoch() { state.withLock { $0.epoch += 1 } }

    var backup: State { state.withLock { $0 } }

    /// Becomes what it was: with a new epoch, and without what it has answered since.
    func putBack(to backup: State) {
        state.withLock { state in
            let (epoch, ids) = (state.epoch, state.ids)
            state = backup
            state.epoch = epoch + 1
            state.ids = ids
        }
    }

    /// What is gone without the log telling of it, as a restored backup lacks it.
    func lose(_ id: String) { state.withLock { $0.nodes[id] = nil } }

    /// Everything there is, each with `trashed` worked out.
    var files: [File] { state.withLock { state in state.nodes.keys.sorted().compactMap { state.told($0) } } }
}

extension PaperDrive.State {
    static func problem(_ code: ProblemCode) -> ClientFailure { ClientFailure(Problem(code, code.title)) }

    func path(of id: String) -> [PaperDrive.Node]? {
        var path = [PaperDrive.Node]()
        var next: String? = id
        while let id = next {
            guard let node = nodes[id] else { return nil }
            path.append(node)
            next = node.file.parentId
        }
        return path
    }

    /// The file as the wire tells it.
    func told(_ id: String) -> File? {
        guard let path = path(of: id) else { return nil }
        var file = path[0].file
        file.trashed = path.contains { $0.file.trashedAt != nil }
        return file
    }

    func require(_ id: String) throws -> PaperDrive.Node {
        guard let node = nodes[id], path(of: id) != nil else { throw Self.problem(.notFound) }
        return node
    }

    func check(_ seen: SeenVersion?, _ id: String) throws {
        guard let seen, try require(id).file.version != seen.version else { return }
        throw Self.problem(.versionMismatch)
    }

    func requireParent(_ id: String) throws {
        guard let file = told(id), !file.trashed else { throw Self.problem(.parentGone) }
        guard file.isFolder else { throw Self.problem(.notAFolder) }
    }

    func child(_ name: String, of parent: String) -> File? {
        nodes.values.first { $0.file.parentId == parent && $0.file.name == name && $0.file.trashedAt == nil }?.file
    }

    func freeName(like name: String, in parent: String) -> String {
        guard child(name, of: parent) != nil else { return name }
        var (taken, free) = (0, 1)
        while child(FileName.numbered(name, free), of: parent) != nil { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if child(FileName.numbered(name, middle), of: parent) != nil { taken = middle } else { free = middle }
        }
        return FileName.numbered(name, free)
    }

    func checked(_ name: String) throws -> String {
        do { return try FileName.normalized(name) } catch { throw Self.problem(.invalidName) }
    }

    mutating func newId() -> String {
        ids += 1
        return "n\(ids)"
    }

    /// Writes a change down: version, time, log.
    mutating func commit(_ node: PaperDrive.Node, device: String) -> File {
        var node = node
        now += 1
        node.file.updatedAt = Timestamp(milliseconds: now)
        node.file.deviceId = device
        nodes[node.file.id] = node
        log.append(node.file.id)
        return told(node.file.id) ?? node.file
    }

    mutating func create(_ name: String, _ mime: String, in parent: String, _ request: String, _ device: String) throws
        -> File
    {
        let name = try checked(name)
        try requireParent(parent)
        guard child(name, of: parent) == nil else { throw Self.problem(.nameConflict) }
        now += 1
        let time = Timestamp(milliseconds: now)
        let file = File(
            id: newId(), name: name, mimeType: mime, size: 0, parentId: parent, version: 1, createdAt: time,
            modifiedAt: time, updatedAt: time, requestId: request, deviceId: device)
        return commit(PaperDrive.Node(file: file), device: device)
    }

    mutating func update(_ id: String, _ change: UpdateFileRequest, _ device: String) throws -> File {
        let old = try require(id)
        guard old.file.parentId != nil else { throw Self.problem(.rootImmutable) }
        let wasTrashed = told(id)?.trashed == true
        var node = old
        node.file.starred = change.starred ?? node.file.starred
        node.file.hidden = change.hidden ?? node.file.hidden
        node.file.executable = change.executable ?? node.file.executable
        if let name = change.name { node.file.name = try checked(name) }
        if let parent = change.parentId, parent != node.file.parentId {
            try requireParent(parent)
            if path(of: parent)?.contains(where: { $0.file.id == id }) == true { throw Self.problem(.cycle) }
            node.file.parentId = parent
        }
        if change.trashed == true, node.file.trashedAt == nil { node.file.trashedAt = Timestamp(milliseconds: now) }
        if change.trashed == false, wasTrashed { bringBack(&node, device) }
        if node.file.trashedAt == nil, let parent = node.file.parentId,
            node.file.name != old.file.name || parent != old.file.parentId || old.file.trashedAt != nil,
            let other = child(node.file.name, of: parent), other.id != id
        {
            throw Self.problem(.nameConflict)
        }
        guard node.file != old.file else { return told(id) ?? node.file }
        node.file.version += 1
        return commit(node, device: device)
    }

    private mutating func bringBack(_ node: inout PaperDrive.Node, _ device: String) {
        guard let parent = node.file.parentId else { return }
        for var folder in (path(of: parent) ?? []).reversed() where folder.file.trashedAt != nil {
            folder.file.trashedAt = nil
            folder.file.name = freeName(like: folder.file.name, in: folder.file.parentId ?? File.rootId)
            folder.file.version += 1
            _ = commit(folder, device: device)
        }
        if node.file.trashedAt != nil {
            node.file.trashedAt = nil
            node.file.name = freeName(like: node.file.name, in: parent)
        }
    }

    func check(_ seen: SeenContent, _ id: String) throws {
        let node = try require(id)
        switch seen {
        case .anything: break
        case .head(let head):
            guard node.file.headRevisionId == head else { throw Self.problem(.revisionConflict) }
        case .subtree(let cursor):
            for changed in log[try place(cursor)...] where changed != id {
                if path(of: changed)?.contains(where: { $0.file.id == id }) == true {
                    throw Self.problem(.subtreeChanged)
                }
            }
        }
    }

    mutating func purge(_ id: String, device: String) throws {
        guard let path = path(of: id), path.count > 1 else { throw Self.problem(.notFound) }
        let text = "/" + path.dropLast().reversed().map(\.file.name).joined(separator: "/")
        deletions.append(
            Deletion(
                fileId: id, path: text, checksum: path[0].file.checksum, isFolder: path[0].file.isFolder,
                deletedAt: Timestamp(milliseconds: now), deviceId: device))
        nodes[id] = nil
        log.append(id)
    }

    // MARK: Cursors

    func cursor(_ place: Int) -> String { ChangeCursor(epoch: epoch, sequence: Int64(place), tag: 7).text }

    func place(_ cursor: String) throws -> Int {
        guard let cursor = ChangeCursor(text: cursor), cursor.epoch == epoch, cursor.sequence <= log.count,
            cursor.tag == 7
        else { throw Self.problem(.cursorExpired) }
        return Int(cursor.sequence)
    }

    func page(after cursor: String?) throws -> GetChangesResponse {
        // The first link is the log from its beginning, without what is gone: what was moved below a younger folder
        // comes before that, and is held until it arrives.
        let isLink = cursor == nil
        let start = try cursor.map { try place($0) } ?? 0
        let end = min(log.count, start + faults.pageLimit)
        var newest = [String: Int]()
        for index in start..<end { newest[log[index]] = index }
        let changes = (start..<end).filter { newest[log[$0]] == $0 }.compactMap { index -> Change? in
            guard let file = told(log[index]) else {
                return isLink ? nil : Change(kind: .file, id: log[index], removed: true)
            }
            return Change(kind: .file, id: file.id, removed: false, file: file)
        }
        return GetChangesResponse(changes: changes, cursor: self.cursor(end), hasMore: end < log.count)
    }
}

extension PaperDrive {
    /// Files with long names in a folder, all at once.
    func fill(_ folder: String, count: Int) {
        state.withLock { state in
            for number in 0..<count {
                let id = state.newId()
                let time = Timestamp(milliseconds: state.now)
                let file = File(
                    id: id, name: "file-\(number)", mimeType: File.defaultMimeType, size: 1, parentId: folder,
                    headRevisionId: "r\(id)", version: 1, createdAt: time, modifiedAt: time, updatedAt: time)
                _ = state.commit(Node(file: file), device: "writer")
            }
        }
    }
}
