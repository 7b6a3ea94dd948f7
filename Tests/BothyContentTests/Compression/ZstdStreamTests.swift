import BothyContent
import Testing

/// Frames that are made, and taken apart, piece by piece.
@Suite struct ZstdStreamTests {
    /// Sources, more or less: what shrinks, with something in it that does not.
    static func text(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix(state: seed)
        let words = ["shelter ", "stands ", "open ", "in any weather ", "{\n    ", "}\n", "let stove = 1\n"]
        var text = [UInt8]()
        while text.count < count {
            let number = random.next()
            text += number % 9 == 0 ? Array("\(number)".utf8) : Array(words[Int(number % 7)].utf8)
        }
        return Array(text.prefix(count))
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    private struct Unpacked: Equatable {
        var bytes = [UInt8]()
        var checked = 0
        /// Whether it was whole, to the end of a frame.
        var isWhole = false
    }

    private func unpack(_ stream: [UInt8], upTo most: Int, cuts: [Int] = []) throws -> Unpacked {
        let unpacker = try #require(ZstdUnpacker(upTo: most))
        var unpacked = Unpacked()
        do {
            for (start, end) in zip([0] + cuts, cuts + [stream.count]) {
                try stream[start..<end].withUnsafeBytes { try unpacker.unpack($0) { unpacked.bytes += $0 } }
            }
            try unpacker.checkEnd()
            unpacked.isWhole = true
        } catch is ZstdUnpacker.Garbled {}
        unpacked.checked = unpacker.checkedCount
        #expect(unpacker.count >= unpacked.bytes.count && unpacked.bytes.count <= most)
        return unpacked
    }

    private func pack(_ bytes: [UInt8], pieces: Int, framesOf frame: Int = .max) throws -> [UInt8] {
        let packer = try #require(ZstdPacker(level: 3))
        var stream = [UInt8]()
        var inFrame = 0
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = bytes[start..<min(start + pieces, bytes.count)]
            inFrame += piece.count
            let isLast = inFrame >= frame || piece.endIndex == bytes.count
            stream += try #require(piece.withUnsafeBytes { packer.pack($0, isLast: isLast) })
            if isLast { inFrame = 0 }
        }
        return stream
    }

    @Test(arguments: [1, 100, 70_000, 1 << 20, 3_000_001]) func whatIsPackedPieceByPieceComesBack(count: Int) throws {
        let bytes = Self.text(count)
        for pieces in [count, 1 + count / 3, 1 + count / 50] {
            for frame in [Int.max, 1 + count / 4] {
                let stream = try pack(bytes, pieces: pieces, framesOf: frame)
                #expect(try unpack(stream, upTo: count) == Unpacked(bytes: bytes, checked: count, isWhole: true))
            }
        }
    }

    @Test func whatWasGivenCanBeUnpackedBeforeTheFrameEnds() throws {
        let packer = try #require(ZstdPacker(level: 3))
        let unpacker = try #require(ZstdUnpacker(upTo: 1_000))
        for number in 0..<10 {
            let piece = Self.text(100, seed: UInt64(number))
            let packed = try #require(piece.withUnsafeBytes { packer.pack($0, isLast: false) })
            var unpacked = [UInt8]()
            try packed.withUnsafeBytes { try unpacker.unpack($0) { unpacked += $0 } }
            #expect(unpacked == piece)
        }
        #expect(unpacker.checkedCount == 0, "no checksum has come yet")
        #expect(throws: ZstdUnpacker.Garbled.self) { try unpacker.checkEnd() }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func whereverItIsCutItIsTheSame(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let bytes = Self.text(Int.random(in: 1...400_000, using: &random), seed: seed)
        let stream = try pack(
            bytes, pieces: Int.random(in: 500...100_000, using: &random),
            framesOf: Int.random(in: 1_000...200_000, using: &random))
        let cuts = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            Int.random(in: 0...stream.count, using: &random)
        }
        let whole = Unpacked(bytes: bytes, checked: bytes.count, isWhole: true)
        #expect(try unpack(stream, upTo: bytes.count, cuts: cuts.sorted()) == whole)
    }

    @Test func everyByteMayComeAlone() throws {
        let bytes = Self.text(3_000)
        let stream = try pack(bytes, pieces: 700, framesOf: 1_000)
        let unpacked = try unpack(stream, upTo: 3_000, cuts: Array(1..<stream.count))
        #expect(unpacked == Unpacked(bytes: bytes, checked: 3_000, isWhole: true))
    }

    @Test func aStreamThatEndsAtAnyByteIsNotWhole() throws {
        let bytes = Self.text(3_000)
        let first = try pack(Array(bytes.prefix(1_000)), pieces: 400)
        let stream = try first + pack(Array(bytes.dropFirst(1_000)), pieces: 400)
        for end in 1..<stream.count {
            let unpacked = try unpack(Array(stream[..<end]), upTo: 3_000)
            // Where a frame ends, it is whole, and shorter than what was asked for.
            #expect(unpacked.isWhole == (end == first.count), "\(end)")
            #expect(unpacked.checked == (end < first.count ? 0 : 1_000))
            #expect(bytes.starts(with: unpacked.bytes))
        }
    }

    @Test func aFlippedBitIsFoundBeforeTheFrameEnds() throws {
        let bytes = Self.text(3_000)
        let first = try pack(Array(bytes.prefix(1_000)), pieces: 400)
        let stream = try first + pack(Array(bytes.dropFirst(1_000)), pieces: 400)
        for place in stream.indices {
            var bent = stream
            bent[place] ^= 1 << UInt8(place % 8)
            let unpacked = try unpack(bent, upTo: 3_000)
            // A bit of a header may stand for nothing.
            #expect(!unpacked.isWhole || unpacked.bytes == bytes, "\(place)")
            #expect(bytes.starts(with: unpacked.bytes.prefix(unpacked.checked)), "what was checked is right")
        }
    }

    @Test func noMoreComesOutThanWasExpected() throws {
        let bomb = try pack([UInt8](repeating: 0, count: 50_000_000), pieces: 1 << 20)
        #expect(bomb.count < 50_000)
        for most in [0, 1, 1_000_000, 49_999_999] {
            let unpacked = try unpack(bomb, upTo: most)
            #expect(!unpacked.isWhole && unpacked.bytes.count <= most)
        }
        #expect(try unpack(bomb, upTo: 50_000_000).isWhole)
    }

    /// Each is nine bytes or so, and they hold nothing: the input has a bound of its own.
    @Test func emptyFramesAreNotReadForEver() throws {
        let empty = try #require([UInt8]().withUnsafeBytes { Zstd.compress($0) })
        func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in empty } }
        #expect(try unpack(frames(100), upTo: 100).isWhole)
        #expect(try !unpack(frames(5_000), upTo: 100).isWhole)
    }

    @Test func whatDoesNotShrinkFitsTheBound() throws {
        var random = SplitMix(state: 7)
        let bytes = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for pieces in [4_000, 64 << 10, 3_000_000] {
            let stream = try pack(bytes, pieces: pieces, framesOf: 1 << 20)
            #expect(try unpack(stream, upTo: bytes.count).isWhole)
        }
    }

    @Test func aLargerWindowThanEveryoneSupportsIsRefused() throws {
        // The magic number, no checksum, a window of 16 MiB, and one block that is a byte 32,768 times.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 0x03, 0x00, 0x04, 0x00]
        #expect(try !unpack(frame, upTo: 16 << 20).isWhole)
        var smaller = frame
        smaller[5] = 13 << 3
        #expect(try unpack(smaller, upTo: 16 << 20).isWhole)
    }

    @Test(arguments: [
        // Formats of zstd 0.7 and before, and a frame that is to be skipped.
        [0x27, 0xB5, 0x2F, 0xFD, 0x00, 0x00], [0x22, 0xB5, 0x2F, 0xFD],
        [0x50, 0x2A, 0x4D, 0x18, 0x00, 0x00, 0x00, 0x00],
        Array("<html>".utf8), [0x28], [0x28, 0xB5, 0x2F, 0xFD], [0],
    ]) func whatIsNoFrameIsRefused(_ bytes: [UInt8]) throws {
        #expect(try unpack(bytes, upTo: 1_000) == Unpacked())
        #expect(try unpack(bytes, upTo: 1_000, cuts: Array(1..<bytes.count)) == Unpacked())
    }

    @Test func whatFollowsTheLastFrameIsNoPartOfIt() throws {
        let stream = try pack(Self.text(1_000), pieces: 1_000)
        #expect(try !unpack(stream + [0], upTo: 1_000).isWhole)
        #expect(try !unpack(stream + stream, upTo: 1_999).isWhole)
        #expect(try unpack(stream + stream, upTo: 2_000).isWhole)
    }

    @Test func onceItIsGarbledItStaysSo() throws {
        let unpacker = try #require(ZstdUnpacker(upTo: 1_000))
        #expect(throws: ZstdUnpacker.Garbled.self) { try [0].withUnsafeBytes { try unpacker.unpack($0) { _ in } } }
        let stream = try pack(Self.text(100), pieces: 100)
        #expect(throws: ZstdUnpacker.Garbled.self) { try stream.withUnsafeBytes { try unpacker.unpack($0) { _ in } } }
        #expect(throws: ZstdUnpacker.Garbled.self) { try unpacker.checkEnd() }
    }
}
