import Testing

@testable import BothyServer

/// When the packs are tidied, and how soon a disk without room is helped.
@Suite struct ReclaimCalendarTests {
    private static let hours: Int64 = 3600

    @Test func thePacksAreTidiedAMinuteAfterTheStartAndFourTimesADay() {
        var calendar = ReclaimCalendar(now: 1000)
        #expect(calendar.due(at: 1059, isShort: false) == .nothing)
        #expect(calendar.due(at: 1060, isShort: false) == .all)
        calendar.ended(.all, from: 1060, to: 5000)
        #expect(calendar.due(at: 1059 + 6 * Self.hours, isShort: false) == .nothing)
        #expect(calendar.due(at: 1060 + 6 * Self.hours, isShort: false) == .all)
    }

    @Test func aDiskWithoutRoomIsHelpedAtTheNextLook() {
        var calendar = ReclaimCalendar(now: 0)
        #expect(calendar.due(at: 1, isShort: true) == .dead)
        calendar.ended(.dead, from: 1, to: 1)
        #expect(calendar.due(at: 6, isShort: true) == .dead)
        #expect(calendar.due(at: 6, isShort: false) == .nothing)
    }

    /// On a large server the search takes minutes, and must not be all that it does.
    @Test func aSearchThatTookLongIsNotRepeatedAtOnce() {
        var calendar = ReclaimCalendar(now: 0)
        calendar.ended(.all, from: 60, to: 60)
        calendar.ended(.dead, from: 100, to: 130)
        #expect(calendar.due(at: 729, isShort: true) == .nothing)
        #expect(calendar.due(at: 730, isShort: true) == .dead)
    }

    @Test(arguments: [ReclaimCalendar.Due.all, .dead]) func whatFailedIsTriedAgainTenMinutesLater(
        _ due: ReclaimCalendar.Due
    ) {
        var calendar = ReclaimCalendar(now: 0)
        calendar.ended(.all, from: 60, to: 60)
        calendar.failed(due, at: 1000)
        #expect(calendar.due(at: 1599, isShort: true) == .nothing)
        #expect(calendar.due(at: 1600, isShort: true) == due)
    }
}
