import BothyContract
import Testing

@Suite struct ContentHashTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func whatIsWrittenReadsTheSame(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let hash = try #require(ContentHash(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &dice) }))
        #expect(hash.hex.count == 64)
        #expect(hash.hex == hash.hex.lowercased())
        #expect(ContentHash(hex: hash.hex) == hash)
        #expect(ContentHash(hex: hash.hex.uppercased()) == hash)
        #expect(try WireCoding.decode(ContentHash.self, from: WireCoding.encode(hash)) == hash)
    }

    @Test func whatIsNoHashIsRefused() {
        let digits = String(repeating: "a", count: 63)
        for text in ["", digits, digits + "aa", digits + "g", digits + " ", "０" + digits, "-" + digits] {
            #expect(ContentHash(hex: text) == nil)
        }
        for count in [0, 31, 33] { #expect(ContentHash(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
