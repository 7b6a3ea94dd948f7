/// A file or folder as the server knows it.
public struct File: Codable, Equatable, Sendable, Identifiable {
    /// Made by the server, opaque, and the same for the file's whole life.
    public var id: String
    /// 1 to 255 bytes in NFC, unique among its siblings; see ``FileName``.
    public var name: String
    /// What the client said, or ``defaultMimeType``; ``folderMimeType`` for a folder.
    public var mimeType: String
    /// Bytes of the head revision; 0 for a folder.
    public var size: Int64
    /// Absent for the root alone.
    public var parentId: String?
    /// Relative to the server's origin, signed, good for an hour at most. Absent for folders and empty new files.
    public var downloadUrl: String?
    /// Of the head revision; absent for folders and empty new files.
    public var checksum: ContentHash?
    /// The revision that is current; absent for folders and empty new files.
    public var headRevisionId: String?
    /// Starts at 1, and grows by one with each change.
    public var version: Int64
    /// By the server's clock.
    public var createdAt: Timestamp
    /// The content's own time, set by the client, up to nanoseconds.
    public var modifiedAt: Timestamp
    /// Of the newest change of any kind, by the server's clock.
    public var updatedAt: Timestamp
    /// True for what lies in the trash itself or inside a folder that does.
    public var trashed: Bool
    /// When it was put into the trash itself; absent for what lies there by a folder above it alone, and comes back
    /// with that folder, without a change of its own. A replica keeps this, and works `trashed` out.
    public var trashedAt: Timestamp?
    public var starred: Bool
    /// Clients leave it out of what they list, unless they are asked for it.
    public var hidden: Bool
    /// Its owner may run it, where the disk knows of such.
    public var executable: Bool
    /// The request that created it: how a device knows its own creation again.
    public var requestId: String?
    /// The device whose change this is.
    public var deviceId: String?
    /// Of photos and videos whose client told.
    public var media: Media?

    public init(
        id: String, name: String, mimeType: String, size: Int64, parentId: String?, downloadUrl: String? = nil,
        checksum: ContentHash? = nil, headRevisionId: String? = nil, version: Int64, createdAt: Timestamp,
        modifiedAt: Timestamp, updatedAt: Timestamp, trashed: Bool = false, trashedAt: Timestamp? = nil,
        starred: Bool = false, hidden: Bool = false, executable: Bool = false, requestId: String? = nil,
        deviceId: String? = nil, media: Media? = nil
    ) {
        self.id = id
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.parentId = parentId
        self.downloadUrl = downloadUrl
        self.checksum = checksum
        self.headRevisionId = headRevisionId
        self.version = version
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.updatedAt = updatedAt
        self.trashed = trashed
        self.trashedAt = trashedAt
        self.starred = starred
        self.hidden = hidden
        self.executable = executable
        self.requestId = requestId
        self.deviceId = deviceId
        self.media = media
    }

    /// What makes a file a folder.
    public static let folderMimeType = "application/vnd.bothy.folder"
    /// The id that stands for the root folder in every drive.
    public static let rootId = "root"
    /// For content that nobody said the kind of.
    public static let defaultMimeType = "application/octet-stream"

    public var isFolder: Bool { mimeType == Self.folderMimeType }
}

/// What a photo or video says of itself.
public struct Media: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case photo, video
    }

    public var kind: OpenWord<Kind>
    /// By the camera's clock.
    public var takenAt: Timestamp
    /// Pixels, as shown (after rotation).
    public var width: Int
    /// Pixels, as shown.
    public var height: Int
    /// Milliseconds; of videos.
    public var durationMs: Int64?

    public init(kind: Kind, takenAt: Timestamp, width: Int, height: Int, durationMs: Int64? = nil) {
        self.kind = OpenWord(kind)
        self.takenAt = takenAt
        self.width = width
        self.height = height
        self.durationMs = durationMs
    }
}
