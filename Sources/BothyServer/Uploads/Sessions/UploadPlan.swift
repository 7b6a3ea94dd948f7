import BothyContent
import BothyContract

/// How a session's file is divided, without the list of named blocks: that lies in the database, because ten gigabytes
/// of small blocks would not fit in a household server's memory.
package struct UploadPlan: Equatable, Sendable {
    package var kind: ChunkPlan.Kind
    /// Bytes of each fixed chunk but the last; for named blocks the largest one allowed.
    package var chunkSize: Int64
    package var totalChunks: Int
    /// Bytes of the whole file as the client said; an open plan may learn them at finalize.
    package var size: Int64?
    /// Bytes of the chunks that the plan has so far: the whole file, except for an open plan.
    package var plannedBytes: Int64

    package init(kind: ChunkPlan.Kind, chunkSize: Int64, totalChunks: Int, size: Int64?, plannedBytes: Int64) {
        self.kind = kind
        self.chunkSize = chunkSize
        self.totalChunks = totalChunks
        self.size = size
        self.plannedBytes = plannedBytes
    }

    /// A plan for what the start of a session asks, with the blocks it names.
    ///
    /// - Throws: `invalid_parameter`, `file_too_large`, `parameters_unknown` or `plan_invalid`.
    package init(starting request: UploadRequest) throws(Problem) {
        if let size = request.size { try Self.check(fileSize: size) }
        let plan = request.plan ?? .fixed(chunkSize: UploadLimits.defaultChunkSize)
        if let version = plan.parameters { try Self.check(parameters: version) }
        switch plan.kind {
        case .fixed:
            try self.init(fixed: plan, size: request.size)
        case .blocks, .open:
            try self.init(named: plan, size: request.size)
        }
    }

    private init(fixed plan: ChunkPlan, size: Int64?) throws(Problem) {
        guard let size else {
            throw Problem(.planInvalid, "A plan of fixed chunks needs the size of the whole file at the start.")
        }
        let chunkSize = plan.chunkSize ?? UploadLimits.defaultChunkSize
        guard UploadLimits.chunkSizes.contains(chunkSize) else {
            throw Problem(
                .planInvalid,
                "A chunk of \(chunkSize) bytes is outside the \(UploadLimits.chunkSizes.lowerBound) to "
                    + "\(UploadLimits.chunkSizes.upperBound) bytes that this server takes.")
        }
        guard plan.blocks?.isEmpty ?? true else {
            throw Problem(.planInvalid, "A plan of fixed chunks names no blocks.")
        }
        self.init(
            kind: .fixed, chunkSize: chunkSize, totalChunks: Int((size + chunkSize - 1) / chunkSize), size: size,
            plannedBytes: size)
    }

    private init(named plan: ChunkPlan, size: Int64?) throws(Problem) {
        self.init(
            kind: plan.kind, chunkSize: UploadLimits.blockSizes.upperBound, totalChunks: 0, size: size, plannedBytes: 0)
        try append(plan.blocks ?? [])
        guard plan.kind == .blocks else { return }
        if let size, size != plannedBytes {
            throw Problem(.planInvalid, "The named blocks are \(plannedBytes) bytes together, the file \(size).")
        }
        self.size = plannedBytes
    }

    /// The plan with more named blocks at its end.
    ///
    /// - Throws: `plan_invalid` or `file_too_large`; the plan is then as it was.
    package mutating func append(_ blocks: [BlockReference]) throws(Problem) {
        guard blocks.count <= UploadLimits.maximumBlocksInRequest else {
            throw Problem(
                .planInvalid,
                "One request names at most \(UploadLimits.maximumBlocksInRequest) blocks; "
                    + "extend an open plan with the others.")
        }
        guard totalChunks + blocks.count <= UploadLimits.maximumChunks else {
            throw Problem(.planInvalid, "A plan has at most \(UploadLimits.maximumChunks) blocks.")
        }
        var bytes = plannedBytes
        for block in blocks {
            guard UploadLimits.blockSizes.contains(block.size) else {
                throw Problem(
                    .planInvalid,
                    "A block of \(block.size) bytes is outside the 1 to \(UploadLimits.blockSizes.upperBound) bytes "
                        + "that this server takes.")
            }
            bytes += block.size
        }
        try Self.check(fileSize: bytes)
        if let size, bytes > size {
            throw Problem(.planInvalid, "The named blocks are \(bytes) bytes together, the file only \(size).")
        }
        totalChunks += blocks.count
        plannedBytes = bytes
    }

    /// Blocks of a version that nobody here knows would be kept for ever, and shared with nobody.
    private static func check(parameters version: Int) throws(Problem) {
        guard BlockParameters(version: version) == nil else { return }
        throw Problem(
            .parametersUnknown,
            "This server does not know version \(version) of the parameters that files are cut by; "
                + "it knows up to \(BlockParameters.newest.version). Nothing was started.")
    }

    package static func check(fileSize: Int64) throws(Problem) {
        guard fileSize >= 0 else {
            throw Problem(.invalidParameter, "A file cannot have \(fileSize) bytes.")
        }
        guard fileSize <= UploadLimits.maximumFileSize else {
            throw Problem(
                .fileTooLarge, "The file has \(fileSize) bytes; this server takes \(UploadLimits.maximumFileSize)."
            ).with { $0.limit = UploadLimits.maximumFileSize }
        }
    }
}

// MARK: - Where chunks lie

extension UploadPlan {
    package var bounds: PlanBounds {
        PlanBounds(size: size, chunkSize: kind == .fixed ? chunkSize : nil, totalChunks: totalChunks)
    }

    /// True once nothing can be added: from the start, except for an open plan.
    package var isWhole: Bool { kind != .open }

    package func offPlan(_ detail: String) -> Problem {
        Problem(.rangeOffPlan, detail).with { $0.plan = bounds }
    }

    /// Where a fixed chunk begins, and its bytes.
    ///
    /// - Precondition: the plan is fixed, and has the chunk.
    package func fixedChunk(at index: Int) -> PlannedChunk {
        precondition(kind == .fixed && (0..<totalChunks).contains(index), "only a chunk of a fixed plan is computed")
        let start = Int64(index) * chunkSize
        return PlannedChunk(position: index, start: start, size: min(chunkSize, plannedBytes - start))
    }

    /// The fixed chunks that `range` covers exactly.
    ///
    /// - Throws: `range_off_plan` when it begins or ends inside a chunk, or past the plan.
    package func fixedChunks(covering range: ContentRange) throws(Problem) -> ClosedRange<Int> {
        guard range.first % chunkSize == 0, range.first < plannedBytes,
            range.last < plannedBytes, range.last == plannedBytes - 1 || (range.last + 1) % chunkSize == 0
        else { throw offPlan("\(range.text) is not made of whole chunks of this upload.") }
        return Int(range.first / chunkSize)...Int(range.last / chunkSize)
    }

    /// - Throws: `range_off_plan` for a total that is not the plan's, an index that is not in it, or more than one
    ///   request may carry.
    package func check(_ placement: ChunkPlacement) throws(Problem) {
        switch placement {
        case .index(let index):
            guard (0..<totalChunks).contains(index) else {
                throw offPlan("There is no chunk \(index): the plan has \(totalChunks).")
            }
        case .range(let range):
            if let total = range.total, let size, total != size {
                throw offPlan("\(range.text) is of a file of \(total) bytes; this upload has \(size).")
            }
            guard range.first >= 0, range.last >= range.first, range.last < plannedBytes else {
                throw offPlan("\(range.text) lies past the end of the plan.")
            }
            guard range.length <= UploadLimits.maximumRangeBody else {
                throw Problem(
                    .bodyTooLarge,
                    "\(range.length) bytes are more than one request may carry (\(UploadLimits.maximumRangeBody))."
                ).with { $0.limit = UploadLimits.maximumRangeBody }
            }
        case .unreadable(let text):
            throw offPlan("“\(text.prefix(100))” is no range of this upload.")
        }
    }
}

/// One chunk of a plan, with what is known of its content.
package struct PlannedChunk: Equatable, Sendable {
    package var position: Int
    package var start: Int64
    package var size: Int64
    /// What the plan names, or what was received; nil for a fixed chunk that has not come yet.
    package var hash: ContentHash?
    package var received: Bool

    package init(position: Int, start: Int64, size: Int64, hash: ContentHash? = nil, received: Bool = false) {
        self.position = position
        self.start = start
        self.size = size
        self.hash = hash
        self.received = received
    }

    package var end: Int64 { start + size }
}

/// Which chunks a request says its body is.
package enum ChunkPlacement: Equatable, Sendable {
    case index(Int)
    case range(ContentRange)
    /// A `Content-Range` in bytes whose numbers cannot be: negative, past 63 bits, backwards.
    case unreadable(String)
}
