import BothyContract

/// Creating, changing, trashing and deleting.
extension ServerModel {
    mutating func create(
        _ request: CreateFileRequest, _ requestId: String?, _ device: String?
    ) throws(Problem) -> ServerAnswer {
        let mimeType = request.mimeType ?? File.defaultMimeType
        if let earlier = created(by: requestId) {
            guard earlier.isFolder == (mimeType == File.folderMimeType) else { throw Self.mismatch }
            return answer(earlier.id, head)
        }
        let name = try checked(request.name)
        let parentId = request.parentId ?? File.rootId
        try requireParent(parentId)
        try requireFree(name, in: parentId)
        return insert(name, in: parentId, mimeType: mimeType, requestId, device)
    }

    /// Files, not folders: by reference, with a history of its own.
    mutating func copy(
        _ id: String, _ request: CopyFileRequest, _ requestId: String?, _ device: String?
    ) throws(Problem) -> ServerAnswer {
        let source = try require(id)
        guard !source.isFolder, let own = source.parentId else {
            throw Problem(.notAFile, "Folders are not copied by one request.")
        }
        let name = try checked(request.name ?? source.name)
        let parentId = request.parentId ?? own
        try requireParent(parentId)
        try requireFree(name, in: parentId)
        let copy = insert(name, in: parentId, mimeType: source.mimeType, requestId, device)
        guard let copyId = copy.file?.id else { return copy }
        nodes[copyId]?.modifiedAt = source.modifiedAt
        nodes[copyId]?.executable = source.executable
        if let head = source.head { addRevision(head.checksum, head.modifiedAt, to: copyId, device) }
        return answer(copyId, self.head)
    }

    private mutating func insert(
        _ name: String, in parentId: String, mimeType: String, _ requestId: String?, _ device: String?
    ) -> ServerAnswer {
        let id = newId("f")
        let cursor = append(id)
        nodes[id] = ServerNode(
            id: id, serial: cursor.sequence, parentId: parentId, name: name, mimeType: mimeType, createdAt: now,
            modifiedAt: now, updatedAt: now, requestId: requestId, deviceId: device)
        return answer(id, cursor)
    }

    /// What the same request made, when its outcome is forgotten: it is known for as long as that lives.
    func created(by requestId: String?) -> ServerNode? {
        guard let requestId else { return nil }
        return nodes.values.first { $0.requestId == requestId && isThere($0.id) }
    }

    // MARK: Changing

    mutating func update(
        _ id: String, _ request: UpdateFileRequest, ifMatch: EntityTag?, _ device: String?
    ) throws(Problem) -> ServerAnswer {
        let old = try require(id)
        try requireMatch(old, ifMatch)
        guard old.parentId != nil else { throw Problem(.rootImmutable, "The root folder stays as it is.") }
        let wasTrashed = isTrashed(id)
        var node = old
        node.starred = request.starred ?? node.starred
        node.hidden = request.hidden ?? node.hidden
        node.executable = request.executable ?? node.executable
        node.modifiedAt = request.modifiedAt ?? node.modifiedAt
        try move(&node, request)
        let restored = try changeTrash(&node, request, wasTrashed: wasTrashed, device)
        if node.trashedAt == nil, let parentId = node.parentId,
            node.name != old.name || node.parentId != old.parentId || old.trashedAt != nil
        {
            try requireFree(node.name, in: parentId, for: id)
        }
        guard !node.isSame(as: old) else { return answer(id, restored ?? head) }
        let cursor = write(node, device)
        return answer(id, cursor)
    }

    private mutating func move(_ node: inout ServerNode, _ request: UpdateFileRequest) throws(Problem) {
        if let name = request.name { node.name = try checked(name) }
        guard let parentId = request.parentId, parentId != node.parentId else { return }
        try requireParent(parentId)
        let id = node.id
        guard !path(parentId).contains(where: { $0.id == id }) else {
            throw Problem(.cycle, "“\(node.name)” cannot go into itself, or into a folder that lies in it.")
        }
        node.parentId = parentId
    }

    private mutating func changeTrash(
        _ node: inout ServerNode, _ request: UpdateFileRequest, wasTrashed: Bool, _ device: String?
    ) throws(Problem) -> ChangeCursor? {
        switch request.trashed {
        case true where node.trashedAt == nil:
            node.trashedAt = now
            node.trashedLived = lived
            return nil
        case false where wasTrashed:
            if request.name != nil, let parentId = node.parentId {
                try requireFree(node.name, in: parentId, for: node.id)
            }
            return bringBack(&node, device)
        default:
            return nil
        }
    }

    /// The folders it lies in come back with it, each a change of its own, the uppermost first.
    @discardableResult
    mutating func bringBack(_ node: inout ServerNode, _ device: String?) -> ChangeCursor? {
        guard let parentId = node.parentId else { return nil }
        var cursor: ChangeCursor?
        for var folder in path(parentId).reversed() where folder.trashedAt != nil {
            untrash(&folder)
            cursor = write(folder, device)
        }
        if node.trashedAt != nil { untrash(&node) }
        return cursor
    }

    private func untrash(_ node: inout ServerNode) {
        node.trashedAt = nil
        if let parentId = node.parentId { node.name = freeName(like: node.name, in: parentId) }
    }

    /// One more version.
    mutating func write(_ node: ServerNode, _ device: String?) -> ChangeCursor {
        var node = node
        node.version += 1
        node.updatedAt = now
        node.deviceId = device
        nodes[node.id] = node
        return append(node.id)
    }

    // MARK: Deleting

    mutating func delete(
        _ id: String, _ deletion: ServerDeletion, _ device: String?
    ) throws(Problem) -> ServerAnswer {
        let node = try require(id)
        try requireMatch(node, deletion.ifMatch)
        guard node.parentId != nil else { throw Problem(.rootImmutable, "The root folder stays.") }
        if let base = deletion.baseRevisionId, base != node.head?.id {
            throw Problem(.revisionConflict, "“\(node.name)” has a newer revision than the one you have seen.").with {
                $0.currentRevisionId = node.head?.id
            }
        }
        if let asOf = deletion.asOf { try requireUnchanged(node, since: asOf) }
        if deletion.permanent { return ServerAnswer(cursor: purge(node, device).text) }
        return try update(id, UpdateFileRequest(trashed: true), ifMatch: nil, device)
    }

    private func requireUnchanged(_ node: ServerNode, since asOf: String) throws(Problem) {
        let place = try validate(asOf)
        let changed = Problem(
            .subtreeChanged, "Something in “\(node.name)” changed since you looked: nothing was deleted.")
        for entity in Set(log[Int(place.sequence)...].map(\.entityId)) {
            if entity == node.id {
                if node.isFolder { continue }
                throw changed
            }
            if path(entity).contains(where: { $0.id == node.id }) { throw changed }
        }
    }

    /// Takes it away for good with all that lies below, in one change, and remembers each.
    mutating func purge(_ node: ServerNode, _ device: String?) -> ChangeCursor {
        for below in [node] + descendants(of: node.id) {
            deletions.append(
                Deletion(
                    fileId: below.id, path: writtenPath(below.id), checksum: below.head?.checksum,
                    isFolder: below.isFolder, deletedAt: now, deviceId: device))
            deletionLived.append(lived)
        }
        for below in descendants(of: node.id) { nodes[below.id] = nil }
        nodes[node.id] = nil
        return append(node.id)
    }

    package func descendants(of id: String) -> [ServerNode] {
        children(of: id).flatMap { [$0] + descendants(of: $0.id) }
    }

    func answer(_ id: String, _ cursor: ChangeCursor) -> ServerAnswer {
        ServerAnswer(
            file: nodes[id]?.file(trashed: isTrashed(id)), revision: nil, cursor: cursor.text)
    }
}

extension ServerNode {
    /// Whether a change of metadata made nothing different.
    fileprivate func isSame(as other: ServerNode) -> Bool {
        name == other.name && parentId == other.parentId && trashedAt == other.trashedAt && starred == other.starred
            && hidden == other.hidden && executable == other.executable && modifiedAt == other.modifiedAt
    }
}
