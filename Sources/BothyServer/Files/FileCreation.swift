import BothyContract

/// Creating a folder or an empty file.
package struct FileCreation: Sendable {
    package var name: String
    package var mimeType: String?
    /// The root where nil.
    package var parentId: String?
    package var requestId: String?

    package init(name: String, mimeType: String?, parentId: String?, requestId: String?) {
        self.name = name
        self.mimeType = mimeType
        self.parentId = parentId
        self.requestId = requestId
    }

    /// - Throws: `invalid_name`, `invalid_parameter`, `parent_gone`, `not_a_folder`, `name_conflict`.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let files = FileTable(db, drive: stamp.driveId)
        let mimeType = try MimeType.checked(mimeType)
        if let made = try files.made(by: requestId, isFolder: mimeType == File.folderMimeType) { return made }
        let name = try FileName.checked(name)
        let parentId = parentId ?? File.rootId
        try files.requireParent(parentId)
        try files.requireFree(name, in: parentId)
        let id = stamp.newId()
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, id, stamp: stamp)
        var row = FileRow(
            id: id, serial: cursor.sequence, parentId: parentId, name: name,
            isFolder: mimeType == File.folderMimeType, mimeType: mimeType, now: stamp.now)
        row.requestId = requestId
        row.deviceId = stamp.deviceId
        try files.insert(row)
        return FileChange(row: row, cursor: cursor)
    }
}

/// What is taken for a media type: `type/subtype` in ASCII, with parameters or without.
package enum MimeType {
    /// - Parameter type: `application/octet-stream` where nil.
    /// - Throws: `invalid_parameter`.
    package static func checked(_ type: String?) throws -> String {
        guard let type else { return File.defaultMimeType }
        let parts = type.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard FileLimits.mimeTypeLength.contains(type.utf8.count), type.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            parts.count == 2, parts.allSatisfy({ $0.first.map { $0 != " " } ?? false })
        else { throw Problem(.invalidParameter, "“mimeType” should be like text/plain.") }
        return type
    }
}
