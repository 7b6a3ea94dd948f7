import BothyContract

/// A row of `nodes`: a file or folder as the database has it.
package struct FileRow: Equatable, Sendable {
    package var id: String
    /// The sequence of the change that created it; 0 for the root.
    package var serial: Int64
    /// Nil for the root alone.
    package var parentId: String?
    package var name: String
    package var isFolder: Bool
    package var mimeType: String
    package var headRevisionId: String?
    package var size: Int64
    package var checksum: ContentHash?
    package var version: Int64
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var modifiedAt: Timestamp
    /// In the trash by itself; what lies inside a trashed folder is there by its ancestor alone.
    package var trash: Trash?
    package var starred: Bool
    package var hidden: Bool
    package var executable: Bool
    package var requestId: String?
    package var deviceId: String?

    package struct Trash: Equatable, Sendable {
        package var at: Timestamp
        package var lived: Int64
    }

    /// A new file or folder, without content, at version 1.
    package init(
        id: String, serial: Int64, parentId: String?, name: String, isFolder: Bool, mimeType: String, now: Timestamp
    ) {
        self.id = id
        self.serial = serial
        self.parentId = parentId
        self.name = name
        self.isFolder = isFolder
        self.mimeType = mimeType
        self.headRevisionId = nil
        self.size = 0
        self.checksum = nil
        self.version = Self.firstVersion
        self.createdAt = now
        self.updatedAt = now
        self.modifiedAt = now
        self.trash = nil
        self.starred = false
        self.hidden = false
        self.executable = false
        self.requestId = nil
        self.deviceId = nil
    }

    /// The row as the wire tells it, without its `downloadUrl`.
    ///
    /// - Parameter trashed: whether it, or a folder that it lies in, is in the trash.
    package func file(trashed: Bool) -> File {
        File(
            id: id, name: name, mimeType: mimeType, size: size, parentId: parentId, checksum: checksum,
            headRevisionId: headRevisionId, version: version, createdAt: createdAt, modifiedAt: modifiedAt,
            updatedAt: updatedAt, trashed: trashed, trashedAt: trash?.at, starred: starred, hidden: hidden,
            executable: executable, requestId: requestId, deviceId: deviceId)
    }
}

extension FileRow {
    /// The columns that `init(_:)` reads, in its order.
    static let columns = """
        node_id, serial, parent_id, name, kind, mime_type, head_revision_id, size, checksum, version, created_ms, \
        updated_ms, modified_s, modified_ns, trashed, trashed_ms, trashed_lived, starred, hidden, executable, \
        request_id, device_id
        """

    init(_ row: SQLRow) {
        id = row.string(0)
        serial = row.int64(1)
        parentId = row.optional(2, SQLRow.string)
        name = row.string(3)
        isFolder = row.int64(4) == Self.folderKind
        mimeType = row.string(5)
        headRevisionId = row.optional(6, SQLRow.string)
        size = row.int64(7)
        checksum = row.optional(8, SQLRow.hash)
        version = row.int64(9)
        createdAt = row.timestamp(10)
        updatedAt = row.timestamp(11)
        modifiedAt = Timestamp(seconds: row.int64(12), nanoseconds: Int32(row.int64(13)))
        trash = row.bool(14) ? Trash(at: row.timestamp(15), lived: row.int64(16)) : nil
        starred = row.bool(17)
        hidden = row.bool(18)
        executable = row.bool(19)
        requestId = row.optional(20, SQLRow.string)
        deviceId = row.optional(21, SQLRow.string)
    }

    /// What a change may change, in the order of `FileTable.update`.
    var mutableValues: [SQLValue] {
        [
            parentId.sql, name.sql, .bytes(NameOrder.key(name)), mimeType.sql, headRevisionId.sql, size.sql,
            checksum.sql,
            version.sql, updatedAt.sql, modifiedAt.seconds.sql, Int64(modifiedAt.nanoseconds).sql, (trash != nil).sql,
            (trash?.at).sql, (trash?.lived).sql, starred.sql, hidden.sql, executable.sql, deviceId.sql,
        ]
    }

    /// `kind` orders folders before files.
    static let folderKind: Int64 = 0
    static let fileKind: Int64 = 1

    /// Of what was just made.
    static let firstVersion: Int64 = 1
}
