import BothyContract

/// One upload, as decided: what came so far, and what may come next. Values in, decisions out; the lists that grow with
/// the file stay in the database, and reach the decisions as the few chunks that an event touches.
package struct UploadSession: Equatable, Sendable {
    package enum Phase: String, Sendable {
        case open, finished, canceled, expired
    }

    package var uploadId: String
    package var deviceId: String
    package var phase: Phase
    package var plan: UploadPlan
    /// What the start named, without the blocks of its plan.
    package var request: UploadRequest
    package var receivedChunks: Int
    /// Chunks from the first one on that have all come: the contiguous prefix.
    package var prefixChunks: Int
    package var prefixBytes: Int64
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// Lived seconds of the last activity.
    package var activeLived: Int64
    package var outcome: UploadOutcome?

    package init(
        uploadId: String, deviceId: String, plan: UploadPlan, request: UploadRequest, now: Timestamp, lived: Int64
    ) {
        self.uploadId = uploadId
        self.deviceId = deviceId
        self.phase = .open
        self.plan = plan
        self.request = request
        self.request.plan?.blocks = nil
        self.receivedChunks = 0
        self.prefixChunks = 0
        self.prefixBytes = 0
        self.createdAt = now
        self.expiresAt = now.adding(seconds: UploadLimits.sessionLifetime)
        self.activeLived = lived
    }

    package var hasEveryChunk: Bool { receivedChunks == plan.totalChunks }

    /// Places behind the prefix among which those that came have to be looked for.
    var scatteredChunks: Int { receivedChunks == prefixChunks ? 0 : plan.totalChunks - prefixChunks }

    /// True when nothing but the finalize is left, and nobody has to ask for it.
    package var finishesByItself: Bool {
        phase == .open && plan.isWhole && hasEveryChunk && (request.finalize ?? .auto) == .auto
    }
}

// MARK: - Events

extension UploadSession {
    /// The session as it is at this moment of lived time: one that nobody touched for a day has expired.
    package func seen(at lived: Int64) -> UploadSession {
        guard phase == .open, lived - activeLived > UploadLimits.sessionLifetime else { return self }
        var copy = self
        copy.phase = .expired
        return copy
    }

    /// - Throws: `upload_canceled`, `upload_expired`, `upload_finished`.
    package func requireOpen() throws(Problem) {
        switch phase {
        case .open: return
        case .finished:
            throw Problem(.uploadFinished, "This upload is already finished.")
        case .canceled:
            throw Problem(.uploadCanceled, "This upload was canceled. Start a new one.")
        case .expired:
            throw Problem(
                .uploadExpired,
                "Nothing came for this upload for a day. Start a new one; "
                    + "one that names its blocks reuses those already received.")
        }
    }

    package mutating func touch(now: Timestamp, lived: Int64) {
        expiresAt = now.adding(seconds: UploadLimits.sessionLifetime)
        activeLived = max(activeLived, lived)
    }

    /// Looks at the chunks that a request is about to send, before its body is read.
    ///
    /// - Parameters:
    ///   - chunks: what `placement` covers, in order.
    ///   - digest: what the request says of its whole body.
    ///   - length: bytes of the body, where the request says so.
    /// - Returns: what to check each chunk against as it comes.
    /// - Throws: `range_off_plan`, `length_mismatch`, `chunk_hash_conflict`.
    package func admit(
        _ chunks: [PlannedChunk], digest: ContentHash?, length: Int64?
    ) throws(Problem) -> [ExpectedChunk] {
        try requireOpen()
        guard let first = chunks.first, let last = chunks.last else { throw plan.offPlan("This names no chunk.") }
        let bytes = last.end - first.start
        if let length, length != bytes {
            throw Problem(.lengthMismatch, "The body has \(length) bytes; the chunks it names have \(bytes).")
        }
        if chunks.count == 1, let digest, let known = first.hash, known != digest {
            throw Self.conflict(at: first.position)
        }
        return chunks.map { chunk in
            ExpectedChunk(
                position: chunk.position, start: chunk.start, size: chunk.size,
                hash: chunk.hash ?? (chunks.count == 1 ? digest : nil),
                isNamed: plan.kind != .fixed, isThere: chunk.received)
        }
    }

    /// Chunks came, were checked, and lie on the disk.
    ///
    /// - Parameter present: what the session has at their places now: others may have been quicker.
    /// - Returns: those that are new to the session.
    /// - Throws: `chunk_hash_conflict`, or why the session takes nothing more.
    package mutating func receive(
        _ arrived: [ArrivedChunk], present: [Int: PlannedChunk], now: Timestamp, lived: Int64
    ) throws(Problem) -> [ArrivedChunk] {
        try requireOpen()
        var new = [ArrivedChunk]()
        for chunk in arrived {
            let there = present[chunk.position]
            if let known = there?.hash, known != chunk.hash { throw Self.conflict(at: chunk.position) }
            if there?.received != true { new.append(chunk) }
        }
        touch(now: now, lived: lived)
        return new
    }

    /// - Parameter count: places that were empty before. One block can fill several: a file repeats itself.
    package mutating func fill(_ count: Int) {
        receivedChunks += count
        precondition(receivedChunks <= plan.totalChunks, "no more chunks come than the plan has")
    }

    /// The chunks that follow the prefix without a gap join it.
    package mutating func advancePrefix(over chunks: some Sequence<PlannedChunk>) {
        for chunk in chunks {
            guard chunk.position == prefixChunks, chunk.received else { return }
            prefixChunks += 1
            prefixBytes = chunk.end
        }
    }

    /// More blocks of an open plan, from index `from` on.
    ///
    /// - Parameter known: the plan's own blocks from `from` on, as far as `blocks` reaches.
    /// - Returns: the blocks that are new, all of them at the plan's end.
    /// - Throws: `plan_not_open`, `plan_conflict`, `plan_invalid`, `file_too_large`; the session is then as it was.
    package mutating func extend(
        from: Int, with blocks: [BlockReference], known: [PlannedChunk], now: Timestamp, lived: Int64
    ) throws(Problem) -> ArraySlice<BlockReference> {
        try requireOpen()
        guard plan.kind == .open else {
            throw Problem(.planNotOpen, "This upload's plan was whole from the start.")
        }
        guard (0...plan.totalChunks).contains(from) else {
            throw Problem(
                .planInvalid, "The plan has \(plan.totalChunks) blocks, so it cannot continue at \(from).")
        }
        for (block, chunk) in zip(blocks, known) where block.sha256 != chunk.hash || block.size != chunk.size {
            throw Problem(.planConflict, "Block \(chunk.position) was named as another one before.")
        }
        let new = blocks.dropFirst(plan.totalChunks - from)
        try plan.append(Array(new))
        touch(now: now, lived: lived)
        return new
    }

    package mutating func finish(_ outcome: UploadOutcome) {
        precondition(phase == .open, "only an open session finishes")
        phase = .finished
        self.outcome = outcome
    }

    /// - Throws: `upload_finished`, `upload_expired`. Canceling twice is fine.
    package mutating func cancel() throws(Problem) {
        if phase == .canceled { return }
        try requireOpen()
        phase = .canceled
    }

    private static func conflict(at position: Int) -> Problem {
        Problem(
            .chunkHashConflict, "Chunk \(position) is another one. If the file has changed, start a new upload.")
    }
}

/// What a chunk that is about to come is held against.
package struct ExpectedChunk: Equatable, Sendable {
    package var position: Int
    package var start: Int64
    package var size: Int64
    package var hash: ContentHash?
    /// The plan names the hash, so other bytes are damaged ones.
    package var isNamed: Bool
    /// The session has it: what comes is checked, and not kept a second time.
    package var isThere: Bool

    package init(position: Int, start: Int64, size: Int64, hash: ContentHash?, isNamed: Bool, isThere: Bool) {
        self.position = position
        self.start = start
        self.size = size
        self.hash = hash
        self.isNamed = isNamed
        self.isThere = isThere
    }
}

/// A chunk that came whole, and where its bytes lie; nil where the session had it already.
package struct ArrivedChunk: Equatable, Sendable {
    package var position: Int
    package var start: Int64
    package var hash: ContentHash
    package var size: Int64
    package var location: BlockLocation?

    package init(position: Int, start: Int64, hash: ContentHash, size: Int64, location: BlockLocation?) {
        self.position = position
        self.start = start
        self.hash = hash
        self.size = size
        self.location = location
    }
}
