import BothyContract
import Testing

@Suite struct ContentRangeTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func whatIsWrittenReadsTheSame(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let first = Int64.random(in: 0...(1 << 40), using: &dice)
        let last = first + Int64.random(in: 0...(1 << 30), using: &dice)
        let total = Bool.random(using: &dice) ? last + Int64.random(in: 1...100, using: &dice) : nil
        let range = ContentRange(first: first, last: last, total: total)
        #expect(ContentRange(text: range.text) == range)
        #expect(range.length == last - first + 1)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-1", "bytes 0-1/", "bytes 1-0/2", "bytes 0-2/2", "bytes -1-2/5", "bytes 0--1/5",
        "bytes +0-1/5", "bytes 0-+1/5", "bytes 0 - 1/5", "bytes  0-1/5", "bytes 0-1/5 ", "Bytes 0-1/5", "chunks 0-1/5",
        "bytes */5", "bytes 0-1/*/5", "bytes 0-1-2/5", "bytes 0-99999999999999999999/*",
        "bytes 0-9223372036854775808/*",
        "bytes 0-1/9223372036854775808", "bytes 0x0-1/5", "bytes ٠-١/٥", "bytes 0-1/-5", "bytes 0-1/5,2-3/5",
        "bytes 00000000000000000000-1/5",
    ])
    func whatIsNoRangeIsRefused(_ text: String) { #expect(ContentRange(text: text) == nil) }

    @Test func theLargestNumbersAreTaken() {
        #expect(ContentRange(text: "bytes 0-9223372036854775806/9223372036854775807")?.last == Int64.max - 1)
    }

    @Test func aLengthThatDoesNotFitIsNoRange() {
        #expect(ContentRange(text: "bytes 0-9223372036854775807/*") == nil)
    }
}
