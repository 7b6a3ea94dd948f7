import BothyContent
import BothyContract

/// What a fake server keeps: sessions and files in memory, and what goes wrong when.
actor FakeDrive {
    struct Session {
        var request: UploadRequest
        var chunkSize: Int64
        var chunks = [Int: [UInt8]]()
        var file: File?

        var size: Int64 { request.size ?? 0 }
        var total: Int { Int((size + chunkSize - 1) / chunkSize) }
    }

    /// What goes wrong with one request. Each fault happens once, in the order given.
    enum Fault: Sendable {
        case refuse(ProblemCode)
        /// A status without a problem document, as a proxy gives it.
        case status(Int)
        /// The request is carried out, and its answer lost.
        case dropAnswer
        /// A bit of the body is flipped on its way in.
        case flipBit
        /// Progress that cannot be.
        case impossible
        /// The session is forgotten.
        case forgetSession
        /// The content begins one byte late.
        case wrongRange
        case wholeFile
        /// More bytes than were asked for.
        case tooMuch
        /// The connection ends in the middle of the body.
        case cut
        case flipContent
        case expiredAddress
    }

    private(set) var sessions = [String: Session]()
    private(set) var contents = [String: [UInt8]]()
    private(set) var files = [String: File]()
    private(set) var requests = [String]()
    private(set) var bodyBytes = 0
    private var faults = [String: [Fault]]()
    private var numbers = 0
    private var wholeAnswers = [String: File]()

    var accessToken = "token-1"
    var refreshes = 0
    /// Bodies above this are refused as a proxy does.
    var proxyLimit: Int?

    /// Every connection ends after so many bytes of content, either way.
    var cutAfter: Int?

    func cutConnections(after bytes: Int) { cutAfter = bytes }
    func limitProxy(to bytes: Int) { proxyLimit = bytes }
    func expireTokens() { accessToken = "token-\(refreshes + 2)" }
    func refreshed() -> String {
        refreshes += 1
        return accessToken
    }

    /// - Parameter operation: `start`, `status`, `chunk`, `finalize`, `whole`, `content`, `file`.
    func fault(_ operation: String, _ faults: Fault...) { self.faults[operation, default: []] += faults }

    func nextFault(_ operation: String) -> Fault? {
        requests.append(operation)
        guard faults[operation]?.isEmpty == false else { return nil }
        return faults[operation]?.removeFirst()
    }

    func count(_ operation: String) -> Int { requests.count { $0 == operation } }

    // MARK: - Uploads

    func start(_ request: UploadRequest) -> UploadResponse {
        numbers += 1
        let id = "session-\(numbers)"
        sessions[id] = Session(request: request, chunkSize: request.plan?.chunkSize ?? UploadLimits.defaultChunkSize)
        return response(id)
    }

    func response(_ id: String) -> UploadResponse {
        let session = sessions[id]!
        return UploadResponse(
            uploadId: id, totalChunks: session.total, chunksProcessed: session.chunks.count,
            chunkSize: session.chunkSize, uploadUrl: "https://elsewhere.example/v1/upload/\(id)",
            uploadExpiresAt: Timestamp(seconds: 1_800_000_000),
            receivedChunks: session.chunks.keys.sorted().chunkRuns, file: session.file)
    }

    func has(_ id: String) -> Bool { sessions[id] != nil }
    func forget(_ id: String) { sessions[id] = nil }
    func loseChunk(_ index: Int) { for id in sessions.keys { sessions[id]?.chunks[index] = nil } }

    func put(_ bytes: [UInt8], hash: String?, at range: ContentRange, in id: String) throws {
        bodyBytes += bytes.count
        guard let session = sessions[id] else { throw Problem(.notFound, "no such session") }
        let index = Int(range.first / session.chunkSize)
        guard range.first % session.chunkSize == 0, range.total == session.size, Int64(bytes.count) == range.length
        else {
            throw Problem(.rangeOffPlan, "off")
        }
        guard hash == "sha256=\(SHA256Hasher.hash(bytes).hex)" else { throw Problem(.chunkCorrupt, "corrupt") }
        sessions[id]?.chunks[index] = bytes
    }

    func finalize(_ id: String, _ request: FinalizeRequest) throws -> FinalizeResponse {
        guard let session = sessions[id] else { throw Problem(.uploadExpired, "gone") }
        let missing = (0..<session.total).filter { session.chunks[$0] == nil }
        guard missing.isEmpty else {
            throw Problem(.missingChunks, "missing").with { $0.missing = missing.chunkRuns }
        }
        let bytes = (0..<session.total).flatMap { session.chunks[$0]! }
        let hash = SHA256Hasher.hash(bytes)
        guard request.fileHashSha256 == hash else { throw Problem(.hashMismatch, "mismatch") }
        let file = session.file ?? store(bytes, name: session.request.name, requestId: session.request.requestId)
        sessions[id]?.file = file
        return FinalizeResponse(
            remoteFileId: file.id, fileHashSha256: hash, file: file, revision: revision(of: file))
    }

    func whole(_ request: UploadRequest, _ bytes: [UInt8]) throws -> File {
        bodyBytes += bytes.count
        if let id = request.requestId, let file = wholeAnswers[id] { return file }
        guard request.fileHashSha256 == SHA256Hasher.hash(bytes) else { throw Problem(.hashMismatch, "mismatch") }
        let file = store(bytes, name: request.name, requestId: request.requestId)
        if let id = request.requestId { wholeAnswers[id] = file }
        return file
    }

    // MARK: - Files

    @discardableResult
    func store(_ bytes: [UInt8], name: String, id: String? = nil, requestId: String? = nil) -> File {
        numbers += 1
        let revision = "revision-\(numbers)"
        let now = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)
        contents[revision] = bytes
        let file = File(
            id: id ?? "file-\(numbers)", name: name, mimeType: File.defaultMimeType, size: Int64(bytes.count),
            parentId: File.rootId, downloadUrl: "/v1/content/\(revision)?sig=\(numbers)",
            checksum: SHA256Hasher.hash(bytes),
            headRevisionId: revision, version: 1, createdAt: now, modifiedAt: now, updatedAt: now, requestId: requestId)
        files[file.id] = file
        return file
    }

    func revision(of file: File) -> FileRevision {
        FileRevision(
            revisionId: file.headRevisionId ?? "", fileId: file.id, mimeType: file.mimeType, size: file.size,
            modifiedAt: file.modifiedAt, createdAt: file.createdAt, deviceId: nil, downloadUrl: file.downloadUrl ?? "",
            checksum: file.checksum!)
    }
}
