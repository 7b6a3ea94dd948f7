import BothyContent
import BothyContract
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// A bit that turned over on the way stored a file under another name, or another request id.
@Suite struct BodyDigestTests {
    private static let folder = Array(
        #"{"mimeType":"application/vnd.bothy.folder","name":"Holidays","requestId":"r1"}"#.utf8)

    private func send(_ body: [UInt8], digest: String, to server: TestServer) async throws -> TestAnswer {
        try await server.send(
            .post, "/v1/files", body: ByteBuffer(bytes: body),
            headers: [.contentType: "application/json", .contentDigest: digest])
    }

    @Test func aBodyThatWasChangedOnTheWayIsNotActedOn() async throws {
        let server = try await TestServer()
        let digest = SHA256Hasher.hash(Self.folder).digestField
        for place in Self.folder.indices {
            var changed = Self.folder
            changed[place] ^= 1 << (place % 8)
            let answer = try await send(changed, digest: digest, to: server)
            #expect(answer.status == 400 && answer.code == .digestMismatch, "byte \(place)")
        }
        #expect(try await server.list("parentId=root").isEmpty)
        // It may come again under the same request id, as the refusal says.
        #expect(try await send(Self.folder, digest: digest, to: server).status == 201)
        #expect(try await server.list("parentId=root").map(\.name) == ["Holidays"])
    }

    @Test func aDigestThatNobodyKnowsIsNotLookedAtAndOneThatCannotBeIsRefused() async throws {
        let server = try await TestServer()
        #expect(try await send(Self.folder, digest: "sha-512=:AAAA:", to: server).status == 201)
        #expect(try await send(Self.folder, digest: "sha-256=:AAAA:", to: server).code == .invalidParameter)
    }

    @Test func theMetadataOfAMultipartUploadHasADigestOfItsOwn() async throws {
        let world = try await UploadWorld()
        let metadata = #"{"name":"notes.txt","requestId":"r1"}"#
        let digest = SHA256Hasher.hash(Array(metadata.utf8)).digestField
        func send(_ metadata: String) async throws -> TestAnswer {
            let body = """
                --b\r\nContent-Type: application/json\r\nContent-Digest: \(digest)\r\n\r\n\(metadata)\r\n\
                --b\r\nContent-Type: text/plain\r\n\r\nMilk\r\n--b--
                """
            return try await world.server.send(
                .post, "/v1/upload?uploadType=multipart", body: ByteBuffer(string: body),
                headers: [.contentType: "multipart/related; boundary=b"])
        }
        #expect(try await send(metadata.replacing("notes", with: "nodes")).code == .digestMismatch)
        #expect(try await send(metadata).status == 201)
        #expect(try await world.server.list("parentId=root").map(\.name) == ["notes.txt"])
    }

    // MARK: - Batches

    private static let items = (0..<3).map { BatchItem("f\($0)", [UInt8](repeating: UInt8($0), count: 20)) }

    private static var heads: HeadChecksums {
        HeadChecksums(
            items.map { item in
                let head = BatchHead(metadataBytes: item.metadata.utf8.count, contentBytes: item.content.count)
                return Array(item.metadata.utf8).withUnsafeBytes { head.checksum(of: $0) }
            })
    }

    private func send(batch body: [UInt8], heads: String, to world: UploadWorld) async throws -> TestAnswer {
        try await world.server.send(
            .post, "/v1/upload/batch", body: ByteBuffer(bytes: body),
            headers: [.contentType: File.defaultMimeType, .batchHeads: heads])
    }

    @Test func ofABatchNothingActsThatWasChangedInItsLengthsOrItsMetadata() async throws {
        let world = try await UploadWorld()
        let body = Self.items.flatMap(\.bytes)
        let first = Self.items[0].bytes.count
        let places =
            Array(0..<BatchHead.byteCount + Self.items[0].metadata.utf8.count)
            + Array(first..<first + BatchHead.byteCount) + [first + 20, first + 60]
        for place in places {
            var changed = body
            changed[place] ^= 1 << (place % 8)
            #expect(
                try await send(batch: changed, heads: Self.heads.text, to: world).code == .digestMismatch,
                "byte \(place)")
        }
        #expect(try await world.server.list("parentId=root").isEmpty)
        let whole = try await send(batch: body, heads: Self.heads.text, to: world)
        #expect(try whole.json(UploadBatchResponse.self).items.map(\.status) == [201, 201, 201])
        #expect(try await world.server.list("parentId=root").allSatisfy { $0.version == 1 })
    }

    @Test func aBatchWithMoreOrFewerItemsThanWereToldOfIsRefused() async throws {
        let world = try await UploadWorld()
        let body = Self.items.flatMap(\.bytes)
        let fewer = HeadChecksums(Array(Self.heads.values.dropLast())).text
        let more = HeadChecksums(Self.heads.values + [1]).text
        #expect(try await send(batch: body, heads: fewer, to: world).code == .digestMismatch)
        #expect(try await send(batch: body, heads: more, to: world).code == .digestMismatch)
        #expect(try await send(batch: body, heads: "crc32c=:AAA:", to: world).code == .invalidParameter)
    }

    @Test func aBatchMayHaveADigestOfAllOfIt() async throws {
        let world = try await UploadWorld()
        let body = Self.items.flatMap(\.bytes)
        func send(_ body: [UInt8], _ digest: String) async throws -> TestAnswer {
            try await world.server.send(
                .post, "/v1/upload/batch", body: ByteBuffer(bytes: body),
                headers: [.contentType: File.defaultMimeType, .contentDigest: digest])
        }
        let digest = SHA256Hasher.hash(body).digestField
        var changed = body
        changed[body.count - 1] ^= 1
        #expect(try await send(changed, digest).code == .digestMismatch)
        #expect(try await world.server.list("parentId=root").isEmpty)
        #expect(try await send(body, digest).status == 200)
    }
}
