import BothyContract
import Crypto
import Testing

@testable import BothyContent

@Suite struct TwinHasherTests {
    /// Parts of any length, none at all among them, and in pieces of any length.
    @Test(arguments: 0..<600 as Range<UInt64>, [1, 64, 200, 1023])
    func partsAndWholeAreHashedAsByAHasherOfEach(_ seed: UInt64, _ longestPart: Int) {
        var random = SeededGenerator(seed: seed)
        var twin = TwinHasher()
        var whole = SHA256Hasher()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let length = Int.random(in: 0...longestPart, using: &random)
            let part = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            var rest = part[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...500, using: &random)))
                piece.withUnsafeBytes { twin.update($0) }
                rest = rest.dropFirst(piece.count)
            }
            whole.update(part)
            #expect(twin.endPart() == SHA256Hasher.hash(part))
        }
        #expect(twin.finish() == whole.finish())
    }

    /// Every length around the bounds of a block and of its padding, cut in two anywhere: as this processor does it, and as one without
    /// instructions for SHA-256.
    @Test(arguments: [TwinHasher(), TwinHasher(sideBySide: false)])
    func eachLengthAndSplitIsHashedAsBySwiftCrypto(_ new: TwinHasher) {
        let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
        for length in Array(0...130) + [183, 184, 191, 192, 193, 255, 256, 257, 400] {
            let message = bytes.prefix(length)
            for split in Set([0, 1, length / 3, 55, 56, 63, 64, 65, 119, 120, 128, length]) where split <= length {
                var twin = new
                Self.update(&twin, message.prefix(split))
                let first = twin.endPart()
                Self.update(&twin, message.dropFirst(split))
                #expect(first.bytes == Array(SHA256.hash(data: message.prefix(split))), "\(split) of \(length) bytes")
                #expect(
                    twin.endPart().bytes == Array(SHA256.hash(data: message.dropFirst(split))),
                    "from \(split) on of \(length) bytes")
                #expect(twin.finish().bytes == Array(SHA256.hash(data: message)), "\(length) bytes at \(split)")
            }
        }
    }

    @Test(arguments: [TwinHasher(), TwinHasher(sideBySide: false)])
    func aLargeFileInUnevenPartsIsHashedAsBySwiftCrypto(_ new: TwinHasher) {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<(1 << 17)).flatMap { _ in withUnsafeBytes(of: random.next(), Array.init) }
        var twin = new
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...150_000, using: &random))
            rest = rest.dropFirst(part.count)
            var pieces = part
            while !pieces.isEmpty {
                let piece = pieces.prefix(Int.random(in: 1...20_000, using: &random))
                Self.update(&twin, piece)
                pieces = pieces.dropFirst(piece.count)
            }
            #expect(twin.endPart().bytes == Array(SHA256.hash(data: part)))
        }
        #expect(twin.finish().bytes == Array(SHA256.hash(data: bytes)))
    }

    private static func update(_ twin: inout TwinHasher, _ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { twin.update($0) }
    }
}
