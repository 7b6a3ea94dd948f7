import BothyContract
import Foundation
import Testing

@Suite struct TimestampTests {
    @Test(arguments: 0..<500 as Range<UInt64>)
    func whatIsWrittenReadsTheSame(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let fractions: [Int32] = [0, 1, 999_999_999, 42_000_000, 42_500_000, 999_000]
        let time = Timestamp(
            seconds: Int64.random(in: Timestamp.firstSecond...Timestamp.lastSecond, using: &dice),
            nanoseconds: fractions.randomElement(using: &dice)!)
        let text = time.rfc3339
        #expect(Timestamp(rfc3339: text) == time)
        #expect(Timestamp(rfc3339: text.lowercased()) == time)
        #expect(try WireCoding.decode(Timestamp.self, from: WireCoding.encode(time)) == time)
        // Milliseconds always, and more only where there is something finer to tell.
        let fraction = text.split(separator: ".")[1].dropLast()
        #expect([3, 6, 9].contains(fraction.count))
        if time.nanoseconds % 1_000_000 == 0 { #expect(fraction.count == 3) }
    }

    /// Foundation's calendar is the other opinion.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func theCalendarIsTheGregorianOne(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        // From 1600 on; Foundation's formatter changes to the Julian calendar before 1582.
        let seconds = Int64.random(in: -11_676_096_000...Timestamp.lastSecond, using: &dice)
        let formatter = ISO8601DateFormatter()
        let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
        #expect(Timestamp(seconds: seconds).rfc3339 == expected.dropLast() + ".000Z")
    }

    @Test func knownMoments() {
        #expect(Timestamp(seconds: 0).rfc3339 == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp(seconds: Timestamp.firstSecond).rfc3339 == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(seconds: Timestamp.lastSecond).rfc3339 == "9999-12-31T23:59:59.000Z")
        #expect(Timestamp(rfc3339: "2024-02-29T12:00:00+02:00")?.rfc3339 == "2024-02-29T10:00:00.000Z")
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z")?.rfc3339 == "2017-01-01T00:00:00.000Z")
        #expect(Timestamp(rfc3339: "2024-01-01T00:00:00.1234567891Z")?.nanoseconds == 123_456_789)
    }

    @Test(arguments: [
        "", "Z", "2024", "2024-01-01", "2024-01-01T00:00:00", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z",
        "2024-01-32T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z",
        "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z",
        "２０２４-01-01T00:00:00Z", "-024-01-01T00:00:00Z", "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01",
    ])
    func whatIsNoTimeIsRefused(_ text: String) { #expect(Timestamp(rfc3339: text) == nil) }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func orderIsTheOrderOfTime(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let moments = (0..<2).map { _ in Int64.random(in: -5000...5000, using: &dice) }
        let times = moments.map(Timestamp.init(milliseconds:))
        #expect((times[0] < times[1]) == (moments[0] < moments[1]))
        #expect(times.map(\.milliseconds) == moments)
        #expect(times[0].adding(seconds: 3).seconds(since: times[0]) == 3)
    }
}
