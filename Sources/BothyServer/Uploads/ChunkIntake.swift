import BothyContent
import BothyContract
import NIOCore

/// Takes a body apart into its chunks while it streams: each is hashed and written as it comes, so memory does not
/// grow with the body. What comes out is checked, and lies in the packs, but counts for nothing yet.
package struct ChunkIntake: Sendable {
    private let packs: any PackStore
    private let pace: BodyPace

    package init(packs: any PackStore, pace: BodyPace) {
        self.packs = packs
        self.pace = pace
    }

    /// - Parameters:
    ///   - expected: the chunks of the body, in order.
    ///   - digest: the SHA-256 of the whole body, where the client gave it.
    /// - Throws: `length_mismatch`, `chunk_corrupt`, `chunk_hash_conflict`, `request_timeout`, ``PackError``; nothing of the
    ///   body is kept then.
    package func take<Body: AsyncSequence & Sendable>(
        _ expected: [ExpectedChunk], digest: ContentHash?, from body: Body
    ) async throws -> [ArrivedChunk] where Body.Element == ByteBuffer {
        try await pace.watch(body) { parts in
            var intake = Intake(expected: expected, digest: digest, packs: packs)
            do {
                while let part = try await parts.next() { try await intake.take(part) }
                return try intake.end()
            } catch {
                await intake.abandon()
                throw error
            }
        }
    }
}

/// One body under way.
private struct Intake {
    let expected: [ExpectedChunk]
    let digest: ContentHash?
    let packs: any PackStore
    var arrived = [ArrivedChunk]()
    var current: ChunkUnderWay?
    /// Over the whole body; a body of one chunk needs no second hash.
    var bodyHasher: SHA256Hasher?

    init(expected: [ExpectedChunk], digest: ContentHash?, packs: any PackStore) {
        self.expected = expected
        self.digest = digest
        self.packs = packs
        self.bodyHasher = digest != nil && expected.count > 1 ? SHA256Hasher() : nil
    }

    private var bytesExpected: Int64 { expected.reduce(0) { $0 + $1.size } }

    mutating func take(_ part: ByteBuffer) async throws {
        bodyHasher?.update(part)
        var part = part
        while part.readableBytes > 0 {
            if current == nil {
                guard arrived.count < expected.count else { throw wrongLength("more") }
                current = try await ChunkUnderWay(expected[arrived.count], packs: packs)
            }
            try await current?.take(&part)
            if current?.isWhole == true { try await finishChunk() }
        }
    }

    private mutating func finishChunk() async throws {
        guard let chunk = current else { preconditionFailure("a chunk that is whole is under way") }
        // The digest of a body of one chunk is the chunk's own, and what the body is held against first.
        arrived.append(try await chunk.finish(bodyDigest: expected.count == 1 ? digest : nil))
        current = nil
    }

    mutating func end() throws -> [ArrivedChunk] {
        guard current == nil, arrived.count == expected.count else { throw wrongLength("fewer") }
        if let digest, let computed = bodyHasher?.finish(), computed != digest {
            throw Problem(.chunkCorrupt, "The body does not have the SHA-256 that came with it. Send it again.")
                .with { $0.computedSha256 = computed }
        }
        return arrived
    }

    mutating func abandon() async {
        await current?.abandon()
        current = nil
    }

    private func wrongLength(_ word: String) -> Problem {
        Problem(
            .lengthMismatch, "The body has \(word) than the \(bytesExpected) bytes it should have. Nothing was kept.")
    }
}

/// The chunk that the stream is in.
private struct ChunkUnderWay {
    private let expected: ExpectedChunk
    /// Nil where the session has the chunk: what comes is only checked.
    private let writer: (any PackBlockWriter)?
    private var hasher = SHA256Hasher()
    private var left: Int

    init(_ expected: ExpectedChunk, packs: any PackStore) async throws {
        self.expected = expected
        self.left = Int(expected.size)
        self.writer = expected.isThere ? nil : try await packs.begin(length: Int(expected.size))
    }

    var isWhole: Bool { left == 0 }

    mutating func take(_ part: inout ByteBuffer) async throws {
        guard let bytes = part.readSlice(length: min(left, part.readableBytes)) else { return }
        left -= bytes.readableBytes
        hasher.update(bytes)
        try await writer?.append(bytes)
    }

    func finish(bodyDigest: ContentHash?) async throws -> ArrivedChunk {
        let hash = hasher.finish()
        try check(hash, bodyDigest: bodyDigest)
        let location = try await writer?.finish(hash: hash)
        return ArrivedChunk(
            position: expected.position, start: expected.start, hash: hash, size: expected.size, location: location)
    }

    private func check(_ hash: ContentHash, bodyDigest: ContentHash?) throws(Problem) {
        if let bodyDigest, bodyDigest != hash { throw corrupt(hash) }
        guard let wanted = expected.hash, wanted != hash else { return }
        // Without a digest, other bytes for a fixed chunk that is there are another file, not a damaged one.
        if expected.isNamed || !expected.isThere { throw corrupt(hash) }
        throw Problem(
            .chunkHashConflict,
            "Chunk \(expected.position) is there with other content. If the file has changed, start a new upload.")
    }

    private func corrupt(_ hash: ContentHash) -> Problem {
        Problem(
            .chunkCorrupt, "Chunk \(expected.position) does not have the SHA-256 it should have. Send it again."
        ).with { $0.computedSha256 = hash }
    }

    func abandon() async { await writer?.abandon() }
}
