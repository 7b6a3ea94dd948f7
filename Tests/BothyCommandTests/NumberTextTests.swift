import ArgumentParser
import BothyContract
import Foundation
import Testing

@testable import bothy

@Suite struct NumberTextTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10 * 1024, "10 KiB"),
            (1_048_063, "1023 KiB"), (1_048_064, "1.0 MiB"), (1_048_576, "1.0 MiB"),
            (10 << 30, "10 GiB"), (Int64.max, "8.0 EiB"), (-5, "0 B"),
        ] as [(Int64, String)])
    func bytesReadAsPeopleWriteThem(_ bytes: Int64, _ text: String) {
        #expect(ByteText.text(bytes) == text)
    }

    /// What is used was “3.5 GiB” to its owner, and “3.6 GiB” to whoever runs the server.
    @Test func bytesAreRoundedToTheNearest_asTheServerRoundsThem() {
        #expect(ByteText.text(3_855_187_561) == "3.6 GiB")
        #expect(ByteText.text((10 << 30) - 1) == "10 GiB")
        #expect(ByteText.text((37 << 30) + (1 << 29)) == "38 GiB")
    }

    @Test(
        arguments: [
            ("1500", 1500), ("500K", 512_000), ("5M", 5 << 20), ("1.5 GiB", 1_610_612_736), ("10MB", 10_000_000),
            ("2kib", 2048), ("0", 0), ("7b", 7), ("1T", 1 << 40),
        ] as [(String, Int64)])
    func sizesAreReadInTheUnitsThatPeopleType(_ text: String, _ bytes: Int64) {
        #expect(ByteText.parse(text) == bytes)
    }

    @Test(arguments: ["", "M", "-5M", "5X", "5MM", "1e9", "nan", "0x10", "1.2.3", "٥M", "99999999T", "5 Mo", "."])
    func whatIsNoSizeIsRefused(_ text: String) {
        #expect(ByteText.parse(text) == nil)
    }

    @Test func aRateHasAFloorAndAnOff() throws {
        #expect(try ByteRate.parse("5M/s").bytesPerSecond == 5 << 20)
        #expect(try ByteRate.parse("off") == ByteRate(bytesPerSecond: nil))
        #expect(throws: ValidationError.self) { try ByteRate.parse("fast") }
        #expect { try ByteRate.parse("1K") } throws: { "\($0)".contains("4.0 KiB") }
    }

    @Test(
        arguments: [
            (0, "0:00"), (6.2, "0:07"), (725, "12:05"), (3723, "1:02:03"), (200_000, "2 days"),
            (Double.infinity, "–:––"),
        ] as [(Double, String)])
    func timeLeftReadsAsAClock(_ seconds: Double, _ text: String) {
        #expect(DurationText.clock(seconds) == text)
    }

    @Test(arguments: [(0.44, "0.4 s"), (12.4, "12 s"), (185, "3 min 5 s"), (7440, "2 h 4 min")] as [(Double, String)])
    func timeTakenReadsAsASentence(_ seconds: Double, _ text: String) {
        #expect(DurationText.words(seconds) == text)
    }

    @Test func momentsAreShownInTheirZone() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(MomentText.text(Timestamp(seconds: 0), in: zone) == "1970-01-01 01:00")
        #expect(MomentText.time(Timestamp(seconds: 59), in: zone) == "01:00:59")
    }

    /// A pause of three seconds ended, so it said, in the minute that it began in.
    @Test func whatIsSoonIsToldToTheSecond() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        func text(_ seconds: Int64) -> String {
            MomentText.text(Timestamp(seconds: seconds), seenAt: Timestamp(seconds: 0), in: zone)
        }
        #expect(text(3) == "1970-01-01 00:00:03")
        #expect(text(299) == "1970-01-01 00:04:59")
        #expect(text(300) == "1970-01-01 00:05")
    }
}
