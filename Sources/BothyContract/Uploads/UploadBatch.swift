/// What became of each file of a batch, in the order of the request.
public struct UploadBatchResponse: Codable, Equatable, Sendable {
    public var items: [UploadBatchOutcome]

    public init(items: [UploadBatchOutcome]) { self.items = items }
}

/// What became of one file of a batch: what a request of its own would have been answered.
public struct UploadBatchOutcome: Codable, Equatable, Sendable {
    /// As the item named it; absent where its metadata could not be read.
    public var requestId: String?
    /// 201, or the problem's.
    public var status: Int
    /// The place of its change in the drive's log.
    public var cursor: String?
    /// The place right before it, where this file is all that changed between the two.
    public var cursorBefore: String?
    /// What was stored; this, `upload` or `problem`.
    public var file: UploadedFile?
    /// The session that was started.
    public var upload: UploadResponse?
    /// Why nothing was.
    public var problem: Problem?

    public init(requestId: String?, cursor: String, cursorBefore: String? = nil, file: UploadedFile) {
        self.requestId = requestId
        self.status = 201
        self.cursor = cursor
        self.cursorBefore = cursorBefore
        self.file = file
    }

    /// - Parameters:
    ///   - cursor: where the session is finished, since the drive has its content.
    ///   - cursorBefore: then, too.
    public init(requestId: String?, cursor: String?, cursorBefore: String? = nil, upload: UploadResponse) {
        self.requestId = requestId
        self.status = 201
        self.cursor = cursor
        self.cursorBefore = cursorBefore
        self.upload = upload
    }

    public init(requestId: String?, problem: Problem) {
        self.requestId = requestId
        self.status = problem.status
        self.problem = problem
    }
}

/// Of a file that was just uploaded, what the sender does not know yet: some of the fields of ``File``.
public struct UploadedFile: Codable, Equatable, Sendable {
    public var id: String
    /// With a counter, where the name was taken.
    public var name: String
    public var version: Int64
    public var headRevisionId: String?
    public var checksum: ContentHash?
    /// Absent from the answers of older servers.
    public var createdAt: Timestamp?
    public var deviceId: String?

    public init(_ file: File) {
        id = file.id
        name = file.name
        version = file.version
        headRevisionId = file.headRevisionId
        checksum = file.checksum
        createdAt = file.createdAt
        deviceId = file.deviceId
    }

    /// All of the file as its upload left it, where the sender can know that: of a new one, of which nothing is but what was sent.
    ///
    /// - Parameters:
    ///   - request: what it was sent by.
    ///   - size: bytes of its content.
    public func whole(sentBy request: UploadRequest, size: Int64) -> File? {
        guard version == 1, request.fileId == nil, let createdAt else { return nil }
        return File(
            id: id, name: name, mimeType: request.mimeType ?? File.defaultMimeType, size: size,
            parentId: request.parentId ?? File.rootId, checksum: checksum, headRevisionId: headRevisionId,
            version: version, createdAt: createdAt, modifiedAt: request.modifiedAt ?? createdAt, updatedAt: createdAt,
            executable: request.executable ?? false, requestId: request.requestId, deviceId: deviceId)
    }
}
