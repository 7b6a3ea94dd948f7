import BothyContract
import Testing

@testable import BothyContent

@Suite struct TwinHasherTests {
    /// Parts of whole blocks, which go side by side where the processor can, and parts of other lengths, which do not. The
    /// last is shorter, and all come in pieces of any length.
    @Test(arguments: 0..<300 as Range<UInt64>, [64, 1024, 6400, 1, 100, 1023])
    func partsAndWholeAreHashedAsByAHasherOfEach(_ seed: UInt64, _ partSize: Int) {
        var random = SeededGenerator(seed: seed)
        var twin = TwinHasher(partSize: Int64(partSize))
        var whole = SHA256Hasher()
        let parts = Int.random(in: 0...4, using: &random)
        for number in 0..<parts {
            let length = number < parts - 1 ? partSize : Int.random(in: 0...partSize, using: &random)
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
