import BothyContract
import Testing

@Suite struct WeightedNamesTests {
    @Test(arguments: [
        ("zstd", true), ("gzip, zstd", true), ("gzip;q=0.5 , ZSTD ; q=0.1", true), ("zstd;q=0", false),
        ("zstd;q=0.0", false), ("zstd;q=x", true), ("gzip", false), ("*", false), ("", false), ("zstdx", false),
        ("zstd;level=3;q=0", false), (",,;zstd", false),
    ]) func aNameIsTakenUnlessItIsRefused(_ header: String, _ takes: Bool) {
        #expect(WeightedNames(header).take("zstd") == takes)
    }

    @Test func noHeaderNamesNothing() {
        #expect(!WeightedNames(nil).take("zstd"))
        #expect(WeightedNames(nil).weight(of: "zstd") == nil)
    }

    @Test(arguments: [
        ("range, zstd", true), ("range,gzip,zstd;q=0.2", true), ("zstd, range", false), ("range", false),
        ("zstd", false), ("range;q=0, zstd", false), ("range, zstd;q=0", false),
    ]) func ofTwoTheOrderCounts(_ header: String, _ takes: Bool) {
        #expect(WeightedNames(header).take("range", before: "zstd") == takes)
    }
}
