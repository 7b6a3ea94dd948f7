import BothyClient
import BothyContent
import BothyContract
import Testing

/// Drives an upload's machine against a model of a server, everything in an order that the seed decides.
struct UploadWorld {
    struct Flaws {
        /// Of 100.
        var transient = 0
        var lostAnswer = 0
        var corrupt = 0
        var sessionLost = 0
        var impossible = 0
        var crash = 0
        /// More uploads are open than the server takes.
        var full = 0
        /// After so many steps nothing goes wrong any more.
        var until = 400
    }

    /// What a file of the same size is.
    enum Twin {
        case another, equal, equalAndLost
    }

    struct Session {
        var plan: [BlockReference]
        /// What its start said that the blocks are cut by.
        var parameters: Int?
        var received = Set<Int>()
        var chunkSize = UploadLimits.blockSizes.upperBound
    }

    var random: SeededRandom
    var flaws: Flaws
    var machine: UploadMachine
    var saved: UploadTransfer
    var work = [UploadMachine.Action]()
    /// Answers that are on their way; one may overtake another.
    var mail = [UploadMachine.Event]()
    var sessions = [String: Session]()
    var sessionsBegun = 0
    /// Of every session, and of those before.
    var drive = Set<ContentHash>()
    /// Bytes that were taken more than once while the drive had them.
    var sentTwice: Int64 = 0
    var steps = 0
    var shown: Int64 = 0
    // The reader.
    var kept = Set<Int>()
    var readBlocks = 0
    var readBytes: Int64 = 0
    var segments = 0
    let facts: FileFacts
    /// Some devices remember what the drive has of the file.
    let hasBasis: Bool
    /// Others remember a file that begins as this one does.
    let isCopy: Bool
    /// The version of the parameters that the drive's files are cut by.
    var parameters: Int
    /// What the server says to a plan of others; a server of before takes it.
    let refusal: ProblemCode?
    /// What this device was told of them, and remembers.
    var known: BlockParameters?
    /// After so many steps a later release changes them to version 1.
    let changesAfter: Int?
    let twin: Twin?
    /// Requests that named blocks.
    var names = 0
    let blocks: [BlockReference]
    let hash = SHA256Hasher.hash([1, 2, 3])

    init(
        seed: UInt64, size: Int64, flaws: Flaws, fixed: Bool = false, repeating: Bool = true, parameters: Int = 1,
        refusal: ProblemCode? = nil, known: BlockParameters? = .newest, changesAfter: Int? = nil, twin: Twin? = nil,
        isDamaged: Bool = false
    ) {
        random = SeededRandom(seed)
        self.flaws = flaws
        hasBasis = seed % 3 == 1
        isCopy = seed % 3 == 2
        (self.parameters, self.refusal, self.known) = (parameters, refusal, known)
        self.changesAfter = changesAfter
        facts = FileFacts(
            kind: .file, size: size, modifiedAt: Timestamp(seconds: 5), inode: 7, device: 1, executable: false)
        self.twin = twin
        var order = UploadOrder(localPath: "/a", name: "a", parentId: File.rootId)
        if let twin { order.twins = [twin == .another ? SHA256Hasher.hash([7]) : hash] }
        if isDamaged { order.checksum = SHA256Hasher.hash([7]) }
        saved = UploadTransfer(transferId: "t", order: order, now: Timestamp(seconds: 0))
        blocks = Self.blocks(
            of: size, longest: fixed || parameters != known?.version && parameters > 1 ? 4 << 20 : nil,
            repeating: repeating, using: &random)
        if fixed {
            // As an older release left it, with two chunks there.
            saved.pin(facts)
            saved.plan = .fixed
            saved.sessionId = "s0"
            sessions["s0"] = Session(plan: blocks, received: [1, 4], chunkSize: 4 << 20)
            drive = [blocks[1].sha256, blocks[4].sha256]
        }
        machine = UploadMachine(saved)
    }

    private static func blocks(
        of size: Int64, longest: Int64?, repeating: Bool, using random: inout SeededRandom
    ) -> [BlockReference] {
        var blocks = [BlockReference]()
        var rest = size
        while rest > 0 {
            let length = min(rest, longest ?? Int64.random(in: (64 << 10)...(900 << 10), using: &random))
            var block = BlockReference(
                sha256: SHA256Hasher.hash([UInt8(blocks.count % 256), UInt8(blocks.count / 256)]), size: length)
            // Some of them are the same.
            if longest == nil, repeating, let known = blocks.randomElement(using: &random), known.size <= rest,
                Int.random(in: 0..<5, using: &random) == 0
            {
                block = known
            }
            blocks.append(block)
            rest -= block.size
        }
        return blocks
    }

    /// Runs until the transfer rests.
    mutating func run() throws {
        try act(machine.handle(.begin))
        while !machine.transfer.state.rests {
            steps += 1
            if steps == changesAfter { parameters = 1 }
            try #require(steps < 8_000, "the upload comes to no end")
            if hit(flaws.crash) {
                try crash()
                continue
            }
            try #require(
                !work.isEmpty || !mail.isEmpty,
                "nothing is under way, and the upload does not rest: \(machine.transfer.state)")
            let next = Int.random(in: 0..<(work.count + mail.count), using: &random)
            if next < work.count {
                if let event = try answer(work.remove(at: next)) { mail.append(event) }
            } else {
                try act(machine.handle(mail.remove(at: next - work.count)))
            }
        }
    }

    mutating func act(_ actions: [UploadMachine.Action]) throws {
        for action in actions {
            switch action {
            case .save: saved = machine.transfer
            case .note(let told): known = told.cuts
            case .rewind:
                (work, mail) = ([], [])
                rewind()
            case .forget(let segment):
                try #require(kept.remove(segment) != nil, "what is not kept is forgotten")
            case .cancelSession(let id): cancel(id)
            case .rest: (work, mail) = ([], [])
            default: work.append(action)
            }
        }
        let sending = work.count { if case .send = $0 { true } else { false } }
        try #require(sending <= 4, "more than four bodies are under way")
        try #require(kept.count <= 7, "more bytes are kept than are bounded")
        try #require(work.count { $0 == .readOn } <= 1, "the source is read twice at once")
        try #require(work.count { if case .name = $0 { true } else { false } } <= 1, "blocks are named out of order")
        try #require(machine.transfer.shownBytes >= shown, "progress ran backwards")
        shown = machine.transfer.shownBytes
        let onTheWay = machine.bytesOnTheWay
        try #require(onTheWay >= 0 && onTheWay <= facts.size, "more is on its way than there is")
        try #require(onTheWay == 0 || !machine.transfer.state.rests, "what rests sends nothing")
    }

    private mutating func rewind() {
        kept = []
        (readBlocks, readBytes, segments) = (0, 0, 0)
    }

    private mutating func crash() throws {
        machine = UploadMachine(saved)
        (work, mail) = ([], [])
        rewind()
        try act(machine.handle(.begin))
    }

    /// What only this session had goes with it.
    private mutating func cancel(_ id: String) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        let others = Set(sessions.values.flatMap { other in other.received.map { other.plan[$0].sha256 } })
        for place in session.received where !others.contains(session.plan[place].sha256) {
            drive.remove(session.plan[place].sha256)
        }
    }

    private mutating func hit(_ percent: Int) -> Bool {
        steps < flaws.until && Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func trouble() -> TransferFailure? {
        guard hit(flaws.transient) else { return nil }
        return TransferFailure(Bool.random(using: &random) ? .offline : .serverBusy, "no")
    }

    private mutating func fullness() -> TransferFailure? {
        guard hit(flaws.full) else { return nil }
        return TransferFailure(Problem(.tooManyUploads, "Open uploads plan too much."))
    }

    private mutating func answer(_ action: UploadMachine.Action) throws -> UploadMachine.Event? {
        switch action {
        case .lookAtSource: return .sourceLooked(facts, hasBasis: hasBasis, cuts: known)
        case .backOff: return .backedOff
        case .startSession(let request): return try start(request)
        case .hashAndStart(var request):
            guard machine.transfer.twins.contains(hash) else { return .sourceHashed(nil) }
            request.fileHashSha256 = hash
            #expect(machine.handle(.sourceHashed(hash)).isEmpty)
            return try start(request)
        case .askSession(let id):
            if let failure = trouble() { return .sessionRefused(failure) }
            guard sessions[id] != nil else {
                return .sessionRefused(TransferFailure(Problem(.uploadExpired, "gone")))
            }
            return .sessionTold(response(id))
        case .readOn:
            let segment = read()
            return .segmentRead(segment, hasBasis: isCopy && segment.index == 0)
        case .name(let id, let request): return try name(id, request)
        case .send(let piece):
            // Connections tell of it when they like; also when it was answered already.
            mail.append(.handed(piece, Int64.random(in: 0...(2 * piece.size), using: &random)))
            return send(piece)
        case .sendWhole: return .wholeSent(UploadedFile(file), hash, status: 201)
        case .finalize(let id, _): return try finalize(id)
        case .rewind, .forget, .cancelSession, .note, .save, .rest: return nil
        }
    }

    private mutating func start(_ request: UploadRequest) throws -> UploadMachine.Event {
        if let failure = trouble() ?? fullness() { return .sessionRefused(failure) }
        if let refused = refusal(of: request.plan?.parameters) { return .sessionRefused(refused) }
        sessionsBegun += 1
        sessions["s\(sessionsBegun)"] = Session(plan: [], parameters: request.plan?.parameters)
        try #require(request.fileHashSha256 == nil || twin == .equal || twin == .equalAndLost)
        if request.fileHashSha256 == hash, twin == .equal {
            if hit(flaws.lostAnswer) { return .sessionRefused(TransferFailure(.offline, "lost")) }
            var told = response("s\(sessionsBegun)")
            told.file = file
            return .sessionTold(told)
        }
        if request.plan == .fixed(chunkSize: 4 << 20) {
            try #require(parameters > 1 || known == nil, "fixed chunks share nothing with later versions")
            let chunks =
                parameters > 1
                ? blocks : Self.blocks(of: facts.size, longest: 4 << 20, repeating: false, using: &random)
            sessions["s\(sessionsBegun)"] = Session(plan: chunks, chunkSize: 4 << 20)
        } else {
            try #require(request.plan?.kind == .open && request.plan?.parameters != nil)
        }
        return .sessionTold(response("s\(sessionsBegun)"))
    }

    private func refusal(of planned: Int?) -> TransferFailure? {
        guard let refusal, let planned, planned != parameters else { return nil }
        let told = refusal == .parametersDiffer ? parameters : nil
        return TransferFailure(Problem(refusal, "otherwise").with { $0.blockParameters = told })
    }

    private mutating func read() -> UploadSegment {
        var segment = UploadSegment(index: segments, start: readBytes, firstBlock: readBlocks, blocks: [])
        let limit = machine.transfer.plan == .fixed ? 1 : machine.transfer.chunkSize
        repeat {
            segment.blocks.append(blocks[readBlocks])
            readBlocks += 1
        } while readBlocks < blocks.count && segment.size < limit
        readBytes = segment.end
        kept.insert(segments)
        segments += 1
        if readBytes == facts.size { segment.wholeHash = hash }
        return segment
    }

    private mutating func name(_ id: String, _ request: ExtendPlanRequest) throws -> UploadMachine.Event {
        names += 1
        if let failure = trouble() ?? fullness() { return .nameRefused(failure) }
        if hit(flaws.sessionLost) { sessions[id] = nil }
        guard var session = sessions[id] else {
            return .nameRefused(TransferFailure(Problem(.uploadExpired, "gone")))
        }
        if let refused = refusal(of: session.parameters) { return .nameRefused(refused) }
        try #require(session.parameters == parameters, "blocks are named that nobody else would name so")
        try #require(request.from <= session.plan.count, "blocks were left out")
        for (place, block) in zip(request.from..., request.blocks) {
            if place < session.plan.count {
                try #require(session.plan[place] == block, "a block was named otherwise before")
            } else {
                session.plan.append(block)
            }
            if drive.contains(block.sha256) { session.received.insert(place) }
        }
        sessions[id] = session
        if hit(flaws.lostAnswer) { return .nameRefused(TransferFailure(.offline, "lost")) }
        let named = request.from..<(request.from + request.blocks.count)
        return .named(
            ExtendPlanResponse(
                totalChunks: hit(flaws.impossible) ? 0 : session.plan.count,
                receivedChunks: session.received.filter { named.contains($0) }.sorted().chunkRuns))
    }

    private mutating func send(_ piece: UploadPiece) -> UploadMachine.Event {
        let id = machine.transfer.sessionId ?? ""
        if let failure = trouble() { return .sendRefused(piece, failure) }
        if hit(flaws.sessionLost) { sessions[id] = nil }
        guard let session = sessions[id] else {
            return .sendRefused(piece, TransferFailure(Problem(.uploadExpired, "gone")))
        }
        if hit(flaws.corrupt) { return .sendRefused(piece, TransferFailure(Problem(.chunkCorrupt, "bits"))) }
        for place in piece.blocks {
            if !drive.insert(session.plan[place].sha256).inserted { sentTwice += session.plan[place].size }
        }
        // A block fills every place of the plan that names it.
        let there = session.plan.indices.filter { place in
            piece.blocks.contains { session.plan[$0].sha256 == session.plan[place].sha256 }
        }
        sessions[id]?.received.formUnion(there)
        if hit(flaws.lostAnswer) { return .sendRefused(piece, TransferFailure(.offline, "lost")) }
        var answer = response(id)
        if hit(flaws.impossible) { answer.chunksProcessed = answer.totalChunks + 1 }
        return .sent(piece, answer, status: 308, seconds: 0.1)
    }

    private mutating func finalize(_ id: String) throws -> UploadMachine.Event {
        try #require(machine.transfer.expectedHash == nil, "what is damaged becomes no file")
        if let failure = trouble() { return .finalizeRefused(failure) }
        guard let session = sessions[id] else {
            return .finalizeRefused(TransferFailure(Problem(.uploadExpired, "gone")))
        }
        try #require(session.plan == blocks, "the plan is not the file")
        let missing = session.plan.indices.filter { !session.received.contains($0) }
        guard missing.isEmpty else {
            return .finalizeRefused(
                TransferFailure(Problem(.missingChunks, "missing").with { $0.missing = missing.chunkRuns }))
        }
        let revision = FileRevision(
            revisionId: "r", fileId: "f", mimeType: "", size: facts.size, modifiedAt: facts.modifiedAt,
            createdAt: facts.modifiedAt, deviceId: nil, downloadUrl: "/", checksum: hash)
        return .finalized(FinalizeResponse(remoteFileId: "f", fileHashSha256: hash, file: file, revision: revision))
    }

    private func response(_ id: String) -> UploadResponse {
        let session = sessions[id] ?? Session(plan: [])
        return UploadResponse(
            uploadId: id, totalChunks: session.plan.count, chunksProcessed: session.received.count,
            chunkSize: session.chunkSize, uploadUrl: "/", uploadExpiresAt: Timestamp(seconds: 9),
            receivedChunks: session.received.sorted().chunkRuns, blockParameters: parameters, file: nil)
    }

    private var file: File {
        File(
            id: "f", name: "a", mimeType: "", size: facts.size, parentId: nil, checksum: hash, headRevisionId: "r",
            version: 1, createdAt: facts.modifiedAt, modifiedAt: facts.modifiedAt, updatedAt: facts.modifiedAt)
    }
}
