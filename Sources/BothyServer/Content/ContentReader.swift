import BothyContract
import NIOCore

/// Reads content from the packs, piece by piece and one piece ahead, so that the disk works while the network does, and
/// memory does not grow with the content.
package struct ContentReader: Sendable {
    /// Bytes read at once.
    private static let pieceSize = 512 << 10
    /// Blocks looked up at once.
    private static let blocksAtOnce = 64

    private let database: any Database
    private let packs: any PackStore

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
    }

    /// Content of which the first piece was read, and what was known to be damaged: damage there is told before anything
    /// is sent.
    package struct Opened: Sendable {
        /// Nil for a range of no bytes.
        package fileprivate(set) var first: ByteBuffer?
        /// Whether what was read lies compressed.
        package fileprivate(set) var isSmallAtRest: Bool
        fileprivate var rest: Pieces
        fileprivate var driveId: Int64
    }

    /// - Parameters:
    ///   - range: inside the content; nothing is read for an empty one.
    ///   - least: bytes that the first piece has, where there are so many: a range may begin shortly before a block ends.
    /// - Throws: ``PackError/damaged(_:)``, ``DatabaseError``.
    package func open(_ content: StoredContent, range: Range<Int64>, reading least: Int = 0) async throws -> Opened {
        var pieces = Pieces(content: content, range: range, database: database)
        try await checkKnownDamage(content, range)
        let place = try await pieces.next()
        var first = try await read(place, of: content.driveId)
        while let count = first?.readableBytes, count < least,
            let more = try await read(try await pieces.next(), of: content.driveId)
        { first?.writeImmutableBuffer(more) }
        return Opened(
            first: first, isSmallAtRest: place?.location.isCompressed == true, rest: pieces, driveId: content.driveId)
    }

    /// Damage that was met before is told outright: a connection that only breaks off would be tried again and again. What
    /// reads well again is no longer damaged.
    private func checkKnownDamage(_ content: StoredContent, _ range: Range<Int64>) async throws {
        let known = try await database.read {
            try ContentBlocks($0, drive: content.driveId).firstDamaged(of: content.contentId, in: range)
        }
        guard let known else { return }
        _ = try await packs.read(known.location, of: known.hash, range: 0..<known.location.length)
        try await DamageNotes(database).note(known.location, isDamaged: false)
        try await checkKnownDamage(content, range)
    }

    /// Hands on everything, in order.
    ///
    /// - Throws: ``PackError/damaged(_:)`` at a damaged block, before any of the piece it is in; what `send` throws.
    package func send(_ opened: Opened, to send: (ByteBuffer) async throws -> Void) async throws {
        var pieces = opened.rest
        try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            var current = opened.first
            while let bytes = current {
                let next = try await pieces.next()
                group.addTask { try await read(next, of: opened.driveId) }
                try await send(bytes)
                current = try await group.next() ?? nil
            }
        }
    }

    /// The content's first bytes.
    package func bytes(of content: StoredContent, first count: Int) async throws -> [UInt8] {
        let opened = try await open(content, range: 0..<Int64(count))
        return opened.first.map { Array($0.readableBytesView) } ?? []
    }

    /// What the content begins with, however many blocks that is.
    ///
    /// - Parameter most: bytes.
    package func beginning(of content: StoredContent, most: Int) async throws -> [UInt8] {
        var bytes = [UInt8]()
        try await send(try await open(content, range: 0..<min(content.size, Int64(most)))) {
            bytes += $0.readableBytesView
        }
        return bytes
    }

    private func read(_ piece: Pieces.Piece?, of drive: Int64) async throws -> ByteBuffer? {
        guard let piece else { return nil }
        return try await BlockReader(database: database, packs: packs, drive: drive)
            .read(piece.hash, at: piece.location, range: piece.range)
    }

    /// The walk over a content's blocks, in pieces that are read at once.
    fileprivate struct Pieces: Sendable {
        struct Piece: Sendable {
            var hash: ContentHash
            var location: BlockLocation
            var range: Range<Int>
        }

        private let content: StoredContent
        private let database: any Database
        private var left: Range<Int64>
        /// Ascending; the one that is read from first.
        private var blocks = [ContentBlocks.Located]()[...]

        init(content: StoredContent, range: Range<Int64>, database: any Database) {
            self.content = content
            self.database = database
            self.left = range
        }

        mutating func next() async throws -> Piece? {
            guard !left.isEmpty else { return nil }
            if blocks.isEmpty { try await lookUp() }
            guard let block = blocks.first else { throw Problem(.notFound, "This content no longer exists.") }
            let start = Int(left.lowerBound - block.start)
            let blockEnd = block.start + Int64(block.location.length)
            // One that is compressed is unpacked once, and not for each piece of it.
            let most = block.location.isCompressed ? Int64(block.location.length) : Int64(ContentReader.pieceSize)
            let end = min(blockEnd, left.upperBound, left.lowerBound + most)
            guard start >= 0, left.lowerBound < end else {
                throw DatabaseError.corrupt("content_blocks: a content has a hole")
            }
            left = end..<left.upperBound
            if end == blockEnd { blocks.removeFirst() }
            return Piece(hash: block.hash, location: block.location, range: start..<Int(end - block.start))
        }

        private mutating func lookUp() async throws {
            blocks = try await database.read { [content, left] db in
                let table = ContentBlocks(db, drive: content.driveId)
                let position = try table.position(holding: left.lowerBound, of: content.contentId)
                return try table.located(of: content.contentId, from: position, limit: ContentReader.blocksAtOnce)[...]
            }
        }
    }
}
