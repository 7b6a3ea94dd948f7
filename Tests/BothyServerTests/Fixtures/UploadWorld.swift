import BothyContent
import BothyContract
import HTTPTypes
import Logging
import NIOCore
import Testing

@testable import BothyServer

/// A server with the routes of uploads and content on packs in memory.
struct UploadWorld: Sendable {
    static let chunk = 256 << 10

    let server: TestServer
    let packs: MemoryPacks
    let writes: BlockWrites

    init(pace: BodyPace = BodyPace()) async throws {
        let packs = MemoryPacks()
        let writes = BlockWrites()
        self.packs = packs
        self.writes = writes
        server = try await TestServer(
            packs: packs,
            open: { parts in
                [
                    ContentRoutes(
                        database: parts.database, packs: packs,
                        media: MediaVariants(
                            programs: .installed, folder: MediaFolder(path: parts.folder.file("media")),
                            database: parts.database,
                            reader: ContentReader(database: parts.database, packs: packs), clock: parts.clock,
                            logger: Logger(label: "test"), hasRoom: { _ in true }),
                        signer: parts.signer,
                        sessions: DeviceSessions(database: parts.database, clock: parts.clock), clock: parts.clock)
                ]
            },
            signedIn: { parts in
                let sessions = UploadSessions(
                    database: parts.database, packs: packs, stamps: parts.stamps, notifier: parts.notifier,
                    signer: parts.signer, writes: writes, pace: pace)
                let simple = SimpleUploads(
                    database: parts.database, packs: packs, stamps: parts.stamps, notifier: parts.notifier,
                    signer: parts.signer, writes: writes)
                return [
                    UploadRoutes(sessions: sessions, simple: simple, pace: pace),
                    ContentBatchRoutes(database: parts.database, packs: packs),
                ]
            })
    }

    // MARK: - Sessions

    func tryStart(_ request: UploadRequest, as caller: TestCaller = .kitchen) async throws -> TestAnswer {
        try await server.send(.post, "/v1/upload?uploadType=resumable", as: caller, json: request)
    }

    func start(_ request: UploadRequest, as caller: TestCaller = .kitchen) async throws -> UploadResponse {
        let answer = try await tryStart(request, as: caller)
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.json()
    }

    /// A session of fixed chunks of 256 KiB.
    func startFixed(
        _ name: String, size: Int, finalize: FinalizeMode = .explicit, hash: ContentHash? = nil,
        as caller: TestCaller = .kitchen
    ) async throws -> UploadResponse {
        try await start(
            UploadRequest(
                requestId: nil, name: name, size: Int64(size), fileHashSha256: hash,
                plan: .fixed(chunkSize: Int64(Self.chunk)), finalize: finalize),
            as: caller)
    }

    func put(
        _ id: String, chunk index: Int, _ bytes: [UInt8], hash: ContentHash? = nil, as caller: TestCaller = .kitchen
    ) async throws -> TestAnswer {
        let hash = hash ?? SHA256Hasher.hash(bytes)
        return try await server.send(
            .put, "/v1/upload/\(id)/chunks/\(index)", as: caller, body: ByteBuffer(bytes: bytes),
            headers: [.chunkHash: "sha256=\(hash.hex)"])
    }

    func put(
        _ id: String, range: String, _ bytes: [UInt8], headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        headers[.contentRange] = range
        return try await server.send(.put, "/v1/upload/\(id)/chunk", body: ByteBuffer(bytes: bytes), headers: headers)
    }

    func status(_ id: String, as caller: TestCaller = .kitchen) async throws -> UploadResponse {
        let answer = try await server.send(.get, "/v1/upload/\(id)", as: caller)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.json()
    }

    func finalize(
        _ id: String, _ request: FinalizeRequest = FinalizeRequest(), as caller: TestCaller = .kitchen
    ) async throws -> TestAnswer {
        try await server.send(.post, "/v1/upload/\(id)/finalize", as: caller, json: request)
    }

    /// Sends every chunk of a fixed plan that is not there yet.
    func putAll(_ id: String, _ content: [UInt8]) async throws {
        for (index, start) in stride(from: 0, to: content.count, by: Self.chunk).enumerated() {
            let answer = try await put(id, chunk: index, Array(content[start..<min(start + Self.chunk, content.count)]))
            try #require([201, 308].contains(answer.status), "\(answer.text)")
        }
    }

    /// A whole upload, in chunks.
    func upload(_ name: String, _ content: [UInt8], as caller: TestCaller = .kitchen) async throws -> File {
        let session = try await startFixed(name, size: content.count, as: caller)
        for (index, start) in stride(from: 0, to: content.count, by: Self.chunk).enumerated() {
            let chunk = Array(content[start..<min(start + Self.chunk, content.count)])
            let answer = try await put(session.uploadId, chunk: index, chunk, as: caller)
            try #require(answer.status == 308, "\(answer.text)")
        }
        let answer = try await finalize(session.uploadId, as: caller)
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.json(FinalizeResponse.self).file
    }

    func read(_ file: File, headers: HTTPFields = [:]) async throws -> TestAnswer {
        try await server.send(.get, try #require(file.downloadUrl), as: nil, headers: headers)
    }

    // MARK: - The drive

    func used(by drive: Int64 = 1) async throws -> Int64 {
        try await server.database.read {
            try $0.first("SELECT used_bytes FROM drives WHERE drive_id = ?", [drive.sql])?.int64(0) ?? -1
        }
    }

    func setQuota(_ bytes: Int64?) async throws {
        try await server.database.write {
            try $0.execute("UPDATE drives SET quota_bytes = ? WHERE drive_id = 1", [bytes.sql])
        }
    }

    /// What the jobs do with time, until nothing is left to do.
    func letTimeWork() async throws {
        let lived = Int64(server.clock.uptimeSeconds())
        _ = try await server.database.write { try UploadExpiry.expireSessions(in: $0, lived: lived, limit: 10_000) }
        _ = try await server.database.write { try UploadExpiry.freeBlocks(in: $0, lived: lived, limit: 10_000) }
        _ = try await server.database.write { try UploadExpiry.forgetSessions(in: $0, lived: lived, limit: 10_000) }
    }

    /// Bytes that differ from place to place and from seed to seed.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var bytes = [UInt8]()
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { bytes += $0 }
        }
        return Array(bytes.prefix(count))
    }

    static func reference(_ block: [UInt8]) -> BlockReference {
        BlockReference(sha256: SHA256Hasher.hash(block), size: Int64(block.count))
    }
}

extension HTTPField.Name {
    static let chunkHash = Self(HeaderNames.chunkHash)!
    static let contentDigest = Self(HeaderNames.contentDigest)!
}
