import BothyContract

/// Values with anything in them, the edges more often than the middle.
struct WireDice {
    private var generator: SeededGenerator
    /// Whether no text of its values needs an escape.
    private let isPlain: Bool

    init(seed: UInt64, isPlain: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.isPlain = isPlain
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }

    private mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }

    private mutating func flag() -> Bool { Bool.random(using: &generator) }

    private mutating func number() -> Int64 {
        pick([0, 1, 9, 10, -1, 4096, .max, .min, Int64.random(in: 0...10_000_000_000, using: &generator)])
    }

    private mutating func text() -> String {
        let plain = [
            "", "report", "Ω", "日本", "👩‍👩‍👧", "e\u{301}", "/", "\u{7f}", "\u{80}", "\u{2028}", "\u{feff}", "</script>", "{",
            ",", " ",
        ]
        let escaped = ["\"", "\\", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{0}", "\u{1f}"]
        let pieces = isPlain ? plain : plain + escaped
        return (0..<Int.random(in: 0...5, using: &generator)).map { _ in pick(pieces) }.joined()
    }

    private mutating func time() -> Timestamp {
        let seconds = pick([Timestamp.firstSecond, -1, 0, 1, 1_795_000_000, Timestamp.lastSecond])
        return Timestamp(seconds: seconds, nanoseconds: pick([0, 1, 999_999_999, 42_000_000, 42_000]))
    }

    private mutating func hash() -> ContentHash {
        ContentHash(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })!
    }

    mutating func file() -> File {
        let media = Media(
            kind: flag() ? .photo : .video, takenAt: time(), width: Int(number()), height: Int(number()),
            durationMs: maybe(number()))
        return File(
            id: text(), name: text(), mimeType: text(), size: number(), parentId: maybe(text()),
            downloadUrl: maybe(text()), checksum: maybe(hash()), headRevisionId: maybe(text()), version: number(),
            createdAt: time(), modifiedAt: time(), updatedAt: time(), trashed: flag(), trashedAt: maybe(time()),
            starred: flag(), hidden: flag(), executable: flag(), requestId: maybe(text()), deviceId: maybe(text()),
            media: maybe(media))
    }

    mutating func revision() -> FileRevision {
        FileRevision(
            revisionId: text(), fileId: text(), mimeType: text(), size: number(), modifiedAt: time(),
            createdAt: time(), deviceId: maybe(text()), downloadUrl: text(), checksum: hash())
    }

    mutating func changes() -> GetChangesResponse {
        GetChangesResponse(
            changes: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                Change(kind: pick(Change.Kind.allCases), id: text(), removed: flag(), file: maybe(file()))
            },
            cursor: text(), hasMore: flag())
    }

    mutating func page() -> GetFilesResponse {
        GetFilesResponse(
            files: (0..<Int.random(in: 0...3, using: &generator)).map { _ in file() },
            pagination: PaginationMetadata(next: maybe(text()), limit: Int(number())))
    }

    mutating func creation() -> CreateFileRequest {
        CreateFileRequest(requestId: maybe(text()), name: text(), mimeType: maybe(text()), parentId: maybe(text()))
    }

    mutating func problem() -> Problem {
        var problem = Problem(pick(ProblemCode.allCases), text())
        problem.retryAfter = maybe(Int(number()))
        problem.missing = maybe(
            (0..<Int.random(in: 0...2, using: &generator)).map { ChunkRun(first: $0, last: $0 + 7) })
        problem.currentRevisionId = maybe(text())
        problem.currentVersion = maybe(number())
        problem.conflictingFileId = maybe(text())
        problem.plan = maybe(PlanBounds(size: maybe(number()), chunkSize: maybe(number()), totalChunks: Int(number())))
        problem.blockParameters = maybe(Int(number()))
        problem.computedSha256 = maybe(hash())
        problem.free = maybe(number())
        problem.earliest = maybe(time())
        problem.restoreId = maybe(text())
        problem.limit = maybe(number())
        return problem
    }

    mutating func batch() -> UploadBatchResponse {
        UploadBatchResponse(
            items: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                switch Int.random(in: 0...2, using: &generator) {
                case 0: UploadBatchOutcome(requestId: maybe(text()), cursor: text(), file: UploadedFile(file()))
                case 1: UploadBatchOutcome(requestId: maybe(text()), cursor: maybe(text()), upload: session())
                default: UploadBatchOutcome(requestId: maybe(text()), problem: problem())
                }
            })
    }

    mutating func batchedContent() -> ContentBatchOutcome {
        guard flag() else { return ContentBatchOutcome(revisionId: text(), problem: problem()) }
        return ContentBatchOutcome(
            revisionId: text(),
            content: BatchedContent(size: number(), checksum: hash(), modifiedAt: time(), executable: flag()))
    }

    mutating func session() -> UploadResponse {
        UploadResponse(
            uploadId: text(), totalChunks: Int(number()), chunksProcessed: Int(number()), chunkSize: number(),
            uploadUrl: text(), uploadExpiresAt: time(), receivedChunks: [ChunkRun(first: 0, last: 7)],
            blockParameters: maybe(Int(number())), file: maybe(file()))
    }

    mutating func upload() -> UploadRequest {
        let blocks = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            BlockReference(sha256: hash(), size: number())
        }
        let plan = ChunkPlan(
            kind: pick(ChunkPlan.Kind.allCases), chunkSize: maybe(number()), blocks: maybe(blocks))
        return UploadRequest(
            requestId: maybe(text()), name: text(), mimeType: maybe(text()), parentId: maybe(text()),
            size: maybe(number()), fileId: maybe(text()), baseRevisionId: maybe(text()),
            fileHashSha256: maybe(hash()), modifiedAt: maybe(time()), executable: maybe(flag()),
            conflict: maybe(pick(ConflictPolicy.allCases)), plan: maybe(plan),
            finalize: maybe(pick(FinalizeMode.allCases)))
    }
}
