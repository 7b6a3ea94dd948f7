import BothyContract

/// Where things lie, and what is refused because of it.
extension ServerModel {
    /// The node and the folders above it, up to the root; it ends early where something above is gone.
    func path(_ id: String) -> [ServerNode] {
        var path = [ServerNode]()
        var next: String? = id
        while let current = next, let node = nodes[current] {
            path.append(node)
            next = node.parentId
        }
        return path
    }

    func isThere(_ id: String) -> Bool { path(id).last?.id == File.rootId }
    func isTrashed(_ id: String) -> Bool { path(id).contains { $0.trashedAt != nil } }

    /// From the root: `/docs/report.pdf`.
    func writtenPath(_ id: String) -> String {
        "/" + path(id).dropLast().reversed().map(\.name).joined(separator: "/")
    }

    /// Of any standing, in the order of their making.
    func children(of id: String) -> [ServerNode] {
        nodes.values.filter { $0.parentId == id }.sorted { ($0.serial, $0.id) < ($1.serial, $1.id) }
    }

    func holder(of name: String, in parentId: String) -> ServerNode? {
        nodes.values.first { $0.parentId == parentId && $0.name == name && $0.trashedAt == nil }
    }

    /// The name, with a counter where it is taken; counters are tried as the server tries them.
    func freeName(like name: String, in parentId: String) -> String {
        func isFree(_ counter: Int) -> Bool { holder(of: FileName.numbered(name, counter), in: parentId) == nil }
        if holder(of: name, in: parentId) == nil { return name }
        var taken = 0
        var free = 1
        while !isFree(free) { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isFree(middle) { free = middle } else { taken = middle }
        }
        return FileName.numbered(name, free)
    }

    // MARK: Refusals

    func require(_ id: String) throws(Problem) -> ServerNode {
        guard isThere(id), let node = nodes[id] else {
            throw Problem(.notFound, "There is no such file or folder.")
        }
        return node
    }

    func requireParent(_ id: String) throws(Problem) {
        guard isThere(id), !isTrashed(id), let parent = nodes[id] else {
            throw Problem(.parentGone, "The folder that this goes into is not there, or is in the trash.")
        }
        guard parent.isFolder else { throw Problem(.notAFolder, "What this goes into is a file, not a folder.") }
        guard path(id).count <= FileLimits.maximumDepth else {
            throw Problem(.invalidParameter, "Folders lie at most \(FileLimits.maximumDepth) deep.")
        }
    }

    func requireFree(_ name: String, in parentId: String, for id: String? = nil) throws(Problem) {
        guard let other = holder(of: name, in: parentId), other.id != id else { return }
        throw Problem(.nameConflict, "There is something called “\(name)” in this folder already.").with {
            $0.conflictingFileId = other.id
        }
    }

    func requireMatch(_ node: ServerNode, _ ifMatch: EntityTag?) throws(Problem) {
        guard let ifMatch, ifMatch != EntityTag(epoch: epoch, version: node.version) else { return }
        throw Problem(.versionMismatch, "“\(node.name)” has changed.").with { $0.currentVersion = node.version }
    }

    func checked(_ name: String) throws(Problem) -> String {
        do {
            return try FileName.normalized(name)
        } catch {
            throw Problem(.invalidName, "This name \(error.reason).")
        }
    }
}
