import BothyContent
import BothyContract

/// The table `drives`: an account has one, and a drive has one root.
package enum Drives {
    /// Creates a drive with its root folder, inside the transaction that creates its owner.
    ///
    /// - Parameters:
    ///   - driveId: the owner's id: an account has one drive.
    ///   - quota: bytes; nil for no limit.
    ///   - mostItems: files and folders; nil for no limit.
    package static func create(
        in db: any SQLConnection, driveId: Int64, ownerId: Int64, quota: Int64? = nil, mostItems: Int64? = nil,
        now: Timestamp
    ) throws {
        try db.execute(
            """
            INSERT INTO drives (drive_id, owner_id, root_id, quota_bytes, most_items, block_parameters)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                driveId.sql, ownerId.sql, File.rootId.sql, quota.sql, mostItems.sql,
                BlockParameters.newest.version.sql,
            ])
        let root = FileRow(
            id: File.rootId, serial: 0, parentId: nil, name: "", isFolder: true, mimeType: File.folderMimeType,
            now: now)
        try FileTable(db, drive: driveId).insert(root)
    }

    /// The version of the parameters that the drive's files are cut by.
    static func blockParameters(of driveId: Int64, in db: any SQLConnection) throws -> Int {
        let row = try db.first("SELECT block_parameters FROM drives WHERE drive_id = ?", [driveId.sql])
        return row?.int(0) ?? BlockParameters.newest.version
    }

    /// - Parameter parameters: the version that a plan says its blocks are cut by; nil for a way of the client's own.
    /// - Throws: `parameters_differ` for one that is not the drive's: such blocks would be shared with none of its devices.
    static func check(parameters: Int?, of driveId: Int64, in db: any SQLConnection) throws {
        guard let parameters else { return }
        let own = try blockParameters(of: driveId, in: db)
        guard parameters == own else {
            throw Problem(
                .parametersDiffer,
                "The files of this drive are cut by version \(own) of the parameters, not by version \(parameters). "
                    + "Cut them so, or send fixed chunks."
            ).with { $0.blockParameters = own }
        }
    }
}
