/// `POST /v1/files`: creates a folder or an empty file.
public struct CreateFileRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once.
    public var requestId: String?
    /// See ``FileName``; refused with `invalid_name` otherwise.
    public var name: String
    /// ``File/folderMimeType`` makes a folder; ``File/defaultMimeType`` where absent.
    public var mimeType: String?
    /// The root where absent.
    public var parentId: String?

    public init(requestId: String?, name: String, mimeType: String?, parentId: String?) {
        self.requestId = requestId
        self.name = name
        self.mimeType = mimeType
        self.parentId = parentId
    }
}

/// `PATCH /v1/files/{id}`: what is absent stays as it is.
public struct UpdateFileRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once.
    public var requestId: String?
    public var name: String?
    /// Moves it there; refused with `cycle` for a folder into itself.
    public var parentId: String?
    public var starred: Bool?
    public var hidden: Bool?
    public var executable: Bool?
    /// True puts it in the trash, false brings it back, with the folders above it.
    public var trashed: Bool?
    /// The content's own time.
    public var modifiedAt: Timestamp?

    public init(
        requestId: String? = nil, name: String? = nil, parentId: String? = nil, starred: Bool? = nil,
        hidden: Bool? = nil, executable: Bool? = nil, trashed: Bool? = nil, modifiedAt: Timestamp? = nil
    ) {
        self.requestId = requestId
        self.name = name
        self.parentId = parentId
        self.starred = starred
        self.hidden = hidden
        self.executable = executable
        self.trashed = trashed
        self.modifiedAt = modifiedAt
    }
}

/// `POST /v1/files/{id}/copy`: by reference, no bytes move.
public struct CopyFileRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once.
    public var requestId: String?
    /// The source's name where absent.
    public var name: String?
    /// The source's folder where absent.
    public var parentId: String?

    public init(requestId: String?, name: String?, parentId: String?) {
        self.requestId = requestId
        self.name = name
        self.parentId = parentId
    }
}

/// A page of `GET /v1/files`.
public struct GetFilesResponse: Codable, Equatable, Sendable {
    public var files: [File]
    public var pagination: PaginationMetadata

    public init(files: [File], pagination: PaginationMetadata) {
        self.files = files
        self.pagination = pagination
    }
}

/// How to go on in a list that comes in pages.
public struct PaginationMetadata: Codable, Equatable, Sendable {
    /// An opaque cursor; absent on the last page.
    public var next: String?
    /// The most entries that this page could have.
    public var limit: Int

    public init(next: String?, limit: Int) {
        self.next = next
        self.limit = limit
    }

    /// Entries in a page, where the request does not say.
    public static let defaultLimit = 100
    /// Entries in a page, whatever the request says.
    public static let maximumLimit = 1000
}

/// How `GET /v1/files` orders a folder. Folders come first in each.
public enum FileOrder: String, Codable, CaseIterable, Sendable {
    case name
    case nameDescending = "-name"
    case modifiedAt
    case modifiedAtDescending = "-modifiedAt"
    case size
    case sizeDescending = "-size"
}
