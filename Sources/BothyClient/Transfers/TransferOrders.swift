import BothyContract

/// What is to be sent, and where to.
public struct UploadOrder: Sendable {
    /// Absolute.
    public var localPath: String
    /// What it is to be called on the server.
    public var name: String
    /// `File.rootId` for the root.
    public var parentId: String
    /// The file that gets a new revision; nil lets the name decide by `conflict`.
    public var fileId: String?
    /// The revision that the content was made from: `revisionConflict` when the head is another one by then.
    public var baseRevisionId: String?
    /// What becomes of it where the name is taken.
    public var conflict: ConflictPolicy
    /// nil where neither the order nor the name says one: the server's default then.
    public var mimeType: String?
    /// Content of as many bytes that the drive is known to have elsewhere: it may be this.
    package var twins: Set<ContentHash> = []
    /// See ``DriveUpload/checksum``.
    package var checksum: ContentHash?
    /// The revision that the content is a change of, as far as the caller knows; ``baseRevisionId`` where it is nil. Nothing depends
    /// on it but how much is sent.
    package var ancestor: String?
    /// What the caller has found in the file: a file of one request is not hashed once more before it is sent.
    package var hashed: HashedSource?
    /// See ``DriveUpload/executable``.
    package var executable: Bool?

    /// - Parameter mimeType: nil lets the end of the name say it.
    public init(
        localPath: String, name: String, parentId: String, fileId: String? = nil, baseRevisionId: String? = nil,
        conflict: ConflictPolicy = .overwrite, mimeType: String? = nil
    ) {
        self.localPath = localPath
        self.name = name
        self.parentId = parentId
        self.fileId = fileId
        self.baseRevisionId = baseRevisionId
        self.conflict = conflict
        self.mimeType = mimeType ?? MediaType.of(name)
    }
}

/// What is to be fetched, and where to.
public struct DownloadOrder: Sendable {
    /// On the server.
    public var fileId: String
    /// nil for the head, whichever it is when the download ends.
    public var revisionId: String?
    /// The file's name on the server, to be shown.
    public var name: String
    /// Absolute; the folder it lies in is there.
    public var destination: String
    /// Bytes, where they are known already: small files go many at a time.
    public var size: Int64?
    /// Whether a file that is there may be replaced; otherwise `destinationExists`.
    public var replacing: Bool
    /// What lay there when somebody said that it may be replaced: what has changed since is not. Where it is nil, whatever lies there may be.
    package var replaces: SourcePin?
    /// A file on this device that may have much of the content: the version before, most likely. Absolute; nothing of it is believed,
    /// and it may be gone. What is to be replaced where it is nil.
    public var basis: String?
    /// What a list has just told of it, so that it need not be asked again.
    package var known: RemoteContent?
    /// See ``DriveDownload/isDurable``.
    package var isDurable = true
    /// Whether it is fetched together with others.
    package var isShared: Bool { Self.isShared(size, changes: basis != nil) }

    /// Small files are; except for what is known to be a change of one that is large enough to be had as what changed.
    static func isShared(_ size: Int64?, changes: Bool) -> Bool {
        guard let size, size <= UploadLimits.batchContent else { return false }
        return !changes || size < DownloadMachine.leastWorthReusing
    }

    /// The head of a file that has just been looked up or listed.
    public init(_ file: File, destination: String, replacing: Bool = true) {
        self.init(fileId: file.id, name: file.name, destination: destination, size: file.size, replacing: replacing)
        known = RemoteContent(headOf: file)
    }

    public init(
        fileId: String, revisionId: String? = nil, name: String, destination: String, size: Int64? = nil,
        replacing: Bool = true
    ) {
        self.fileId = fileId
        self.revisionId = revisionId
        self.name = name
        self.destination = destination
        self.size = size
        self.replacing = replacing
    }
}
