/// One entity that changed, at its newest state.
public struct Change: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case file, revision, quota, share
    }

    public var kind: Kind
    public var id: String
    /// Gone for good. What is in the trash is not removed: its `file` says `trashed`.
    public var removed: Bool
    public var file: File?

    public init(kind: Kind, id: String, removed: Bool, file: File? = nil) {
        self.kind = kind
        self.id = id
        self.removed = removed
        self.file = file
    }
}

public struct GetChangesResponse: Codable, Equatable, Sendable {
    public var changes: [Change]
    public var cursor: String
    public var hasMore: Bool

    public init(changes: [Change], cursor: String, hasMore: Bool) {
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

public struct CursorResponse: Codable, Equatable, Sendable {
    public var cursor: String

    public init(cursor: String) { self.cursor = cursor }
}

/// `GET /v1/changes/wait`.
public struct WaitResponse: Codable, Equatable, Sendable {
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
    public var checksum: ContentHash?
    public var isFolder: Bool
    public var deletedAt: Timestamp
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

public struct GetDeletionsResponse: Codable, Equatable, Sendable {
    public var deletions: [Deletion]
    public var pagination: PaginationMetadata

    public init(deletions: [Deletion], pagination: PaginationMetadata) {
        self.deletions = deletions
        self.pagination = pagination
    }
}
