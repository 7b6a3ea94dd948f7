import BothyContent
import BothyContract
import Testing

@Suite struct SHA256HasherTests {
    /// FIPS 180-4, appendix B.
    @Test func theStandardsExamples() {
        #expect(
            SHA256Hasher.hash(Array("abc".utf8)).hex
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256Hasher.hash([UInt8]()).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func piecesHashAsTheWhole() {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var hasher = SHA256Hasher()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...9000, using: &generator))
                hasher.update(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(hasher.finish() == SHA256Hasher.hash(bytes))
            #expect(hasher.byteCount == 100_000)
        }
    }

    @Test func askingMidwayChangesNothing() {
        var hasher = SHA256Hasher()
        hasher.update(Array("a".utf8))
        _ = hasher.finish()
        hasher.update(Array("bc".utf8))
        #expect(hasher.finish() == SHA256Hasher.hash(Array("abc".utf8)))
    }
}
