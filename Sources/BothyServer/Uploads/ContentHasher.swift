import BothyContent
import BothyContract
import NIOCore

/// Follows one session's contiguous prefix and hashes it as it lies in the packs, while the rest still comes. At finalize
/// little or nothing is left to read, and the SHA-256 is of what is stored, not of what was sent.
///
/// It holds no truth: a process that starts anew reads from the first byte again.
actor ContentHasher {
    /// Bytes read at once.
    private static let readSize = 1 << 20
    /// Places of chunks asked of the database at once.
    private static let chunksAtOnce = 64

    private let database: any Database
    private let blocks: BlockReader
    private let drive: Int64
    private let uploadId: String

    private var hasher = SHA256Hasher()
    private var hashedChunks = 0
    private var goal = 0
    private var run: Task<Void, any Error>?

    init(database: any Database, packs: any PackStore, drive: Int64, uploadId: String) {
        self.database = database
        blocks = BlockReader(database: database, packs: packs, drive: drive)
        self.drive = drive
        self.uploadId = uploadId
    }

    /// Goes on in the background until `chunks` are hashed. What goes wrong there comes up again at finalize.
    func follow(_ chunks: Int) {
        goal = max(goal, chunks)
        if run == nil, hashedChunks < goal { run = Task { try await advance() } }
    }

    /// The SHA-256 of the first `chunks` chunks, which are all there.
    ///
    /// - Throws: ``PackError/damaged(_:)``, ``DatabaseError``; `missing_chunks` when the session lost them meanwhile.
    func hash(of chunks: Int) async throws -> ContentHash {
        // A run that failed in the background is over; this one tells its own failure.
        while hashedChunks < chunks {
            follow(chunks)
            try await run?.value
        }
        return hasher.finish()
    }

    private func advance() async throws {
        defer { run = nil }
        while hashedChunks < goal {
            let positions = hashedChunks..<min(goal, hashedChunks + Self.chunksAtOnce)
            let chunks = try await database.read { [drive, uploadId] db in
                try BlockTable(db, drive: drive).stored(by: uploadId, positions: positions)
            }
            guard chunks.map(\.position) == Array(positions) else {
                throw Problem(.missingChunks, "Chunks of this upload no longer exist.")
            }
            for chunk in chunks {
                try await hash(chunk.hash, at: chunk.location)
                hashedChunks += 1
            }
        }
    }

    /// A chunk that cannot be read to its end leaves the hash as it was before it.
    private func hash(_ block: ContentHash, at location: BlockLocation) async throws {
        var ahead = hasher
        var offset = 0
        while offset < location.length {
            let end = min(offset + Self.readSize, location.length)
            ahead.update(try await blocks.read(block, at: location, range: offset..<end))
            offset = end
        }
        hasher = ahead
    }
}

extension SHA256Hasher {
    mutating func update(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { update($0) }
    }
}
