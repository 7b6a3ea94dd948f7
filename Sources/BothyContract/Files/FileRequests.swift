/// `POST /v1/files`: creates a folder or an empty file.
public struct CreateFileRequest: Codable, Equatable, Sendable {
    public var requestId: String?
    public var name: String
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
    public var requestId: String?
    public var name: String?
    public var parentId: String?
    public var starred: Bool?
    public var hidden: Bool?
    public var executable: Bool?
    public var trashed: Bool?
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

public struct GetFilesResponse: Codable, Equatable, Sendable {
    public var files: [File]
    public var pagination: PaginationMetadata

    public init(files: [File], pagination: PaginationMetadata) {
        self.files = files
        self.pagination = pagination
    }
}

public struct PaginationMetadata: Codable, Equatable, Sendable {
    /// An opaque cursor; absent on the last page.
    public var next: String?
    public var limit: Int

    public init(next: String?, limit: Int) {
        self.next = next
        self.limit = limit
    }

    public static let defaultLimit = 100
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
