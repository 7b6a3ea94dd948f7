import BothyContract

/// A file or folder as this device shows it: what the server said of it, with what waits to be sent done to it.
public struct ReplicaFile: Equatable, Sendable, Identifiable {
    /// This device's own number for it, which outlives its names and its way to the server.
    public let luid: LUID
    /// nil until the server has it.
    public var serverId: String?
    /// nil for the root alone.
    public var parent: LUID?
    public var name: String
    public var mimeType: String
    /// Bytes of the newest content that is known here; 0 for a folder.
    public var size: Int64
    /// SHA-256 of the newest content that is known here; nil for a folder and an empty new file.
    public var checksum: ContentHash?
    /// nil for a folder, for an empty file without content, and for content that waits to be sent.
    public var headRevisionId: String?
    /// The server's; 0 until the server has it.
    public var version: Int64
    /// By the server's clock; by this device's until the server has it.
    public var createdAt: Timestamp
    /// The content's own time.
    public var modifiedAt: Timestamp
    public var updatedAt: Timestamp
    /// When it was put into the trash itself; what lies in a folder that was is there by that folder alone.
    public var trashedAt: Timestamp?
    public var starred: Bool
    public var hidden: Bool
    public var executable: Bool
    /// The request that created it.
    public var requestId: String?
    /// The device whose change this is.
    public var deviceId: String?
    public var media: Media?
    /// Content that waits to be sent, where there is some: it can be opened here.
    public var pendingContent: PendingContent?

    public var id: LUID { luid }
    public var isFolder: Bool { mimeType == File.folderMimeType }

    package init(
        luid: LUID, serverId: String?, parent: LUID?, name: String, mimeType: String, size: Int64 = 0,
        checksum: ContentHash? = nil, headRevisionId: String? = nil, version: Int64 = 0, createdAt: Timestamp,
        modifiedAt: Timestamp, updatedAt: Timestamp, trashedAt: Timestamp? = nil, starred: Bool = false,
        hidden: Bool = false, executable: Bool = false, requestId: String? = nil, deviceId: String? = nil,
        media: Media? = nil, pendingContent: PendingContent? = nil
    ) {
        self.luid = luid
        self.serverId = serverId
        self.parent = parent
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.checksum = checksum
        self.headRevisionId = headRevisionId
        self.version = version
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.updatedAt = updatedAt
        self.trashedAt = trashedAt
        self.starred = starred
        self.hidden = hidden
        self.executable = executable
        self.requestId = requestId
        self.deviceId = deviceId
        self.media = media
        self.pendingContent = pendingContent
    }

    /// What the server said.
    package init(_ file: File, luid: LUID, parent: LUID?) {
        self.init(
            luid: luid, serverId: file.id, parent: parent, name: Self.whole(file.name), mimeType: file.mimeType,
            size: file.size,
            checksum: file.checksum, headRevisionId: file.headRevisionId, version: file.version,
            createdAt: file.createdAt, modifiedAt: file.modifiedAt, updatedAt: file.updatedAt,
            trashedAt: file.trashedAt, starred: file.starred, hidden: file.hidden, executable: file.executable,
            requestId: file.requestId, deviceId: file.deviceId, media: file.media)
    }

    /// SQLite reads a text up to its first zero byte: what is left could be a name. With another control character in its
    /// place it is none still, and is held back whole.
    private static func whole(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "\u{1}" : $0 }))
    }

    /// As the wire tells a file, for whatever shows files; its ids are LUIDs in text where the server has none yet.
    ///
    /// - Parameters:
    ///   - parentId: the folder's id on the server.
    ///   - trashed: whether it or a folder that it lies in is in the trash.
    public func file(parentId: String?, trashed: Bool = false) -> File {
        File(
            id: serverId ?? luid.description, name: name, mimeType: mimeType, size: size, parentId: parentId,
            checksum: checksum, headRevisionId: headRevisionId, version: version, createdAt: createdAt,
            modifiedAt: modifiedAt, updatedAt: updatedAt, trashed: trashed, trashedAt: trashedAt, starred: starred,
            hidden: hidden, executable: executable, requestId: requestId, deviceId: deviceId, media: media)
    }
}

/// Content on this device that waits to be sent.
public struct PendingContent: Codable, Equatable, Sendable {
    /// Absolute.
    public var path: String
    /// Bytes.
    public var size: Int64
    /// SHA-256, of when it was taken in.
    public var checksum: ContentHash
    /// The content's own time.
    public var modifiedAt: Timestamp
    public var executable: Bool
    /// nil for the drive's default.
    public var mimeType: String?
    /// A copy of the home's own, removed once it is over.
    public var owned: Bool

    public init(
        path: String, size: Int64, checksum: ContentHash, modifiedAt: Timestamp, executable: Bool = false,
        mimeType: String? = nil, owned: Bool
    ) {
        self.path = path
        self.size = size
        self.checksum = checksum
        self.modifiedAt = modifiedAt
        self.executable = executable
        self.mimeType = mimeType
        self.owned = owned
    }
}
