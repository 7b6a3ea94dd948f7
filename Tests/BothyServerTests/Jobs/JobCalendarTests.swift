import Testing

@testable import BothyServer

@Suite struct JobCalendarTests {
    @Test func theJobThatIsDueFirstComesFirst() {
        var calendar = JobCalendar(periods: [3600, 10, 100], now: 0)
        #expect(calendar.next(now: 0).map { [$0.job, Int($0.wait)] } == [1, 10])
        calendar.ended(1, now: 55)
        #expect(calendar.next(now: 55).map { [$0.job, Int($0.wait)] } == [0, 5])
        calendar.ended(0, now: 60)
        #expect(calendar.next(now: 60).map { [$0.job, Int($0.wait)] } == [2, 0])
        calendar.ended(2, now: 60)
        #expect(calendar.next(now: 60).map { [$0.job, Int($0.wait)] } == [1, 5])
    }

    @Test func aDailyJobRunsSoonAfterTheStart() {
        let calendar = JobCalendar(periods: [86_400], now: 7)
        #expect(calendar.next(now: 7)?.wait == JobCalendar.firstWait)
    }

    @Test func withoutJobsThereIsNothingToWaitFor() {
        #expect(JobCalendar(periods: [], now: 0).next(now: 0) == nil)
    }
}
