import BothyContract
import Foundation
import Testing

@testable import bothy

@Suite struct MomentArgumentTests {
    private static let zone = TimeZone(identifier: "Europe/Berlin")!
    private static let now = Timestamp(rfc3339: "2026-11-21T10:30:00Z")!

    @Test(arguments: [
        ("2026-11-20 14:00", "2026-11-20T13:00:00Z"), ("2026-11-20T14:00:05", "2026-11-20T13:00:05Z"),
        ("2026-07-20 14:00", "2026-07-20T12:00:00Z"), ("2026-11-20", "2026-11-19T23:00:00Z"),
        ("2026-11-20T14:00:00Z", "2026-11-20T14:00:00Z"), ("2026-11-20T14:00:00+02:00", "2026-11-20T12:00:00Z"),
        ("now", "2026-11-21T10:30:00Z"), ("2 hours ago", "2026-11-21T08:30:00Z"),
        ("an hour ago", "2026-11-21T09:30:00Z"), ("90 Minutes ago", "2026-11-21T09:00:00Z"),
        ("3 days ago", "2026-11-18T10:30:00Z"), ("1 week ago", "2026-11-14T10:30:00Z"),
        ("yesterday", "2026-11-19T23:00:00Z"), ("yesterday 9:30", "2026-11-20T08:30:00Z"),
        ("today 09:30", "2026-11-21T08:30:00Z"), ("11:00", "2026-11-21T10:00:00Z"),
        ("14:00", "2026-11-20T13:00:00Z"),
    ])
    func aMomentIsReadInThePersonsZone(text: String, expected: String) throws {
        let read = try MomentArgument(text, now: Self.now, zone: Self.zone)
        #expect(read.moment == .time(try #require(Timestamp(rfc3339: expected))))
    }

    @Test func thePlaceThatARestoreToldIsAMoment() throws {
        #expect(try MomentArgument("c1.1.2s.1y2p0ij", now: Self.now).moment == .cursor("c1.1.2s.1y2p0ij"))
    }

    @Test(arguments: [
        "", "tomorrow", "2026-02-30", "2026-13-01 10:00", "25:00", "2026-11-20 14", "two hours ago", "-2 hours ago",
        "99999999999 weeks ago", "2026-11-20 14:00 15:00", "last week",
    ])
    func whatIsNoMomentIsWrongUsage(text: String) {
        let complaint = #expect(throws: Complaint.self) { try MomentArgument(text, now: Self.now, zone: Self.zone) }
        #expect(complaint?.status == .wrongUsage)
        #expect(complaint?.remedy?.contains("2 hours ago") == true)
    }
}

/// When a post shall come out, as it is typed.
@Suite struct ScheduleArgumentTests {
    private static let zone = TimeZone(identifier: "Europe/Berlin")!
    private static let now = Timestamp(rfc3339: "2026-11-21T10:30:00Z")!

    @Test(arguments: [
        ("2026-12-24 18:00", "2026-12-24T17:00:00Z"), ("tomorrow 8:00", "2026-11-22T07:00:00Z"),
        ("tomorrow", "2026-11-21T23:00:00Z"), ("in 2 hours", "2026-11-21T12:30:00Z"),
        ("in an hour", "2026-11-21T11:30:00Z"), ("14:00", "2026-11-21T13:00:00Z"), ("11:00", "2026-11-22T10:00:00Z"),
        ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"),
    ])
    func aTimeToComeIsReadInThePersonsZone(text: String, expected: String) throws {
        let read = try ScheduleArgument(text, now: Self.now, zone: Self.zone)
        #expect(read.time == Timestamp(rfc3339: expected))
    }

    @Test(arguments: ["yesterday", "2 hours ago", "2026-11-20 14:00", "today 9:00"])
    func aTimeInThePastIsSaidToBeThat(text: String) {
        let complaint = #expect(throws: Complaint.self) {
            try ScheduleArgument(text, now: Self.now, zone: Self.zone)
        }
        #expect(complaint?.message == "“\(text)” is in the past.")
    }

    @Test(arguments: ["", "yesterday", "2 hours ago", "2026-11-20 14:00", "today 9:00", "in two hours", "now", "soon"])
    func whatIsNoTimeToComeIsWrongUsage(text: String) {
        let complaint = #expect(throws: Complaint.self) {
            try ScheduleArgument(text, now: Self.now, zone: Self.zone)
        }
        #expect(complaint?.status == .wrongUsage)
    }
}
