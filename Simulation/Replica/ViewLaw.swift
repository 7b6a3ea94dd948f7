import BothyClient
import BothyContract

/// The law of the view: what is shown, pending operations over the cache, is what the server would show if they were done
/// there, on the server as the cache knows it.
struct ViewLaw {
    private let ground: ServerModel
    private var model: ServerModel
    /// What each local id is called on that server.
    private var ids: [LUID: String] = [.root: File.rootId]
    /// Files that have got new content from here.
    private var revised = Set<LUID>()
    private let store: ReplicaStore
    /// Where content lies that waits to be sent.
    private let files: any SimulatedFiles

    /// - Returns: what is shown otherwise, in words; nil where the law holds, or cannot be asked now.
    static func broken(by shown: ShownTree, on replica: SimulatedReplica) async throws -> String? {
        guard let ground = replica.ground else { return nil }
        var law = ViewLaw(ground: ground, store: replica.store, files: replica.device.disk)
        for operation in try await replica.store.operations() where operation.isShown {
            try await law.perform(operation)
        }
        return law.difference(from: shown.files)
    }

    /// An operation leaves the journal once the cache holds what it did, never before: or the view would flicker.
    static func leftEarly(on replica: SimulatedReplica) async throws -> String? {
        guard let ground = replica.ground else { return nil }
        for operation in replica.takeRetired() {
            guard let id = try await replica.store.serverId(of: operation.subject), let node = ground.nodes[id],
                node.version < operation.acknowledgedVersion ?? 0
            else { continue }
            return "\(operation.kind) \(operation.id) left the journal before what it did was known"
        }
        return nil
    }

    private init(ground: ServerModel, store: ReplicaStore, files: any SimulatedFiles) {
        self.ground = ground
        model = ground
        self.store = store
        self.files = files
    }

    private func difference(from shown: [String: ReplicaFile]) -> String? {
        let there = model.liveNodes
        for path in Set(shown.keys).union(there.keys).sorted() {
            switch (shown[path], there[path]) {
            case (let here?, let node?) where here.looksLike(node): continue
            case (_?, _?): return "\(path) is shown otherwise than the server would have it"
            case (_?, nil): return "\(path) is shown, and the server would not have it"
            default: return "\(path) is not shown, and the server would have it"
            }
        }
        return nil
    }

    private mutating func perform(_ operation: JournalOperation) async throws {
        // The server has it already, and knows the request again.
        if operation.creates, try await id(operation.subject) != nil { return }
        guard let call = try await call(for: operation) else { return }
        // What the server would refuse did not happen, and is not shown either.
        guard let file = try? model.perform(call).file else { return }
        ids[operation.subject] = file.id
        if operation.content != nil { revised.insert(operation.subject) }
    }

    /// What was made since means nothing on this server, where the same id may have gone to something else.
    private func id(_ luid: LUID) async throws -> String? {
        if let made = ids[luid] { return made }
        guard let id = try await store.serverId(of: luid), ground.isThere(id) else { return nil }
        return id
    }

    private mutating func call(for operation: JournalOperation) async throws -> ServerCall? {
        switch operation.action {
        case .createFolder(let parent, let name):
            return try await id(parent).map { parent in
                .create(
                    CreateFileRequest(requestId: nil, name: name, mimeType: File.folderMimeType, parentId: parent))
            }
        case .upload(let parent, let name, let content, let conflict):
            return try await id(parent).map { parent in
                .upload(
                    UploadRequest(requestId: nil, name: name, parentId: parent, conflict: conflict),
                    content: bytes(of: content))
            }
        default:
            guard let subject = try await id(operation.subject), let node = model.nodes[subject] else { return nil }
            return try await change(node, by: operation)
        }
    }

    private mutating func change(_ node: ServerNode, by operation: JournalOperation) async throws -> ServerCall? {
        // What the server has done it does not refuse again; and content from here is what comes next was made from.
        let isSeen = operation.state == .acknowledged || revised.contains(operation.subject)
        switch operation.action {
        case .newRevision(let content, let base):
            let request = UploadRequest(
                requestId: nil, name: node.name, fileId: node.id, baseRevisionId: isSeen ? nil : base,
                conflict: .fail)
            return .upload(request, content: bytes(of: content))
        case .rename(let name): return .update(node.id, UpdateFileRequest(name: name), ifMatch: nil)
        case .move(let parent, let name):
            guard let parent = try await id(parent) else { return nil }
            return .update(node.id, UpdateFileRequest(name: name, parentId: parent), ifMatch: nil)
        case .trash(.head(let revision)) where !isSeen && !node.isFolder:
            return .delete(node.id, ServerDeletion(.head(revisionId: revision), permanent: false))
        // What others did in a folder meanwhile is the server's to judge: until it has, the folder is shown as deleted.
        case .trash: return .delete(node.id, ServerDeletion(permanent: false))
        case .restore: return .update(node.id, UpdateFileRequest(trashed: false), ifMatch: nil)
        case .star(let starred): return .update(node.id, UpdateFileRequest(starred: starred), ifMatch: nil)
        case .hide(let hidden): return .update(node.id, UpdateFileRequest(hidden: hidden), ifMatch: nil)
        case .createFolder, .upload: return nil
        }
    }

    // Content that is gone is compared as none.
    private func bytes(of content: PendingContent) -> [UInt8] { (try? files.source(content.path).bytes) ?? [] }
}

extension ServerModel {
    /// Everything that is not in the trash, by path; folders have a slash at their end.
    fileprivate var liveNodes: [String: ServerNode] {
        var live = [String: ServerNode]()
        for node in nodes.values where node.id != File.rootId && isThere(node.id) && !isTrashed(node.id) {
            live[writtenPath(node.id) + (node.isFolder ? "/" : "")] = node
        }
        return live
    }
}

extension ReplicaFile {
    fileprivate func looksLike(_ node: ServerNode) -> Bool {
        checksum == node.head?.checksum && starred == node.starred && hidden == node.hidden
    }
}
