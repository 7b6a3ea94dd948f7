import BothyContent
import BothyContract

/// Content that becomes a file, and revisions.
extension ServerModel {
    mutating func upload(
        _ request: UploadRequest, _ content: [UInt8], _ requestId: String?, _ device: String?
    ) throws(Problem) -> ServerAnswer {
        let checksum = SHA256Hasher.hash(content)
        if let declared = request.fileHashSha256, declared != checksum {
            throw Problem(.hashMismatch, "The content does not match its hash.").with { $0.computedSha256 = checksum }
        }
        if let declared = request.size, declared != Int64(content.count) {
            throw Problem(.sizeMismatch, "The content is not as long as said.")
        }
        if let earlier = created(by: requestId) { return answer(earlier.id, head) }
        if let quotaLimit, contents[checksum] == nil, usedBytes + Int64(content.count) > quotaLimit {
            throw Problem(.quotaExceeded, "The quota is used up.").with { $0.free = max(0, quotaLimit - usedBytes) }
        }
        let target = try target(of: request)
        contents[checksum] = content
        switch target {
        case .newFile(let name, let parentId):
            return newFile(name, parentId, request, checksum, requestId, device)
        case .newRevision(var node):
            bringBack(&node, device)
            node.mimeType = request.mimeType ?? node.mimeType
            node.executable = request.executable ?? node.executable
            let cursor = write(node, device)
            addRevision(checksum, request.modifiedAt ?? now, to: node.id, device)
            return withRevision(answer(node.id, cursor))
        }
    }

    private enum Target {
        case newFile(name: String, parentId: String)
        /// A file in the trash comes back: an edit wins over a deletion.
        case newRevision(of: ServerNode)
    }

    private func target(of request: UploadRequest) throws(Problem) -> Target {
        let name = try checked(request.name)
        let conflict = request.conflict ?? .fail
        if let fileId = request.fileId { return try revisionTarget(of: fileId, name, conflict, request) }
        let parentId = request.parentId ?? File.rootId
        try requireParent(parentId)
        guard let other = holder(of: name, in: parentId) else { return .newFile(name: name, parentId: parentId) }
        switch conflict {
        case .overwrite where !other.isFolder:
            return .newRevision(of: other)
        case .fork:
            return .newFile(name: freeName(like: name, in: parentId), parentId: parentId)
        case .fail, .overwrite:
            throw Problem(.nameConflict, "There is something called “\(name)” in this folder already.").with {
                $0.conflictingFileId = other.id
            }
        }
    }

    private func revisionTarget(
        of fileId: String, _ name: String, _ conflict: ConflictPolicy, _ request: UploadRequest
    ) throws(Problem) -> Target {
        let node = try require(fileId)
        guard !node.isFolder else { throw Problem(.notAFile, "This is a folder, which has no content.") }
        guard let base = request.baseRevisionId, base != node.head?.id else { return .newRevision(of: node) }
        switch conflict {
        case .overwrite:
            return .newRevision(of: node)
        case .fork:
            let own = isTrashed(fileId) ? File.rootId : node.parentId ?? File.rootId
            let parentId = request.parentId ?? own
            try requireParent(parentId)
            return .newFile(name: freeName(like: name, in: parentId), parentId: parentId)
        case .fail:
            let detail = "“\(node.name)” was changed elsewhere meanwhile."
            throw Problem(.revisionConflict, detail).with { $0.currentRevisionId = node.head?.id }
        }
    }

    private mutating func newFile(
        _ name: String, _ parentId: String, _ request: UploadRequest, _ checksum: ContentHash, _ requestId: String?,
        _ device: String?
    ) -> ServerAnswer {
        let id = newId("f")
        let cursor = append(id)
        nodes[id] = ServerNode(
            id: id, serial: cursor.sequence, parentId: parentId, name: name,
            mimeType: request.mimeType ?? File.defaultMimeType, createdAt: now, modifiedAt: now, updatedAt: now,
            executable: request.executable ?? false, requestId: requestId, deviceId: device)
        addRevision(checksum, request.modifiedAt ?? now, to: id, device)
        return withRevision(answer(id, cursor))
    }

    mutating func addRevision(_ checksum: ContentHash, _ modifiedAt: Timestamp, to id: String, _ device: String?) {
        let revision = ServerRevision(
            id: newId("r"), checksum: checksum, size: Int64(contents[checksum]?.count ?? 0), modifiedAt: modifiedAt,
            createdAt: now, deviceId: device)
        nodes[id]?.revisions.append(revision)
        nodes[id]?.modifiedAt = modifiedAt
    }

    /// A new head with the content of an old revision; nothing is rewritten.
    mutating func restore(_ id: String, _ revisionId: String, _ device: String?) throws(Problem) -> ServerAnswer {
        var node = try require(id)
        guard !node.isFolder else { throw Problem(.notAFile, "This is a folder, which has no revisions.") }
        guard let old = node.revisions.first(where: { $0.id == revisionId }) else {
            throw Problem(.notFound, "The file has no such revision.")
        }
        bringBack(&node, device)
        let cursor = write(node, device)
        addRevision(old.checksum, old.modifiedAt, to: id, device)
        return withRevision(answer(id, cursor))
    }

    private func withRevision(_ answer: ServerAnswer) -> ServerAnswer {
        var answer = answer
        if let id = answer.file?.id, let node = nodes[id] { answer.revision = node.head?.revision(of: node) }
        return answer
    }

    // MARK: Reading

    /// Newest first.
    package func revisions(of id: String) throws(Problem) -> [FileRevision] {
        let node = try require(id)
        guard !node.isFolder else { throw Problem(.notAFile, "This is a folder, which has no revisions.") }
        return node.revisions.reversed().map { $0.revision(of: node) }
    }

    /// The bytes of a revision of anything that is not purged.
    package func content(ofRevision id: String) throws(Problem) -> [UInt8] {
        for node in nodes.values {
            if let revision = node.revisions.first(where: { $0.id == id }), let bytes = contents[revision.checksum] {
                return bytes
            }
        }
        throw Problem(.notFound, "There is no such content.")
    }

    /// Every content that the drive still gives back: heads, older revisions, and what lies in the trash.
    package var reachableContent: Set<ContentHash> {
        Set(nodes.values.flatMap { $0.revisions.map(\.checksum) })
    }

    package var usedBytes: Int64 {
        reachableContent.reduce(0) { $0 + Int64(contents[$1]?.count ?? 0) }
    }
}
