import BothyContract
import Testing

@Suite struct ChangeCursorTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func whatIsWrittenReadsTheSame(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let cursor = ChangeCursor(
            epoch: Int64.random(in: 0...(.max), using: &dice), sequence: Int64.random(in: 0...(.max), using: &dice),
            tag: UInt32.random(in: 0...(.max), using: &dice))
        #expect(ChangeCursor(text: cursor.text) == cursor)
    }

    @Test func theExtremesFit() {
        let cursor = ChangeCursor(epoch: .max, sequence: .max, tag: .max)
        #expect(ChangeCursor(text: cursor.text) == cursor)
        #expect(ChangeCursor(text: "c1.0.0.0") == ChangeCursor(epoch: 0, sequence: 0, tag: 0))
    }

    @Test(arguments: [
        "", "c1", "c1.1.2", "c1.1.2.3.4", "c2.1.2.3", "c1..2.3", "c1.-1.2.3", "c1.1.-2.3", "c1.1.2.-3",
        "c1.1.2.zzzzzzzz",
        "c1.1y2p0ij32e8e8.0.0", "c1.1.2.3 ", " c1.1.2.3", "c1.１.2.3", "c1.1.2.3\n", "c1.ä.2.3",
    ])
    func whatNoServerWroteIsRefused(_ text: String) { #expect(ChangeCursor(text: text) == nil) }

    @Test func aLongOneIsRefused() {
        #expect(ChangeCursor(text: "c1." + String(repeating: "0", count: 10_000) + ".0.0") == nil)
    }
}
