import BothyContract

/// Taking things out of the trash.
enum Untrashing {
    /// Makes a node live again: the folders it lies in come back with it, each a change of its own, the uppermost
    /// first; a name that was taken meanwhile gets a counter. The row itself is the caller's to write and to log.
    ///
    /// - Returns: the place of the last folder's change; nil when none had to come back.
    @discardableResult
    static func bringBack(_ row: inout FileRow, in db: any SQLConnection, stamp: ChangeStamp) throws -> ChangeCursor? {
        guard let parentId = row.parentId else { return nil }
        let files = FileTable(db, drive: stamp.driveId)
        var ancestry = Ancestry(db, drive: stamp.driveId)
        var cursor: ChangeCursor?
        for id in try ancestry.path(from: parentId).reversed() {
            guard try ancestry.link(id)?.trashed == true, var folder = try files.find(id) else { continue }
            try untrash(&folder, files)
            folder.version += 1
            folder.updatedAt = stamp.now
            folder.deviceId = stamp.deviceId
            let place = try ChangeLog(db, drive: stamp.driveId).append(.file, id, stamp: stamp)
            try files.update(folder, by: place.sequence)
            cursor = place
        }
        if row.trash != nil { try untrash(&row, files) }
        return cursor
    }

    private static func untrash(_ row: inout FileRow, _ files: FileTable) throws {
        row.trash = nil
        if let parentId = row.parentId { row.name = try files.freeName(like: row.name, in: parentId) }
    }
}
