import Testing

@testable import BothyClient

@Suite struct ProgressCadenceTests {
    @Test func muchIsWrittenDownSoonAndLittleWithinASecond() {
        var cadence = ProgressCadence(now: 100)
        let asked: [(moved: Int64, now: Double)] = [
            ((64 << 20) - 1, 100.9), (64 << 20, 100.9), (65 << 20, 101.8), (66 << 20, 101.9), (67 << 20, 101.9),
        ]
        let due = asked.map { cadence.isDue(moved: $0.moved, now: $0.now) }
        #expect(due == [false, true, false, true, false])
    }
}
