import BothyContract
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
}
