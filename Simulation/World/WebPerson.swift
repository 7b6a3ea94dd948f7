import BothyContent
import BothyContract

/// A person at the server's own pages: whatever they do is done at once, to what the server has now.
struct WebPerson {
    let server: SimulatedServer
    private static let device = "browser"

    /// - Returns: what was done, in words; nil when there was nothing to do it to, or the server said no.
    func does(_ deed: WebDeed, _ ledger: inout Ledger) -> String? {
        do {
            return try act(deed, &ledger)
        } catch {
            return nil
        }
    }

    private var live: [File] {
        let model = server.model
        return model.nodes.values.filter { $0.id != File.rootId && model.isThere($0.id) && !model.isTrashed($0.id) }
            .sorted { ($0.serial, $0.id) < ($1.serial, $1.id) }.map { $0.file(trashed: false) }
    }

    private var folders: [String] { [File.rootId] + live.filter(\.isFolder).map(\.id) }
    private var files: [File] { live.filter { !$0.isFolder } }

    private func act(_ deed: WebDeed, _ ledger: inout Ledger) throws -> String? {
        switch deed {
        case .makeFolder(let parent, let name):
            let request = CreateFileRequest(
                requestId: nil, name: Names.name(name), mimeType: File.folderMimeType,
                parentId: Names.pick(parent, of: folders))
            return "makes the folder \(try path(perform(.create(request))))"
        case .upload(let folder, let name, let content):
            let request = UploadRequest(
                requestId: nil, name: Names.name(name), parentId: Names.pick(folder, of: folders))
            let answer = try perform(.upload(request, content: content.bytes))
            ledger.wrote(content, by: .browser)
            return "uploads \(path(answer)) \(content.words)"
        case .edit(let file, let content):
            guard let file = Names.pick(file, of: files) else { return nil }
            let old = try file.headRevisionId.map(server.model.content)
            guard old != content.bytes else { return nil }
            let answer = try perform(
                .upload(UploadRequest(requestId: nil, name: file.name, fileId: file.id), content: content.bytes))
            let before = old.map { SHA256Hasher.hash($0) }
            if let before { ledger.removed(before, at: server.model.writtenPath(file.id), by: .browser) }
            ledger.wrote(content, over: before, by: .browser)
            return "saves \(path(answer)) \(content.words)"
        case .rename(let thing, let name):
            return try update(Names.pick(thing, of: live), UpdateFileRequest(name: Names.name(name)), &ledger)
        case .move(let thing, let folder):
            let request = UpdateFileRequest(parentId: Names.pick(folder, of: folders))
            return try update(Names.pick(thing, of: live), request, &ledger)
        case .trash(let thing):
            return try delete(Names.pick(thing, of: live), permanent: false, &ledger)
        case .untrash(let pick):
            return try update(Names.pick(pick, of: server.model.trash), UpdateFileRequest(trashed: false), &ledger)
        case .deletePermanently(let thing):
            return try delete(Names.pick(thing, of: live), permanent: true, &ledger)
        }
    }

    private func update(_ file: File?, _ request: UpdateFileRequest, _ ledger: inout Ledger) throws -> String? {
        guard let file else { return nil }
        let before = server.model.writtenPath(file.id)
        let answer = try perform(.update(file.id, request, ifMatch: nil))
        let isTakenBack = request.trashed == false
        eachContent(below: file.id) { hash, _ in
            isTakenBack ? ledger.tookBack(hash) : ledger.moved(hash, by: .browser)
        }
        if !isTakenBack, let hash = server.model.nodes[file.id]?.head?.checksum {
            ledger.relocated(hash, from: before, to: path(answer), by: .browser)
        }
        if file.isFolder, !isTakenBack { ledger.movedFolder(from: before, to: path(answer), by: .browser) }
        return "\(isTakenBack ? "takes back" : "moves") \(before) to \(path(answer))"
    }

    private func delete(_ file: File?, permanent: Bool, _ ledger: inout Ledger) throws -> String? {
        guard let file else { return nil }
        let before = server.model.writtenPath(file.id)
        eachContent(below: file.id) { ledger.removed($0, at: $1, by: .browser) }
        if permanent {
            for node in subtree(file.id) { node.revisions.forEach { ledger.purged($0.checksum) } }
        }
        _ = try perform(.delete(file.id, ServerDeletion(permanent: permanent)))
        return "\(permanent ? "deletes for good" : "trashes") \(before)"
    }

    private func subtree(_ id: String) -> [ServerNode] {
        (server.model.nodes[id].map { [$0] } ?? []) + server.model.descendants(of: id)
    }

    /// The heads of what is there: what a person sees.
    private func eachContent(below id: String, _ body: (_ hash: ContentHash, _ path: String) -> Void) {
        for node in subtree(id) {
            if let head = node.head { body(head.checksum, server.model.writtenPath(node.id)) }
        }
    }

    private func perform(_ call: ServerCall) throws(Problem) -> ServerAnswer {
        try server.perform(call, requestId: nil, by: Self.device)
    }

    private func path(_ answer: ServerAnswer) -> String { answer.file.map { server.model.writtenPath($0.id) } ?? "?" }
}
