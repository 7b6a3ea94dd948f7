import BothyContract
import BothyPresentation
import Foundation
import Testing

extension PersonsClock {
    /// Noon in Greenwich, of a winter's day.
    static let atNoon = PersonsClock(now: Timestamp(rfc3339: "2026-11-30T12:00:00Z")!, zone: .gmt)
}

/// When a post shall come out, as a form's field has it.
@Suite struct PostTimeTests {
    private static let berlin = PersonsClock(
        now: PersonsClock.atNoon.now, zone: TimeZone(identifier: "Europe/Berlin")!)

    @Test(arguments: [
        ("2026-12-24T18:00", "2026-12-24T17:00:00Z"), ("2027-07-01T08:30", "2027-07-01T06:30:00Z"),
        ("2026-11-30T13:01:59", "2026-11-30T12:01:00Z"),
    ])
    func aTimeIsByTheClockOnThePersonsWall(typed: String, expected: String) throws {
        let time = try #require(Timestamp(rfc3339: expected))
        #expect(PostTime(typed, at: Self.berlin) == .at(time))
        #expect(typed.hasPrefix(PostTime.text(time, at: Self.berlin)), "and is shown as it was typed")
    }

    @Test(arguments: ["2026-11-30T13:00", "2026-11-30T09:00", "1999-01-01T00:00"])
    func oneThatHasBeenIsOver(typed: String) { #expect(PostTime(typed, at: Self.berlin) == .over) }

    @Test(arguments: [
        "soon", "2027-02-30T10:00", "2027-13-01T10:00", "2027-01-01T25:00", "2027-01-01", "12:00", "2027-01-01T10:00Z",
    ])
    func whatIsNoTimeIsSaidToBeNone(typed: String) { #expect(PostTime(typed, at: Self.berlin) == .unreadable) }

    @Test func nothingIsAtOnce() {
        #expect(PostTime("", at: .atNoon) == .atOnce && PostTime("  ", at: .atNoon) == .atOnce)
    }
}
