import BothyContract

/// A drive as a dictionary: slow, small, and plainly right.
struct DriveModel: Sendable {
    enum Operation: Sendable {
        case create(name: String, parentId: String, isFolder: Bool)
        case update(String, UpdateFileRequest)
        case delete(String, permanent: Bool)
        case copy(String, name: String, parentId: String)
        case write(String, content: String)
    }

    struct Node: Sendable {
        var parentId: String?
        var name: String
        var isFolder: Bool
        var version: Int64 = 1
        var trashed = false
        var starred = false
        var content = ""
    }

    var nodes = [File.rootId: Node(parentId: nil, name: "", isFolder: true)]
    /// Ids in the order of their making, so that a seed replays; what was removed stays, to be asked for again.
    var ids = [File.rootId]

    // MARK: What is asked

    func anyOperation(_ random: inout SeededRandom) -> Operation {
        let names = ["a", "b", "c", "d.txt", "e.txt"]
        func id() -> String { ids[Int.random(in: 0..<ids.count, using: &random)] }
        func name() -> String { names[Int.random(in: 0..<names.count, using: &random)] }
        switch Int.random(in: 0..<23, using: &random) {
        case 0..<8: return .create(name: name(), parentId: id(), isFolder: Bool.random(using: &random))
        case 8..<10: return .update(id(), UpdateFileRequest(name: name()))
        case 10..<13: return .update(id(), UpdateFileRequest(parentId: id()))
        case 13: return .update(id(), UpdateFileRequest(starred: Bool.random(using: &random)))
        case 14..<16: return .update(id(), UpdateFileRequest(trashed: false))
        case 16: return .update(id(), UpdateFileRequest(parentId: id(), trashed: false))
        case 18..<21: return .write(id(), content: ["one", "two", "three"].randomElement(using: &random) ?? "")
        case 17:
            let source = id()
            // What the copy of a folder makes below it has ids that the model cannot know: see FolderCopyingTests.
            if nodes[source]?.isFolder == true { return .create(name: name(), parentId: id(), isFolder: true) }
            return .copy(source, name: name(), parentId: id())
        default: return .delete(id(), permanent: Int.random(in: 0..<4, using: &random) == 0)
        }
    }

    // MARK: What comes of it

    /// - Returns: the refusal; nil when it was done.
    mutating func perform(_ operation: Operation, created: String?) -> ProblemCode? {
        switch operation {
        case .create(let name, let parentId, let isFolder):
            return create(name, parentId, isFolder, created)
        case .copy(let id, let name, let parentId):
            guard isThere(id) else { return .notFound }
            return create(name, parentId, false, created, content: nodes[id]?.content ?? "")
        case .write(let id, let content):
            guard isThere(id) else { return .notFound }
            if nodes[id]?.isFolder == true { return .notAFile }
            for node in path(id).reversed() where nodes[node]?.trashed == true && node != id { bringBack(node) }
            if nodes[id]?.trashed == true { bringBack(id) } else { nodes[id]?.version += 1 }
            nodes[id]?.content = content
            return nil
        case .update(let id, let request):
            return update(id, request)
        case .delete(let id, let permanent):
            guard isThere(id) else { return .notFound }
            if id == File.rootId { return .rootImmutable }
            if permanent {
                nodes[id] = nil
                return nil
            }
            return update(id, UpdateFileRequest(trashed: true))
        }
    }

    private mutating func create(
        _ name: String, _ parentId: String, _ isFolder: Bool, _ id: String?, content: String = ""
    ) -> ProblemCode? {
        if let refusal = refusalOfParent(parentId) { return refusal }
        if holder(of: name, in: parentId) != nil { return .nameConflict }
        guard let id else { return nil }
        nodes[id] = Node(parentId: parentId, name: name, isFolder: isFolder, content: content)
        ids.append(id)
        return nil
    }

    private mutating func update(_ id: String, _ request: UpdateFileRequest) -> ProblemCode? {
        guard isThere(id), var node = nodes[id] else { return .notFound }
        if id == File.rootId { return .rootImmutable }
        let old = node
        let wasTrashed = isTrashed(id)
        if let name = request.name { node.name = name }
        if let starred = request.starred { node.starred = starred }
        if let parentId = request.parentId, parentId != node.parentId {
            if let refusal = refusalOfParent(parentId) { return refusal }
            if path(parentId).contains(id) { return .cycle }
            node.parentId = parentId
        }
        if request.trashed == true { node.trashed = true }
        if request.trashed == false, wasTrashed {
            for folder in path(node.parentId ?? "").reversed() where nodes[folder]?.trashed == true {
                bringBack(folder)
            }
            if node.trashed {
                node.trashed = false
                node.name = freeName(node.name, in: node.parentId ?? "")
            }
        }
        let moved = node.name != old.name || node.parentId != old.parentId || old.trashed
        if moved, !node.trashed, let other = holder(of: node.name, in: node.parentId ?? ""), other != id {
            return .nameConflict
        }
        if node.name != old.name || node.parentId != old.parentId || node.trashed != old.trashed
            || node.starred != old.starred
        {
            node.version += 1
        }
        nodes[id] = node
        return nil
    }

    private mutating func bringBack(_ id: String) {
        guard var node = nodes[id] else { return }
        node.trashed = false
        node.name = freeName(node.name, in: node.parentId ?? "")
        node.version += 1
        nodes[id] = node
    }

    // MARK: What there is

    var listing: [String: Replica.Entry] {
        var entries = [String: Replica.Entry]()
        for (id, node) in nodes where id != File.rootId && isThere(id) {
            let names = path(id).dropLast().reversed().compactMap { nodes[$0]?.name }
            entries[id] = Replica.Entry(
                path: "/" + names.joined(separator: "/"), version: node.version, trashed: isTrashed(id))
        }
        return entries
    }

    /// From the id up to the root, as far as there is something.
    func path(_ id: String) -> [String] {
        var path = [String]()
        var next: String? = id
        while let current = next, let node = nodes[current] {
            path.append(current)
            next = node.parentId
        }
        return path
    }

    func isThere(_ id: String) -> Bool { path(id).last == File.rootId }
    func isTrashed(_ id: String) -> Bool { path(id).contains { nodes[$0]?.trashed == true } }

    private func refusalOfParent(_ id: String) -> ProblemCode? {
        if !isThere(id) || isTrashed(id) { return .parentGone }
        return nodes[id]?.isFolder == true ? nil : .notAFolder
    }

    private func holder(of name: String, in parentId: String) -> String? {
        nodes.first { $0.value.parentId == parentId && $0.value.name == name && !$0.value.trashed }?.key
    }

    private func freeName(_ name: String, in parentId: String) -> String {
        if holder(of: name, in: parentId) == nil { return name }
        var free = 1
        var taken = 0
        while holder(of: FileName.numbered(name, free), in: parentId) != nil {
            taken = free
            free *= 2
        }
        for counter in taken + 1..<free where holder(of: FileName.numbered(name, counter), in: parentId) == nil {
            return FileName.numbered(name, counter)
        }
        return FileName.numbered(name, free)
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a seed replays.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
