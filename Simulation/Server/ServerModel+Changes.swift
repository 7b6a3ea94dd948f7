import BothyContract

/// The change log, the first link, and what is read of files.
extension ServerModel {
    package func file(_ id: String) throws(Problem) -> File { try require(id).file(trashed: isTrashed(id)) }

    /// What is in a folder: folders first, then by name. In a folder that lies in the trash, what lies in it.
    package func files(in parentId: String) throws(Problem) -> [File] {
        let parent = try require(parentId)
        guard parent.isFolder else { throw Problem(.notAFolder, "This is a file, which has nothing in it.") }
        return children(of: parentId).filter { $0.trashedAt == nil }
            .sorted { ($0.isFolder ? 0 : 1, $0.name, $0.id) < ($1.isFolder ? 0 : 1, $1.name, $1.id) }
            .map { $0.file(trashed: isTrashed($0.id)) }
    }

    /// What was put into the trash itself, the last first.
    package var trash: [File] {
        nodes.values.filter { $0.trashedAt != nil && isThere($0.id) }
            .sorted { ($1.trashedLived, $1.updatedAt, $1.id) < ($0.trashedLived, $0.updatedAt, $0.id) }
            .map { $0.file(trashed: true) }
    }

    /// The path of everything live, folders with a slash at their end, with its content.
    package var livePaths: [String: ContentHash?] {
        var paths = [String: ContentHash?]()
        for node in nodes.values where node.id != File.rootId && isThere(node.id) && !isTrashed(node.id) {
            paths[writtenPath(node.id) + (node.isFolder ? "/" : "")] = .some(node.head?.checksum)
        }
        return paths
    }

    // MARK: Cursors

    package var cursor: String { head.text }

    /// - Throws: `cursor_expired` for what is too old, of another epoch, of another past, or made up.
    func validate(_ text: String) throws(Problem) -> ChangeCursor {
        let expired = Problem(.cursorExpired, "This cursor is not of this log, or too old.")
        guard let cursor = ChangeCursor(text: text), cursor.epoch == epoch, cursor.sequence <= Int64(log.count),
            cursor.sequence >= oldestSequence
        else { throw expired }
        let tag = cursor.sequence == 0 ? 0 : log[Int(cursor.sequence) - 1].tag
        guard cursor.tag == tag else { throw expired }
        return cursor
    }

    /// What came after a cursor, in commit order, each entity once in a page, at its newest state; without a cursor
    /// everything there is, parents first.
    package func changes(after cursor: String?, limit: Int) throws(Problem) -> GetChangesResponse {
        guard let cursor else { return link(start: head, after: -1, limit: limit) }
        if let (start, serial) = Self.linkPlace(cursor) {
            _ = try validate(start.text)
            return link(start: start, after: serial, limit: limit)
        }
        let place = try validate(cursor)
        let entries = log[Int(place.sequence)...].prefix(limit)
        var newest = [String: Int]()
        for index in entries.indices { newest[entries[index].entityId] = index }
        let changes = entries.indices.filter { newest[entries[$0].entityId] == $0 }.map { change(log[$0].entityId) }
        let end = ChangeCursor(epoch: epoch, sequence: Int64(entries.endIndex), tag: entries.last?.tag ?? place.tag)
        return GetChangesResponse(changes: changes, cursor: end.text, hasMore: entries.endIndex < log.count)
    }

    private func change(_ id: String) -> Change {
        guard isThere(id), let node = nodes[id] else { return Change(kind: .file, id: id, removed: true) }
        return Change(kind: .file, id: id, removed: false, file: node.file(trashed: isTrashed(id)))
    }

    /// A page of the first link, in the order of serials, a younger folder before what was moved into it.
    private func link(start: ChangeCursor, after serial: Int64, limit: Int) -> GetChangesResponse {
        let rows = nodes.values.filter { $0.serial > serial && $0.serial <= start.sequence && isThere($0.id) }
            .sorted { ($0.serial, $0.id) < ($1.serial, $1.id) }
        let page = rows.prefix(limit)
        var done = Set<String>()
        var changes = [Change]()
        for row in page {
            for node in path(row.id).reversed() where node.serial > serial || node.id == row.id {
                if done.insert(node.id).inserted { changes.append(change(node.id)) }
            }
        }
        guard page.count < rows.count, let last = page.last else {
            return GetChangesResponse(changes: changes, cursor: start.text, hasMore: head != start)
        }
        let next = "l1.\(start.text.dropFirst(3)).\(String(last.serial + 1, radix: 36))"
        return GetChangesResponse(changes: changes, cursor: next, hasMore: true)
    }

    private static func linkPlace(_ text: String) -> (start: ChangeCursor, serial: Int64)? {
        guard text.hasPrefix("l1."), let dot = text.lastIndex(of: "."),
            let start = ChangeCursor(text: "c1." + text[..<dot].dropFirst(3)),
            let next = Int64(text[text.index(after: dot)...], radix: 36), next >= 0
        else { return nil }
        return (start, next - 1)
    }

    /// What was deleted for good since then, oldest first.
    package func deletions(since: Timestamp?, page: String?, limit: Int) throws(Problem) -> GetDeletionsResponse {
        let start = page.map { Int($0) ?? -1 } ?? 0
        guard start >= 0 else {
            throw Problem(.pageInvalid, "This page is none of this list.")
        }
        let all = deletions.filter { $0.deletedAt >= since ?? Timestamp(seconds: Timestamp.firstSecond) }
        let end = min(all.count, start + limit)
        return GetDeletionsResponse(
            deletions: Array(all[min(start, end)..<end]),
            pagination: PaginationMetadata(next: end < all.count ? String(end) : nil, limit: limit))
    }
}
