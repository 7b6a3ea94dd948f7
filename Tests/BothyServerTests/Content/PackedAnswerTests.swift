import BothyContent
import BothyContract
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// Which answers go compressed, and that they hold what the plain ones do.
@Suite struct PackedAnswerTests {
    /// - Returns: revisions of files with these contents.
    private func revisions(_ world: UploadWorld, _ contents: [[UInt8]]) async throws -> [String] {
        try await world.batch(contents.enumerated().map { BatchItem("file-\($0)", $1) })
            .map { try #require($0.file?.headRevisionId) }
    }

    private func batch(_ world: UploadWorld, _ ids: [String], accepting: String?) async throws -> TestAnswer {
        try await world.server.send(
            .post, "/v1/content/batch", json: ContentBatchRequest(revisionIds: ids),
            headers: accepting.map { [.acceptEncoding: $0] } ?? [:])
    }

    static func unpacked(_ body: ByteBuffer, upTo most: Int = 64 << 20) throws -> [UInt8] {
        let unpacker = try #require(ZstdUnpacker(upTo: most))
        var bytes = [UInt8]()
        try body.withUnsafeReadableBytes { try unpacker.unpack($0) { bytes += $0 } }
        try unpacker.checkEnd()
        #expect(unpacker.checkedCount == bytes.count)
        return bytes
    }

    @Test func aBatchOfTextsGoesCompressedToWhoTakesItSo() async throws {
        let world = try await UploadWorld()
        let ids = try await revisions(
            world, (0..<100).map { CompressedBlockTests.text($0 * 120, seed: UInt64($0 + 1)) })
        let plain = try await batch(world, ids + ["no-such"], accepting: nil)
        #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding")
        for accepting in ["zstd", "gzip, zstd;q=0.3"] {
            let packed = try await batch(world, ids + ["no-such"], accepting: accepting)
            #expect(packed.status == 200 && packed.headers[.contentEncoding] == "zstd")
            #expect(packed.headers[.vary] == "Accept-Encoding" && packed.headers[.contentLength] == nil)
            #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
            #expect(try Self.unpacked(packed.body) == Array(plain.body.readableBytesView))
        }
        for accepting in ["gzip, deflate, br", "zstd;q=0", "*", ""] {
            let answer = try await batch(world, ids, accepting: accepting)
            #expect(answer.headers[.contentEncoding] == nil, "\(accepting)")
        }
    }

    @Test func aBatchThatWillNotShrinkGoesAsItIs() async throws {
        let world = try await UploadWorld()
        let photos = try await revisions(world, (0..<20).map { UploadWorld.bytes(20_000, seed: UInt64($0 + 1)) })
        #expect(try await batch(world, photos, accepting: "zstd").headers[.contentEncoding] == nil)
        let other = try await UploadWorld()
        let note = try await revisions(other, [CompressedBlockTests.text(1_000, seed: 1)])
        #expect(try await batch(other, note, accepting: "zstd").headers[.contentEncoding] == nil, "not worth a frame")
    }

    @Test func aRefusalIsPlain() async throws {
        let world = try await UploadWorld()
        let answer = try await batch(world, [], accepting: "zstd")
        #expect(answer.code == .malformedRequest && answer.headers[.contentEncoding] == nil)
    }

    @Test func whatLiesCompressedNeedsNoSamples() async throws {
        let packing = AnswerPacking()
        let noise = ByteBuffer(bytes: UploadWorld.bytes(20_000))
        #expect(try await packing.begin(with: noise, isSmallAtRest: false, frameBytes: 1 << 20) == nil)
        #expect(try await packing.begin(with: noise, isSmallAtRest: true, frameBytes: 1 << 20) != nil)
    }

    @Test func soManyAtOnceAreCompressedAndTheNextGoPlain() async throws {
        let packing = AnswerPacking()
        let text = ByteBuffer(bytes: CompressedBlockTests.text(20_000, seed: 1))
        var answers = [PackedAnswer]()
        for _ in 0..<AnswerPacking.mostAtOnce {
            answers.append(try #require(try await packing.begin(with: text, isSmallAtRest: false, frameBytes: 1 << 20)))
        }
        #expect(try await packing.begin(with: text, isSmallAtRest: false, frameBytes: 1 << 20) == nil)
        answers.removeLast()
        #expect(
            try await packing.begin(with: text, isSmallAtRest: false, frameBytes: 1 << 20) != nil,
            "one has ended, or nobody waits for it")
        #expect(try await packing.begin(with: text, isSmallAtRest: false, frameBytes: 1 << 20) != nil)
        answers.removeAll()
    }

    @Test func framesEndWhereTheyAreSaidToAndTheirPiecesDoNotMatter() async throws {
        let packing = AnswerPacking()
        let text = CompressedBlockTests.text(100_000, seed: 1)
        for (frame, piece) in [(1_000, 7_777), (50_000, 100_000), (30_000, 9_999), (100_000, 333)] {
            let answer = try #require(
                try await packing.begin(with: ByteBuffer(bytes: text), isSmallAtRest: true, frameBytes: frame))
            let unpacker = try #require(ZstdUnpacker(upTo: text.count))
            var (given, bytes) = (0, [UInt8]())
            for start in stride(from: 0, to: text.count, by: piece) {
                let plain = ByteBuffer(bytes: text[start..<min(start + piece, text.count)])
                given += plain.readableBytes
                let packed = try await answer.pack(plain)
                try packed.withUnsafeReadableBytes { try unpacker.unpack($0) { bytes += $0 } }
                #expect(bytes.count == given && unpacker.checkedCount == given / frame * frame)
            }
            let last = try await answer.end()
            try last.withUnsafeReadableBytes { try unpacker.unpack($0) { bytes += $0 } }
            try unpacker.checkEnd()
            #expect(bytes == text && unpacker.checkedCount == text.count)
        }
    }
}
