/// `POST /v1/upload?uploadType=resumable`: starts a session over a chunk plan.
public struct UploadRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once, and finds its session again.
    public var requestId: String?
    /// See ``FileName``; refused with `invalid_name` otherwise.
    public var name: String
    /// ``File/defaultMimeType`` where absent.
    public var mimeType: String?
    /// The root where absent.
    public var parentId: String?
    /// Bytes of the whole file; an open plan may learn it at finalize.
    public var size: Int64?
    /// The file that gets a new revision; absent for a new file.
    public var fileId: String?
    /// The revision that the content was made from; refused when it is no longer the head.
    public var baseRevisionId: String?
    /// Of the whole file. Where the drive has it already, the session is finished at once.
    public var fileHashSha256: ContentHash?
    /// The content's own time; now where absent.
    public var modifiedAt: Timestamp?
    public var executable: Bool?
    /// ``ConflictPolicy/fail`` where absent; for new files.
    public var conflict: ConflictPolicy?
    /// Fixed chunks of ``UploadLimits/defaultChunkSize`` where absent.
    public var plan: ChunkPlan?
    /// ``FinalizeMode/auto`` where absent, except for an open plan.
    public var finalize: FinalizeMode?

    public init(
        requestId: String?, name: String, mimeType: String? = nil, parentId: String? = nil, size: Int64? = nil,
        fileId: String? = nil, baseRevisionId: String? = nil, fileHashSha256: ContentHash? = nil,
        modifiedAt: Timestamp? = nil, executable: Bool? = nil, conflict: ConflictPolicy? = nil,
        plan: ChunkPlan? = nil, finalize: FinalizeMode? = nil
    ) {
        self.requestId = requestId
        self.name = name
        self.mimeType = mimeType
        self.parentId = parentId
        self.size = size
        self.fileId = fileId
        self.baseRevisionId = baseRevisionId
        self.fileHashSha256 = fileHashSha256
        self.modifiedAt = modifiedAt
        self.executable = executable
        self.conflict = conflict
        self.plan = plan
        self.finalize = finalize
    }
}

/// What happens when the name is taken.
public enum ConflictPolicy: String, Codable, CaseIterable, Sendable {
    /// 409, and nothing changes.
    case fail
    /// The name gets a counter: `report (1).pdf`.
    case fork
    /// A new revision of the file that is there.
    case overwrite
}

/// What finishes a file whose chunks are all there.
public enum FinalizeMode: String, Codable, CaseIterable, Sendable {
    /// The last chunk finishes the file. Not for open plans.
    case auto
    /// `POST …/finalize` finishes the file.
    case explicit
}

/// How a file is divided for its upload.
public struct ChunkPlan: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Chunks of `chunkSize`, the last one shorter.
        case fixed
        /// Blocks that the client names, all at the start.
        case blocks
        /// Blocks that the client names as it reads the file.
        case open
    }

    public var kind: Kind
    /// Bytes; `fixed` only.
    public var chunkSize: Int64?
    /// `blocks`: all of them. `open`: those known already.
    public var blocks: [BlockReference]?
    /// The version of the parameters that the blocks are cut by; absent where they are cut in a way of the client's own. One that the server
    /// does not know is refused with `parameters_unknown`, and one that is not the drive's with `parameters_differ`.
    public var parameters: Int?

    public init(kind: Kind, chunkSize: Int64? = nil, blocks: [BlockReference]? = nil, parameters: Int? = nil) {
        self.kind = kind
        self.chunkSize = chunkSize
        self.blocks = blocks
        self.parameters = parameters
    }

    public static func fixed(chunkSize: Int64) -> ChunkPlan { ChunkPlan(kind: .fixed, chunkSize: chunkSize) }
    public static func blocks(_ blocks: [BlockReference]) -> ChunkPlan { ChunkPlan(kind: .blocks, blocks: blocks) }
    public static func open(_ blocks: [BlockReference] = [], parameters: Int? = nil) -> ChunkPlan {
        ChunkPlan(kind: .open, blocks: blocks, parameters: parameters)
    }
}

/// `POST /v1/upload/{id}/plan`: more blocks of an open plan.
public struct ExtendPlanRequest: Codable, Equatable, Sendable {
    /// The index of the first of `blocks`.
    public var from: Int
    /// At most ``UploadLimits/maximumBlocksInRequest``. Those that the plan has already must be the same.
    public var blocks: [BlockReference]

    public init(from: Int, blocks: [BlockReference]) {
        self.from = from
        self.blocks = blocks
    }
}

/// `POST /v1/upload/{id}/plan`: the plan as it is now.
public struct ExtendPlanResponse: Codable, Equatable, Sendable {
    public var totalChunks: Int
    /// Which of the named blocks are there already, as runs of chunk indexes.
    public var receivedChunks: [ChunkRun]

    public init(totalChunks: Int, receivedChunks: [ChunkRun]) {
        self.totalChunks = totalChunks
        self.receivedChunks = receivedChunks
    }
}
