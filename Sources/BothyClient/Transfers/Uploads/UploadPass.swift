import BothyContent
import BothyContract

/// One ordered pass over a source: what was read and waits to be named, to be sent, or to be acknowledged. A value that decides; it
/// touches nothing.
///
/// Blocks are named in order, one request at a time; what is read meanwhile goes into the next.
struct UploadPass: Sendable {
    private struct Held: Sendable {
        var segment: UploadSegment
        /// Pieces that have yet to be acknowledged; nil while the server has not said what it lacks.
        var missing: Int?
    }

    private let size: Int64
    private let longestBody: Int64
    /// Blocks are named as they are read: what the server has of them it says then.
    private let isOpen: Bool
    /// Most of it is there, as far as is known: then a request for each segment costs more than what it names, so as many as can be held go
    /// into one.
    private var namesLate: Bool
    /// In memory, by index.
    private var held = [Int: Held]()
    private var unnamed = [Int]()
    private(set) var naming = [Int]()
    private(set) var ready = [UploadPiece]()
    private(set) var sending = Set<UploadPiece>()
    private(set) var isReading = false
    /// Bytes read so far.
    private var readBytes: Int64 = 0
    /// Bytes of them that the server has.
    private(set) var receivedBytes: Int64 = 0
    /// Blocks of the plan that the server is known to have.
    private(set) var received = ChunkSet()

    /// Segments that are held beside those on their way.
    static let readAhead = 2

    init(size: Int64, longestBody: Int64, isOpen: Bool, namesLate: Bool = false) {
        self.size = size
        self.longestBody = longestBody
        self.isOpen = isOpen
        self.namesLate = namesLate
    }

    var isReadToEnd: Bool { readBytes == size }
    /// Everything was read, and everything that was read is there.
    var isOver: Bool { isReadToEnd && held.isEmpty && !isReading }
    /// Bytes from the beginning that the server has without a gap.
    var prefixBytes: Int64 { held.values.map(\.segment.start).min() ?? readBytes }

    // MARK: - Reading

    /// - Parameter window: pieces that may be on their way at once.
    mutating func beginsReading(window: Int) -> Bool {
        guard !isReading, hasRoom(window: window) else { return false }
        isReading = true
        return true
    }

    private func hasRoom(window: Int) -> Bool { !isReadToEnd && held.count < window + Self.readAhead }

    /// - Returns: segments whose bytes are not needed any more.
    mutating func read(_ segment: UploadSegment) -> [Int] {
        guard isReading, segment.start == readBytes else { return [] }
        isReading = false
        readBytes = segment.end
        held[segment.index] = Held(segment: segment)
        guard isOpen else { return settle(segment.index) }
        unnamed.append(segment.index)
        return []
    }

    // MARK: - Naming

    /// It has turned out that most of it is there.
    mutating func nameLate() { namesLate = true }

    /// - Parameter window: pieces that may be on their way at once.
    /// - Returns: nil where nothing is to be named yet, or a request is under way.
    mutating func beginsNaming(window: Int) -> ExtendPlanRequest? {
        if namesLate, isReading || hasRoom(window: window) { return nil }
        guard naming.isEmpty, let first = unnamed.first.flatMap({ held[$0] }) else { return nil }
        var blocks = [BlockReference]()
        while let next = unnamed.first, let segment = held[next]?.segment,
            blocks.isEmpty || blocks.count + segment.blocks.count <= UploadLimits.maximumBlocksInRequest
        {
            blocks += segment.blocks
            naming.append(unnamed.removeFirst())
        }
        return ExtendPlanRequest(from: first.segment.firstBlock, blocks: blocks)
    }

    /// - Returns: segments of which the server has everything.
    mutating func named(_ answer: ExtendPlanResponse) -> [Int] {
        let segments = naming
        naming = []
        for run in answer.receivedChunks { received.insert(run) }
        return segments.flatMap { settle($0) }
    }

    /// The answer did not come: they are named again, which is fine.
    mutating func namingFailed() {
        unnamed = naming + unnamed
        naming = []
    }

    /// Whether an answer of the server speaks of what it was asked.
    func isPossible(_ answer: ExtendPlanResponse) -> Bool {
        let end = naming.compactMap { held[$0]?.segment.blocksEnd }.max() ?? 0
        return (end...max(end, UploadLimits.maximumChunks)).contains(answer.totalChunks)
            && answer.receivedChunks.allSatisfy { $0.last < answer.totalChunks }
    }

    private mutating func settle(_ index: Int) -> [Int] {
        guard let segment = held[index]?.segment else { return [] }
        let pieces = segment.pieces(without: received, longest: longestBody)
        receivedBytes += segment.size - pieces.reduce(0) { $0 + $1.size }
        guard !pieces.isEmpty else {
            held[index] = nil
            return [index]
        }
        held[index]?.missing = pieces.count
        ready += pieces
        return []
    }

    // MARK: - Sending

    mutating func beginsSending(window: Int) -> UploadPiece? {
        guard sending.count < window, !ready.isEmpty else { return nil }
        let piece = ready.removeFirst()
        sending.insert(piece)
        return piece
    }

    /// - Returns: nil for a piece that is not under way; else the segments that are not needed any more.
    mutating func sent(_ piece: UploadPiece) -> [Int]? {
        guard sending.remove(piece) != nil else { return nil }
        return arrived(piece)
    }

    /// - Returns: false for a piece that is not under way.
    mutating func notSent(_ piece: UploadPiece, again: Bool) -> Bool {
        guard sending.remove(piece) != nil else { return false }
        if again { ready.insert(piece, at: 0) }
        return true
    }

    /// What the server says it has: answers that were lost may have been a yes.
    ///
    /// - Returns: segments that are not needed any more.
    mutating func reconcile(_ runs: [ChunkRun]) -> [Int] {
        for run in runs { received.insert(run) }
        let there = ready.filter { piece in piece.blocks.allSatisfy { received.contains($0) } }
        ready.removeAll { there.contains($0) }
        return there.flatMap { arrived($0) }
    }

    private mutating func arrived(_ piece: UploadPiece) -> [Int] {
        received.insert(piece.run)
        receivedBytes += piece.size
        guard let missing = held[piece.segment]?.missing, missing > 1 else {
            held[piece.segment] = nil
            return [piece.segment]
        }
        held[piece.segment]?.missing = missing - 1
        return []
    }
}

extension UploadSegment {
    fileprivate var blocksEnd: Int { firstBlock + blocks.count }
}
