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

    private static func holds(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(secret)
    }

    @Test(arguments: [
        (MadeMedia.jpeg(secret), "image/jpeg", AttachmentType.image),
        (MadeMedia.jpeg(secret, orientation: 6, filling: 3 << 20), "image/jpeg", .image),
        (MadeMedia.film(secret), "video/mp4", .video),
    ])
    func readersGetItWithoutAndTheFileKeepsIt(_ content: [UInt8], _ mimeType: String, _ type: AttachmentType)
        async throws
    {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
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
            let world = try await MediaWorld(server)
            let content = Array("no film that anybody knows".utf8)
            let file = try await world.put(content, "video/mpeg")
            let shown = try await world.get(try await world.posted(file, .video, for: world.ben).contentUrl)
            #expect(shown.body.readableBytesView.elementsEqual(content))
            #expect(shown.headers[.eTag] == "\"\(SHA256Hasher.hash(content).hex)\"")
        }
    }

    @Test(arguments: [
        ([UInt8]("RIFF\u{4}\0\0\0AVI location.ISO6709".utf8), "video/x-msvideo"),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x84, 0, 0, 0], "video/webm"),
        (MadeMedia.box("ftyp", Array("isom".utf8)), "video/mp4"),
    ])
    func aFilmThatCannotBeCleanedIsNotShown(_ content: [UInt8], _ mimeType: String) async throws {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
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
