import BothyContent
import BothyContract
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// What is read in posts says nothing of where and with what it was taken.
@Suite struct PostCleaningTests {
    private static let secret = "51.5007N 0.1246W"

    /// A person who posts, and another who reads.
    private struct World {
        let server: AccountServer
        let ann: SessionResponse
        let ben: SessionResponse

        init(_ server: AccountServer) async throws {
            self.server = server
            (ann, ben) = (try await server.register("ann@example.org"), try await server.register("ben@example.org"))
        }

        func put(_ content: [UInt8], _ mimeType: String) async throws -> File {
            let answer = try await server.send(
                .post, "/v1/upload?uploadType=media&name=\(UUID().uuidString)", token: ann.accessToken,
                body: ByteBuffer(bytes: content), headers: [.contentType: mimeType])
            try #require(answer.status == 201, "\(answer.text)")
            return try answer.json()
        }

        /// The attachment of a post that shows the file, as somebody has it.
        func posted(_ file: File, _ type: AttachmentType, for reader: SessionResponse) async throws -> Attachment {
            let made = try await server.services.posts.create(
                NewPostRequest(
                    requestId: nil, content: "",
                    attachments: [NewAttachment(type: type, contentUrl: try #require(file.downloadUrl))]),
                identity: .none(for: "test"), for: ann.caller)
            let post = try await server.services.posts.find(made.answer.postId, for: reader.caller)
            return try #require(post.attachments.first)
        }

        func get(
            _ address: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
        ) async throws -> TestAnswer { try await server.send(method, address, headers: headers) }
    }

    private static func number(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(bytes.count + 2, 2) + bytes
    }

    /// - Parameter filling: bytes of the picture itself.
    private static func jpeg(filling: Int = 100) -> [UInt8] {
        [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0MM\0*".utf8) + number(8) + [0, 0] + Array(secret.utf8))
            + segment(0xC0, [8, 0, 30, 0, 40, 1, 1, 0x11, 0]) + segment(0xDA, [1, 1, 0, 0, 63, 0])
            + (0..<filling).map { UInt8($0 % 251) } + [0xFF, 0xD9] + Array(secret.utf8)
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(name.utf8) + content
    }

    /// A film without a track, whose user data says where it was taken.
    private static func film() -> [UInt8] {
        box("ftyp", Array("isom\0\0\0\0".utf8)) + box("mdat", [UInt8](repeating: 5, count: 300_000))
            + box(
                "moov",
                box("mvhd", [UInt8](repeating: 0, count: 12) + number(600) + number(1500))
                    + box("udta", Array(secret.utf8)))
            + Array(secret.utf8)
    }

    private static func holds(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(secret)
    }

    @Test(arguments: [
        (jpeg(), "image/jpeg", AttachmentType.image), (jpeg(filling: 3 << 20), "image/jpeg", .image),
        (film(), "video/mp4", .video),
    ])
    func readersGetItWithoutAndTheFileKeepsIt(_ content: [UInt8], _ mimeType: String, _ type: AttachmentType)
        async throws
    {
        try await AccountServer.with { server in
            let world = try await World(server)
            let file = try await world.put(content, mimeType)
            let whole = try await world.get(try #require(file.downloadUrl))
            #expect(whole.body.readableBytesView.elementsEqual(content) && Self.holds(content))
            for person in [world.ann, world.ben] {
                let address = try await world.posted(file, type, for: person).contentUrl
                let shown = try await world.get(address)
                let bytes = Array(shown.body.readableBytesView)
                #expect(shown.status == 200 && !bytes.isEmpty && !Self.holds(bytes))
                #expect(shown.headers[.contentType] == mimeType)
                #expect(shown.headers[.contentLength] == String(bytes.count))
                let tag = try #require(shown.headers[.eTag])
                #expect(tag != whole.headers[.eTag] && !tag.contains(SHA256Hasher.hash(content).hex))
                #expect(shown.headers[HTTPField.Name(HeaderNames.reprDigest)!] == nil)
                let head = try await world.get(address, .head)
                #expect(head.headers[.contentLength] == String(bytes.count) && head.headers[.eTag] == tag)
                #expect(try await world.get(address, .get, [.ifNoneMatch: tag]).status == 304)
                for edge in [0, 1, 20, 60, bytes.count / 2, bytes.count - 1] {
                    for last in [edge, min(edge + 41, bytes.count - 1), bytes.count - 1] {
                        let part = try await world.get(
                            address, .get, [.range: "bytes=\(edge)-\(last)", .ifRange: tag])
                        #expect(part.status == 206)
                        #expect(part.headers[.contentRange] == "bytes \(edge)-\(last)/\(bytes.count)")
                        #expect(part.body.readableBytesView.elementsEqual(bytes[edge...last]))
                    }
                }
                let past = try await world.get(address, .get, [.range: "bytes=\(bytes.count)-"])
                #expect(past.headers[.contentRange] == "bytes */\(bytes.count)")
            }
        }
    }

    @Test func whatHasNothingToTakeOutIsSentAsItIs() async throws {
        try await AccountServer.with { server in
            let world = try await World(server)
            let content = Array("no picture that anybody knows".utf8)
            let file = try await world.put(content, "image/png")
            let shown = try await world.get(try await world.posted(file, .image, for: world.ben).contentUrl)
            #expect(shown.body.readableBytesView.elementsEqual(content))
            #expect(shown.headers[.eTag] == "\"\(SHA256Hasher.hash(content).hex)\"")
        }
    }

    @Test(arguments: [
        ([UInt8]("RIFF\u{4}\0\0\0AVI location.ISO6709".utf8), "video/x-msvideo"),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x84, 0, 0, 0], "video/webm"), (box("ftyp", Array("isom".utf8)), "video/mp4"),
    ])
    func aFilmThatCannotBeCleanedIsNotShown(_ content: [UInt8], _ mimeType: String) async throws {
        try await AccountServer.with { server in
            let world = try await World(server)
            let file = try await world.put(content, mimeType)
            let address = try await world.posted(file, .video, for: world.ben).contentUrl
            for _ in 0..<2 {
                let answer = try await world.get(address)
                #expect(answer.status == 422 && answer.code == .notCleaned)
            }
            #expect(
                try await world.get(try #require(file.downloadUrl)).body.readableBytesView.elementsEqual(content))
        }
    }
}
