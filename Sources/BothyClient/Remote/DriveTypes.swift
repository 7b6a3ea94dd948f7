import BothyContract

/// Whose drive this is. A replica of one drive is never fed from another.
public struct DriveIdentity: Codable, Equatable, Sendable {
    /// Never changes for an account at a server: `https://home.example#4711`.
    public var accountId: String
    /// What a person calls it: `anna@example.org at https://home.example`.
    public var name: String
    /// This device, as changes name it in `File.deviceId`.
    public var deviceId: String

    public init(accountId: String, name: String, deviceId: String) {
        self.accountId = accountId
        self.name = name
        self.deviceId = deviceId
    }

    /// Whether what remembers an account means this one: by its number, which it keeps where its server gets another address.
    package func isAccount(_ accountId: String) -> Bool {
        func number(_ id: String) -> Substring { id.split(separator: "#").last ?? "" }
        return number(self.accountId) == number(accountId)
    }
}

/// How much the drive keeps, and may keep.
public struct DriveQuota: Codable, Equatable, Sendable {
    /// Bytes.
    public var used: Int64
    /// Bytes; nil where there is none.
    public var limit: Int64?

    public init(used: Int64, limit: Int64?) {
        self.used = used
        self.limit = limit
    }
}

/// A version of a file, and a cursor at which it was seen: a version alone says nothing once a server was put back.
public struct SeenVersion: Codable, Equatable, Sendable {
    public var version: Int64
    /// A place in the drive's log at which that version was the newest.
    public var cursor: String

    public init(version: Int64, cursor: String) {
        self.version = version
        self.cursor = cursor
    }
}

/// What the one who deletes has seen; it protects what was not.
public enum SeenContent: Codable, Equatable, Sendable {
    /// Whatever is there may go.
    case anything
    /// A folder's inside as of a cursor.
    case subtree(cursor: String)
    /// A file's head revision.
    case head(revisionId: String)

    /// Stands for a revision that nobody can tell any more; no head is ever equal to it.
    static let unseen = "-"
    /// What was seen cannot be told any more.
    static let unknown = SeenContent.head(revisionId: unseen)
}

/// Content to be sent, and where to.
public struct DriveUpload: Equatable, Sendable {
    /// How the drive knows the upload again, however often it is sent.
    public var requestId: String
    /// Absolute. The file rests until the upload is over, or the upload ends as `sourceChanged`.
    public var localPath: String
    public var name: String
    /// `File.rootId` for the root.
    public var parentId: String
    /// The file that gets a new revision; nil for a new file.
    public var fileId: String?
    /// The revision that the content was made from: `revisionConflict` when the head is another one.
    public var baseRevisionId: String?
    /// What becomes of a new file whose name is taken.
    public var conflict: ConflictPolicy
    /// nil for the drive's default.
    public var mimeType: String?
    /// Content of as many bytes that the drive is known to have elsewhere: where it is this, no byte needs to be sent.
    public var twins: Set<ContentHash> = []
    /// SHA-256 of what the file must hold; nil for whatever it does. Where it holds something else, the upload ends as `sourceDamaged`
    /// before any of it counts.
    public var checksum: ContentHash?
    /// What was found in the file a moment ago. It may be sent without being hashed once more by a drive that hashes what it receives.
    package var hashed: HashedSource?
    /// Whether it is executable elsewhere; nil for what the file's own disk says of it.
    public var executable: Bool?

    public init(
        requestId: String, localPath: String, name: String, parentId: String, fileId: String? = nil,
        baseRevisionId: String? = nil, conflict: ConflictPolicy = .fail, mimeType: String? = nil,
        checksum: ContentHash? = nil
    ) {
        self.checksum = checksum
        self.requestId = requestId
        self.localPath = localPath
        self.name = name
        self.parentId = parentId
        self.fileId = fileId
        self.baseRevisionId = baseRevisionId
        self.conflict = conflict
        self.mimeType = mimeType
    }
}

/// Content to be fetched, and where to.
public struct DriveDownload: Equatable, Sendable {
    public var fileId: String
    /// nil for the head, whichever it is when the download ends.
    public var revisionId: String?
    /// The file's name on the drive, to be shown.
    public var name: String
    /// Absolute; its folder is there.
    public var destination: String
    /// Whether a file that is there may be replaced; otherwise `destinationExists`.
    public var replacing: Bool
    /// Bytes, as far as they are known: how many downloads go side by side depends on it.
    public var size: Int64?
    /// Whether a power cut right after the download leaves it there; false where the caller sees to that itself.
    public var isDurable: Bool
    /// See ``DownloadOrder/basis``.
    public var basis: String?
    /// What the server has told of the revision, so that it need not be asked again.
    package var known: RemoteContent?

    public init(
        fileId: String, revisionId: String? = nil, name: String, destination: String, replacing: Bool = false,
        size: Int64? = nil, isDurable: Bool = true, basis: String? = nil
    ) {
        self.size = size
        self.basis = basis
        self.isDurable = isDurable
        self.fileId = fileId
        self.revisionId = revisionId
        self.name = name
        self.destination = destination
        self.replacing = replacing
    }
}

/// Content of a revision that this device has put together out of what it had, and not fetched.
public struct DriveCopy: Equatable, Sendable {
    public var fileId: String
    public var revisionId: String
    /// Bytes.
    public var size: Int64
    /// Absolute: where it lies now.
    public var path: String
    /// Whether it takes the place of another version: what changed once will change again.
    public var isChange: Bool
    /// A file with the same content, and its revision that has it; nil where that is not known.
    public var source: Source?

    public struct Source: Equatable, Sendable {
        public var fileId: String
        public var revisionId: String

        public init(fileId: String, revisionId: String) {
            self.fileId = fileId
            self.revisionId = revisionId
        }
    }

    public init(
        fileId: String, revisionId: String, size: Int64, path: String, isChange: Bool, source: Source? = nil
    ) {
        self.fileId = fileId
        self.revisionId = revisionId
        self.size = size
        self.path = path
        self.isChange = isChange
        self.source = source
    }
}

/// What a download brought.
public struct DownloadedContent: Equatable, Sendable {
    /// nil for a file without content.
    public var revisionId: String?
    /// SHA-256, compared before the file was put in its place; nil for a file without content.
    public var checksum: ContentHash?
    /// Bytes.
    public var size: Int64

    public init(revisionId: String?, checksum: ContentHash?, size: Int64) {
        self.revisionId = revisionId
        self.checksum = checksum
        self.size = size
    }
}
