import BothyContent
import BothyContract
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// Content that goes compressed (RFC 3229): which does, and that ranges, tags and digests speak of plain bytes.
@Suite struct PackedContentTests {
    private static let wish = HTTPField.Name(HeaderNames.acceptManipulations)!
    private static let made = HTTPField.Name(HeaderNames.manipulations)!
    private static let digest = HTTPField.Name(HeaderNames.reprDigest)!

    private let world: UploadWorld
    private let text = CompressedBlockTests.text(3 * UploadWorld.chunk + 1_000, seed: 3)

    init() async throws { world = try await UploadWorld() }

    private func get(_ file: File, _ range: String? = nil, wishing wish: String?) async throws -> TestAnswer {
        var headers = HTTPFields()
        headers[.range] = range
        headers[Self.wish] = wish
        return try await world.read(file, headers: headers)
    }

    @Test func aRangeIsCutAndThenCompressed() async throws {
        let file = try await world.upload("notes.txt", text)
        let (end, chunk) = (text.count - 1, UploadWorld.chunk)
        // From shortly before a block ends, too.
        for (first, last) in [(0, end), (5, 5_000), (chunk - 3, 2 * chunk), (chunk - 3, end), (2 * chunk, end)] {
            let plain = try await get(file, "bytes=\(first)-\(last)", wishing: nil)
            let packed = try await get(file, "bytes=\(first)-\(last)", wishing: "range, zstd")
            #expect(plain.status == 206 && packed.status == 226)
            #expect(packed.headers[Self.made] == "range, zstd")
            #expect(packed.headers[.contentRange] == "bytes \(first)-\(last)/\(text.count)")
            #expect(try PackedAnswerTests.unpacked(packed.body) == Array(text[first...last]))
            #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
            for name: HTTPField.Name in [
                .eTag, Self.digest, .contentRange, .acceptRanges, .vary, .contentDisposition,
            ] {
                #expect(packed.headers[name] == plain.headers[name] && plain.headers[name] != nil, "\(name)")
            }
            #expect(packed.headers[.contentLength] == nil && packed.headers[.contentEncoding] == nil)
            #expect(packed.headers[.vary] == "A-IM")
        }
    }

    @Test func theWholeIsCompressedForWhoTakesThat() async throws {
        let file = try await world.upload("notes.txt", text)
        for wish in ["zstd", "range, zstd", "zstd, range", "gzip;q=0.5, zstd;q=0.1"] {
            let answer = try await get(file, wishing: wish)
            #expect(answer.status == 226 && answer.headers[Self.made] == "zstd")
            #expect(answer.headers[.contentRange] == nil)
            #expect(try PackedAnswerTests.unpacked(answer.body) == text)
        }
        // The file has changed since: the whole of what it is now.
        let answer = try await world.read(
            file, headers: [.range: "bytes=1-5000", .ifRange: "\"another\"", Self.wish: "range, zstd"])
        #expect(answer.status == 226 && answer.headers[Self.made] == "zstd")
    }

    @Test func aCacheThatKnowsNothingOfItKeepsNothingOfIt() async throws {
        let file = try await world.upload("notes.txt", text)
        let cache = try await get(file, wishing: "zstd").headers[.cacheControl]
        #expect(cache?.hasPrefix("no-store, im, private, immutable, max-age=") == true)
        let plain = try await get(file, wishing: nil)
        #expect(plain.headers[.cacheControl]?.hasPrefix("private, immutable, max-age=") == true)
        #expect(plain.headers[.vary] == "A-IM", "it knows that there are others")
    }

    @Test(arguments: ["zstd", "zstd, range", "range", "range, gzip", "range;q=0, zstd", "range, zstd;q=0", "br", ""])
    func aRangeGoesPlainToWhoDoesNotTakeItSo(_ wish: String) async throws {
        let file = try await world.upload("notes.txt", text)
        let answer = try await get(file, "bytes=0-9999", wishing: wish)
        #expect(answer.status == 206 && answer.headers[Self.made] == nil)
        #expect(answer.body.readableBytesView.elementsEqual(text[0...9_999]))
    }

    @Test func whatIsNotWorthItGoesPlain() async throws {
        let noise = try await world.upload("photo", UploadWorld.bytes(2 * UploadWorld.chunk))
        let note = try await world.upload("note", CompressedBlockTests.text(AnswerPacking.least - 1, seed: 1))
        let file = try await world.upload("notes.txt", text)
        #expect(try await get(noise, wishing: "zstd").status == 200)
        #expect(try await get(noise, "bytes=10-20000", wishing: "range, zstd").status == 206)
        #expect(try await get(note, wishing: "zstd").status == 200)
        #expect(try await get(file, "bytes=0-\(AnswerPacking.least - 2)", wishing: "range, zstd").status == 206)
        #expect(try await get(file, "bytes=0-\(AnswerPacking.least - 1)", wishing: "range, zstd").status == 226)
    }

    @Test func headAndRefusalsStayAsTheyAre() async throws {
        let file = try await world.upload("notes.txt", text)
        let path = try #require(file.downloadUrl)
        let head = try await world.server.send(.head, path, as: nil, headers: [Self.wish: "range, zstd"])
        #expect(head.status == 200 && head.headers[.contentLength] == String(text.count))
        #expect(head.headers[Self.made] == nil && head.body.readableBytes == 0)
        #expect(try await get(file, "bytes=\(text.count)-", wishing: "range, zstd").code == .rangeNotSatisfiable)
        let same = try await world.read(
            file, headers: [.ifNoneMatch: "*", Self.wish: "zstd"])
        #expect(same.status == 304 && same.headers[Self.made] == nil)
    }

    @Test func damageFurtherOnBreaksItOff() async throws {
        let file = try await world.upload("rotten.txt", text)
        let locations = try await world.server.database.read {
            try ContentBlocks($0, drive: 1).located(of: 1, from: 0, limit: 3).map(\.location)
        }
        world.packs.damage(locations[2])
        await #expect(throws: PackError.self) { try await get(file, wishing: "zstd") }
        #expect(try await get(file, wishing: "zstd").code == .contentCorrupt, "once it was met it is told")
    }
}
