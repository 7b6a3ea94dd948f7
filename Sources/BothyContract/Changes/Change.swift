/// One entity that changed, at its newest state.
public struct Change: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case file, revision, quota, share
    }

    /// What `id` is the id of. What of it is not known here is passed over.
    public var kind: OpenWord<Kind>
    public var id: String
    /// Gone for good. What is in the trash is not removed: its `file` says `trashed`.
    public var removed: Bool
    /// The file as it is now; absent for what is removed, and for what is no file.
    public var file: File?

    public init(kind: Kind, id: String, removed: Bool, file: File? = nil) {
        self.kind = OpenWord(kind)
        self.id = id
        self.removed = removed
        self.file = file
    }
}

/// A page of `GET /v1/changes`, in the order of the log; each entity is in it once.
public struct GetChangesResponse: Codable, Equatable, Sendable {
    public var changes: [Change]
    /// What to ask for the next page with; opaque.
    public var cursor: String
    /// There is another page already.
    public var hasMore: Bool

    public init(changes: [Change], cursor: String, hasMore: Bool) {
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

/// `GET /v1/changes/cursor`.
public struct CursorResponse: Codable, Equatable, Sendable {
    /// The place of the newest change; opaque.
    public var cursor: String

    public init(cursor: String) { self.cursor = cursor }
}

/// `GET /v1/changes/wait`.
public struct WaitResponse: Codable, Equatable, Sendable {
    /// There is something after the cursor; false when the time ran out first.
    public var changed: Bool
    /// Seconds to leave the server alone.
    public var backoffSeconds: Int?

    public init(changed: Bool, backoffSeconds: Int? = nil) {
        self.changed = changed
        self.backoffSeconds = backoffSeconds
    }
}

/// What the drive remembers of something deleted, for a year.
public struct Deletion: Codable, Equatable, Sendable {
    public var fileId: String
    /// Where it was, from the root: `/docs/report.pdf`.
    public var path: String
    /// Of the head revision; absent for folders and empty new files.
    public var checksum: ContentHash?
    public var isFolder: Bool
    public var deletedAt: Timestamp
    /// The device that deleted it; absent where the server did, after 30 days in the trash.
    public var deviceId: String?

    public init(
        fileId: String, path: String, checksum: ContentHash?, isFolder: Bool, deletedAt: Timestamp, deviceId: String?
    ) {
        self.fileId = fileId
        self.path = path
        self.checksum = checksum
        self.isFolder = isFolder
        self.deletedAt = deletedAt
        self.deviceId = deviceId
    }
}

/// A page of `GET /v1/changes/deletions`, in the order in which it happened.
public struct GetDeletionsResponse: Codable, Equatable, Sendable {
    public var deletions: [Deletion]
    public var pagination: PaginationMetadata

    public init(deletions: [Deletion], pagination: PaginationMetadata) {
        self.deletions = deletions
        self.pagination = pagination
    }
}
