import BothyContract

/// What a device makes of the changes it pulls: the law is that it then shows what the server lists.
struct Replica: Sendable {
    private var files: [String: File] = [:]

    /// What is removed is that id alone: what lay below it is not reached from the root any more, until its own entry comes.
    mutating func apply(_ changes: [Change]) {
        for change in changes {
            files[change.id] = change.file
        }
    }

    /// All that it keeps, reached from the root or not.
    var ids: Set<String> { Set(files.keys) }

    /// Every file that can be reached from the root, by its path; whether it is in the trash goes down from its folder.
    var listing: [String: Entry] {
        var entries = [String: Entry]()
        let children = Dictionary(grouping: files.values, by: { $0.parentId ?? "" })
        func visit(_ id: String, _ path: String, _ trashed: Bool) {
            for child in children[id] ?? [] {
                let isTrashed = trashed || child.trashedAt != nil
                entries[child.id] = Entry(path: "\(path)/\(child.name)", version: child.version, trashed: isTrashed)
                visit(child.id, "\(path)/\(child.name)", isTrashed)
            }
        }
        visit(File.rootId, "", false)
        return entries
    }

    struct Entry: Equatable, Sendable {
        var path: String
        var version: Int64
        var trashed: Bool
    }
}

extension TestServer {
    /// The same from the server's own lists: the folders from the root, the trash and what lies in it.
    func wholeListing(as caller: TestCaller = .kitchen) async throws -> [String: Replica.Entry] {
        var entries = [String: Replica.Entry]()
        var paths = [File.rootId: ""]
        var queue = [File.rootId]
        let trash = try await list("trashed=true", limit: 7, as: caller)
        while let folder = queue.popLast() {
            let live = try await list("parentId=\(folder)", limit: 5, as: caller)
            for file in live + trash.filter({ $0.parentId == folder }) {
                let path = "\(paths[folder] ?? "?")/\(file.name)"
                entries[file.id] = Replica.Entry(path: path, version: file.version, trashed: file.trashed)
                paths[file.id] = path
                if file.isFolder { queue.append(file.id) }
            }
        }
        return entries
    }
}
