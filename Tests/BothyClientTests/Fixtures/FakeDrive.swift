import BothyContent
import BothyContract

/// What a fake server keeps: sessions and files in memory, and what goes wrong when.
actor FakeDrive {
    struct Session {
        var request: UploadRequest
        /// Those that were named, in order.
        var blocks = [BlockReference]()
        var chunks = [Int: [UInt8]]()
        var file: File?

        var size: Int64 { request.size ?? 0 }
        var longestBlock: Int64 { blocks.map(\.size).max() ?? 0 }

        /// The places of the blocks that lie exactly in `range`.
        func places(in range: ContentRange) -> Range<Int>? {
            var ends: [Int64] = [0]
            for block in blocks { ends.append((ends.last ?? 0) + block.size) }
            guard let first = ends.firstIndex(of: range.first), let last = ends.firstIndex(of: range.last + 1),
                first < last
            else { return nil }
            return first..<last
        }
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
        /// A bit flips in the middle of a range that comes compressed.
        case garble
        /// A range that comes compressed ends before its last frame does.
        case truncate
        /// The request waits until all that are held are let go.
        case hold
    }

    /// What goes wrong with one batch of contents.
    enum BatchFault: Sendable {
        /// The connection ends within the item after so many.
        case cut(after: Int)
        /// A bit of an item's content is flipped.
        case flip(Int)
        case refuse(Int, ProblemCode)
        /// An item says to be another revision than was asked for.
        case otherRevision(Int)
        case status(Int)
        /// A bit flips in the middle of an answer that comes compressed.
        case garble
        /// An answer that comes compressed ends before its frame does.
        case truncate
        /// After so many items the answer waits until all that are held are let go.
        case hold(after: Int)
    }

    private(set) var sessions = [String: Session]()
    /// What the drive has of blocks, whoever sent them.
    private var blocks = [ContentHash: [UInt8]]()
    private(set) var contents = [String: [UInt8]]()
    private(set) var files = [String: File]()
    private(set) var requests = [String]()
    private(set) var bodyBytes = 0
    private(set) var longestBody = 0
    /// Of content that was fetched.
    private(set) var contentBytes = 0
    private var faults = [String: [Fault]]()
    private var numbers = 0
    private var wholeAnswers = [String: File]()

    var accessToken = "token-1"
    var refreshes = 0
    /// Bodies above this are refused as a proxy does.
    var proxyLimit: Int?

    /// Whether files may come together; an older server knows nothing of that.
    private(set) var knowsUploadBatches = false
    func learnUploadBatches() { knowsUploadBatches = true }

    private var held = [CheckedContinuation<Void, Never>]()
    private var waitingForHeld = [CheckedContinuation<Void, Never>]()

    func hold() async {
        await withCheckedContinuation { request in
            held.append(request)
            for waiter in waitingForHeld { waiter.resume() }
            waitingForHeld = []
        }
    }

    /// Returns as soon as a request is held.
    func whenHeld() async {
        guard held.isEmpty else { return }
        await withCheckedContinuation { waitingForHeld.append($0) }
    }

    func letGo() {
        for request in held { request.resume() }
        held = []
    }

    /// Whether contents may be asked for together; an older server knows nothing of that.
    private(set) var knowsContentBatches = false
    /// Whether answers come compressed to who takes them so; an older server's never do.
    private(set) var packsAnswers = false
    func learnToPack() { packsAnswers = true }

    /// The revisions that each batch asked for.
    private(set) var batches = [[String]]()
    /// Bytes of each range that came compressed.
    private(set) var packedRanges = [Int]()
    func notePackedRange(_ bytes: Int) { packedRanges.append(bytes) }
    /// Bytes of each batch's answer that came compressed.
    private(set) var packedBatches = [Int]()
    func notePacked(_ bytes: Int) { packedBatches.append(bytes) }
    private var batchFaults = [BatchFault]()

    /// - Parameter faults: each of one batch, in their order.
    func learnContentBatches(_ faults: [BatchFault]) {
        knowsContentBatches = true
        batchFaults = faults
    }

    func nextBatch(_ ids: [String]) -> BatchFault? {
        batches.append(ids)
        return batchFaults.isEmpty ? nil : batchFaults.removeFirst()
    }

    /// An item of a batch, as it goes over the wire.
    func batchItem(_ id: String, _ fault: ProblemCode?, flipped: Bool, named name: String? = nil) throws -> [UInt8] {
        let file = files.values.first { $0.headRevisionId == id }
        guard fault == nil, let file, var bytes = contents[id] else {
            let problem = Problem(fault ?? .notFound, "refused on purpose")
            return try Self.frame(ContentBatchOutcome(revisionId: id, problem: problem), [])
        }
        if flipped { bytes[bytes.count / 2] ^= 1 }
        let content = BatchedContent(
            size: file.size, checksum: file.checksum!, modifiedAt: file.modifiedAt, executable: file.executable)
        return try Self.frame(ContentBatchOutcome(revisionId: name ?? id, content: content), bytes)
    }

    private static func frame(_ outcome: ContentBatchOutcome, _ bytes: [UInt8]) throws -> [UInt8] {
        let metadata = try WireCoding.encode(outcome)
        return BatchHead(metadataBytes: metadata.count, contentBytes: bytes.count).bytes + metadata + bytes
    }

    /// Every connection ends after so many bytes of content, either way.
    var cutAfter: Int?

    func cutConnections(after bytes: Int) { cutAfter = bytes }
    func limitProxy(to bytes: Int) { proxyLimit = bytes }
    func expireTokens() { accessToken = "token-\(refreshes + 2)" }
    func refreshed() -> String {
        refreshes += 1
        return accessToken
    }

    /// - Parameter operation: `start`, `status`, `plan`, `chunk`, `finalize`, `whole`, `batch`, `content`, `file`.
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
        sessions[id] = Session(request: request)
        return response(id)
    }

    func extendPlan(_ id: String, _ request: ExtendPlanRequest) throws -> ExtendPlanResponse {
        guard var session = sessions[id] else { throw Problem(.uploadExpired, "no such session") }
        guard request.from <= session.blocks.count else { throw Problem(.planInvalid, "a gap") }
        for (place, block) in zip(request.from..., request.blocks) {
            if place < session.blocks.count {
                guard session.blocks[place] == block else { throw Problem(.planConflict, "another block") }
            } else {
                session.blocks.append(block)
            }
            session.chunks[place] = blocks[block.sha256]
        }
        sessions[id] = session
        let named = request.from..<(request.from + request.blocks.count)
        return ExtendPlanResponse(
            totalChunks: session.blocks.count,
            receivedChunks: session.chunks.keys.filter { named.contains($0) }.sorted().chunkRuns)
    }

    func response(_ id: String) -> UploadResponse {
        let session = sessions[id]!
        return UploadResponse(
            uploadId: id, totalChunks: session.blocks.count, chunksProcessed: session.chunks.count,
            chunkSize: UploadLimits.blockSizes.upperBound, uploadUrl: "https://elsewhere.example/v1/upload/\(id)",
            uploadExpiresAt: Timestamp(seconds: 1_800_000_000),
            receivedChunks: session.chunks.keys.sorted().chunkRuns, file: session.file)
    }

    func noteFetched(_ bytes: Int) { contentBytes += bytes }
    func has(_ id: String) -> Bool { sessions[id] != nil }
    func forget(_ id: String) { sessions[id] = nil }

    /// What only this session holds goes with it.
    func cancel(_ id: String) {
        guard let session = sessions.removeValue(forKey: id), session.file == nil else { return }
        let held = Set(sessions.values.flatMap { other in other.chunks.keys.map { other.blocks[$0].sha256 } })
        for place in session.chunks.keys where !held.contains(session.blocks[place].sha256) {
            blocks[session.blocks[place].sha256] = nil
        }
    }

    /// - Returns: how many bytes are lost.
    func loseBlock(_ index: Int) -> Int {
        var lost = 0
        for id in sessions.keys {
            lost += sessions[id]?.chunks[index]?.count ?? 0
            sessions[id]?.chunks[index] = nil
            if let hash = sessions[id]?.blocks[index].sha256 { blocks[hash] = nil }
        }
        return lost
    }

    /// They came, and are not taken.
    /// Patches that came, of which it takes none.
    private(set) var refusedPatches = 0

    func refuse(_ bytes: [UInt8]) {
        bodyBytes += bytes.count
        refusedPatches += 1
    }

    func put(_ bytes: [UInt8], hash: String?, at range: ContentRange, in id: String) throws {
        bodyBytes += bytes.count
        longestBody = max(longestBody, bytes.count)
        guard let session = sessions[id] else { throw Problem(.notFound, "no such session") }
        guard let places = session.places(in: range), range.total == session.size, Int64(bytes.count) == range.length
        else {
            throw Problem(.rangeOffPlan, "off")
        }
        if let hash, hash != "sha256=\(SHA256Hasher.hash(bytes).hex)" { throw Problem(.chunkCorrupt, "corrupt") }
        var rest = bytes[...]
        for place in places {
            let block = Array(rest.prefix(Int(session.blocks[place].size)))
            rest = rest.dropFirst(block.count)
            let name = session.blocks[place].sha256
            guard SHA256Hasher.hash(block) == name else { throw Problem(.chunkCorrupt, "corrupt") }
            sessions[id]?.chunks[place] = block
            blocks[name] = block
        }
    }

    func finalize(_ id: String, _ request: FinalizeRequest) throws -> FinalizeResponse {
        guard let session = sessions[id] else { throw Problem(.uploadExpired, "gone") }
        let missing = session.blocks.indices.filter { session.chunks[$0] == nil }
        guard missing.isEmpty else {
            throw Problem(.missingChunks, "missing").with { $0.missing = missing.chunkRuns }
        }
        let bytes = session.blocks.indices.flatMap { session.chunks[$0]! }
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

    /// The marks of a revision's blocks, as an upload would have cut it, in their binary form.
    func blocks(of revision: String) -> [UInt8] {
        guard let content = contents[revision] else { return [] }
        var splitter = BlockSplitter(sizes: BlockParameters.newest.sizes(forFileOf: Int64(content.count)))
        var list = [UInt8]()
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(rest.withUnsafeBytes { splitter.take($0) }.count)
            list +=
                SHA256Hasher.hash(block).bytes.prefix(8)
                + withUnsafeBytes(of: UInt32(block.count).bigEndian, Array.init)
            rest = rest.dropFirst(block.count)
        }
        return list
    }

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
