import BothyContract

/// Copying a file, or a folder with all below it, by reference: the copies' first revisions have the contents of the
/// sources' heads, and no byte moves.
package struct FileCopying: Sendable {
    package var sourceId: String
    /// The source's name where nil.
    package var name: String?
    /// The source's folder where nil.
    package var parentId: String?
    package var requestId: String?

    package init(sourceId: String, name: String?, parentId: String?, requestId: String?) {
        self.sourceId = sourceId
        self.name = name
        self.parentId = parentId
        self.requestId = requestId
    }

    /// - Throws: `not_found`, `cycle` for a folder into itself, `too_many_items`, `invalid_name`, `parent_gone`, `not_a_folder`,
    ///   `name_conflict`, `invalid_parameter` for what would lie too deep.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let files = FileTable(db, drive: stamp.driveId)
        // What it was copied from may be gone for good by now.
        let asked = try files.find(sourceId)?.isFolder
        if let made = try files.made(by: requestId, isFolder: asked) { return made }
        let source = try files.require(sourceId).row
        let parentId = parentId ?? source.parentId ?? File.rootId
        let name = try FileName.checked(name ?? source.name)
        let below = source.isFolder ? try FolderContents(source, in: db, drive: stamp.driveId, copiedTo: parentId) : nil
        try files.requireParent(parentId)
        try files.requireFree(name, in: parentId)
        let writing = CopyWriting(db: db, stamp: stamp)
        let (row, first) = try writing.copy(source, into: parentId, as: name, requestId: requestId)
        var cursor = first
        var copies = [source.id: row.id]
        for child in below?.rows ?? [] {
            guard let folder = child.parentId.flatMap({ copies[$0] }) else {
                preconditionFailure("a folder comes before what lies in it")
            }
            let copy = try writing.copy(child, into: folder, as: child.name, requestId: nil)
            cursor = copy.cursor
            if child.isFolder { copies[child.id] = copy.row.id }
        }
        return FileChange(row: row, cursor: cursor)
    }
}

/// Everything live below a folder, folders before what lies in them.
private struct FolderContents {
    private(set) var rows = [FileRow]()

    /// Rows read at once.
    private static let page = 1000

    /// - Parameter parentId: the folder that the copy goes into.
    /// - Throws: `cycle`, `too_many_items`, `invalid_parameter`; nothing was written then.
    init(_ folder: FileRow, in db: any SQLConnection, drive: Int64, copiedTo parentId: String) throws {
        var ancestry = Ancestry(db, drive: drive)
        let target = try ancestry.path(from: parentId)
        guard !target.contains(folder.id) else { throw Problem(.cycle, "A folder cannot be copied into itself.") }
        // Level by level: the copy's own content lies one below it.
        var level = [folder.id]
        var depth = target.count + 1
        while !level.isEmpty {
            let first = rows.count
            for id in level { try add(contentsOf: id, in: db, drive: drive) }
            guard rows.count == first || depth <= FileLimits.maximumDepth else {
                throw Problem(
                    .invalidParameter,
                    "Folders can be at most \(FileLimits.maximumDepth) levels deep, and the copy would be deeper.")
            }
            level = rows[first...].filter(\.isFolder).map(\.id)
            depth += 1
        }
    }

    private mutating func add(contentsOf folder: String, in db: any SQLConnection, drive: Int64) throws {
        var listing = FolderListing(parentId: folder, order: .name, limit: Self.page)
        repeat {
            let page = try listing.page(in: db, drive: drive)
            rows += page.rows
            guard rows.count < FileLimits.maximumCopiedItems else {
                throw Problem(
                    .tooManyItems,
                    "One request copies at most \(FileLimits.maximumCopiedItems) files and folders, and this folder has more. "
                        + "Copy its content folder by folder."
                ).with { $0.limit = Int64(FileLimits.maximumCopiedItems) }
            }
            listing.after = page.next
        } while listing.after != nil
    }
}

/// Writes copies, each a change of its own.
private struct CopyWriting {
    let db: any SQLConnection
    let stamp: ChangeStamp

    func copy(
        _ source: FileRow, into parentId: String, as name: String, requestId: String?
    ) throws -> (row: FileRow, cursor: ChangeCursor) {
        let id = stamp.newId()
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, id, stamp: stamp)
        var row = FileRow(
            id: id, serial: cursor.sequence, parentId: parentId, name: name, isFolder: source.isFolder,
            mimeType: source.mimeType, now: stamp.now)
        row.modifiedAt = source.modifiedAt
        row.executable = source.executable
        row.requestId = requestId
        row.deviceId = stamp.deviceId
        try copyHead(of: source, to: &row)
        try FileTable(db, drive: stamp.driveId).insert(row)
        return (row, cursor)
    }

    private func copyHead(of source: FileRow, to row: inout FileRow) throws {
        let revisions = RevisionTable(db, drive: stamp.driveId)
        guard let headId = source.headRevisionId, let head = try revisions.find(headId) else { return }
        let copy = head.copied(id: stamp.newId(), fileId: row.id, version: row.version, stamp: stamp)
        try revisions.insert(copy, by: row.serial)
        row.headRevisionId = copy.id
        row.size = copy.size
        row.checksum = copy.checksum
    }
}

extension RevisionRow {
    /// A new revision with this one's content.
    func copied(id: String, fileId: String, version: Int64, stamp: ChangeStamp) -> RevisionRow {
        var copy = self
        copy.id = id
        copy.fileId = fileId
        copy.version = version
        copy.createdAt = stamp.now
        copy.deviceId = stamp.deviceId
        return copy
    }
}
