import BothyContract

/// Deleting for good: the node is cut off at once, in one change; what lay below it goes in small transactions after.
///
/// Cut-off nodes keep their parent's id, and are in no index but `nodes_to_purge`. Draining goes down level by level:
/// a folder hands the cut to the folders in it, remembers its files as deleted, and goes when nothing is left in it. Each
/// thing that goes so has an entry in the log: a device that keeps a copy of the drive forgets what it is told of, and need not
/// guess what lay below.
package enum Purge {
    /// Rows that one transaction of draining touches, so that no one waits long behind it.
    package static let batch = 200

    /// Cuts a node off for good, and remembers where it was.
    package static func cutOff(_ row: FileRow, in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        var ancestry = Ancestry(db, drive: stamp.driveId)
        let path = try ancestry.writtenPath(of: row.id)
        try DeletionTable(db, drive: stamp.driveId).insert(row, path: path, rootId: row.id, stamp: stamp)
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, row.id, removal: .itself, stamp: stamp)
        try NodeHistory(db, drive: stamp.driveId).keepPlace(of: row.id, until: cursor.sequence)
        try FileTable(db, drive: stamp.driveId).cutOff(row.id)
        return FileChange(row: row, cursor: cursor)
    }

    /// Cuts off what has been in the trash for longer than it keeps things: at most ``batch``, each in a change of its
    /// own.
    ///
    /// - Parameter lived: seconds; what was trashed before then goes.
    /// - Returns: the places of the changes by drive, to wake its devices; empty when the trash holds nothing so old.
    package static func emptyTrash(
        livedBefore lived: Int64, in db: any SQLConnection, stamps: StampSource
    ) throws -> [Int64: ChangeCursor] {
        let rows = try db.query(
            """
            SELECT drive_id, node_id, device_id FROM nodes WHERE trashed = 1 AND purged = 0 AND trashed_lived < ?
            ORDER BY trashed_lived LIMIT ?
            """,
            [lived.sql, batch.sql])
        var cursors = [Int64: ChangeCursor]()
        for row in rows {
            let drive = row.int64(0)
            guard let node = try FileTable(db, drive: drive).find(row.string(1)) else { continue }
            let stamp = stamps.stamp(driveId: drive, deviceId: row.optional(2, SQLRow.string))
            cursors[drive] = try cutOff(node, in: db, stamp: stamp).cursor
        }
        return cursors
    }

    /// Takes away some of what is cut off, in any drive: about ``batch`` rows, and so at most as many entries of the log.
    ///
    /// - Parameter told: the drive's last entry, wherever something was logged.
    /// - Returns: false when nothing is left to do.
    package static func drain(
        in db: any SQLConnection, stamps: StampSource, told: (Int64, ChangeCursor) -> Void = { _, _ in }
    ) throws -> Bool {
        var budget = batch
        while budget > 0 {
            let next = try db.first("SELECT drive_id, node_id FROM nodes WHERE purged = 1 LIMIT 1")
            guard let next else { return false }
            let (drive, id) = (next.int64(0), next.string(1))
            let memory = try DeletionTable(db, drive: drive).find(nodeId: id)
            // The person who deleted the folder deleted what lay in it.
            let stamp = stamps.stamp(driveId: drive, deviceId: memory?.deviceId)
            let (touched, end) = try drain(id, memory, budget: budget, in: db, stamp: stamp)
            if let end { told(drive, end) }
            budget -= touched
        }
        return true
    }

    /// - Returns: rows touched, at least one; and the place of the last entry, where there is one.
    private static func drain(
        _ id: String, _ memory: DeletionTable.Memory?, budget: Int, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> (touched: Int, end: ChangeCursor?) {
        let files = FileTable(db, drive: stamp.driveId)
        let deletions = DeletionTable(db, drive: stamp.driveId)
        let log = ChangeLog(db, drive: stamp.driveId)
        let history = NodeHistory(db, drive: stamp.driveId)
        let children = try files.childrenToPurge(of: id, limit: budget)
        let last = try log.head().sequence
        var (touched, gone) = (1, [String]())
        for child in children where touched < budget {
            touched += 1
            gone.append(child.id)
            if let memory { try deletions.insert(child, below: memory, stamp: stamp) }
            if child.isFolder {
                // Its own entry, which is written below.
                try history.keepPlace(of: child.id, until: last + Int64(gone.count))
                try files.cutOff(child.id)
            } else {
                touched += try remove(child.id, in: db, stamp: stamp)
            }
        }
        let end = try log.append(goneWithTheirFolder: gone, stamp: stamp)
        if gone.count == children.count, children.count < budget {
            touched += try remove(id, in: db, stamp: stamp)
            try deletions.markExpanded(nodeId: id)
        }
        return (touched, end)
    }

    /// Takes away a node with its revisions; one with very many stays cut off, and gives some of them away each time.
    ///
    /// - Returns: rows touched, its blocks counted in proportion; all that one transaction touches where there are more.
    private static func remove(_ id: String, in db: any SQLConnection, stamp: ChangeStamp) throws -> Int {
        let files = FileTable(db, drive: stamp.driveId)
        let (gone, blocks, areMore) = try RevisionTable(db, drive: stamp.driveId)
            .deleteSome(of: id, limit: batch, lived: stamp.lived)
        if areMore {
            try files.cutOff(id)
            return batch
        }
        try files.delete(id)
        return max(gone, blocks * batch / RevisionTable.mostBlocks)
    }
}

extension FileTable {
    /// Children of any standing that are not cut off themselves.
    fileprivate func childrenToPurge(of id: String, limit: Int) throws -> [FileRow] {
        try db.query(
            "SELECT \(FileRow.columns) FROM nodes WHERE drive_id = ? AND parent_id = ? AND purged = 0 LIMIT ?",
            [drive.sql, id.sql, limit.sql]
        ).map(FileRow.init)
    }

    fileprivate func delete(_ id: String) throws {
        if let old = try standing(of: id) {
            try NameWordTable(db, drive: drive).remove(id, named: old.name)
            let counts = FolderCounts(db, drive: drive)
            try counts.move(from: old.place, to: nil)
            try counts.forget(id)
        }
        let gone = try db.execute("DELETE FROM nodes WHERE drive_id = ? AND node_id = ?", [drive.sql, id.sql])
        if gone > 0 { try DriveItems(db, drive: drive).removeOne() }
    }
}
