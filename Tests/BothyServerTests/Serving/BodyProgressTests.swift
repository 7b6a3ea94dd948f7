import Testing

@testable import BothyServer

@Suite struct BodyProgressTests {
    private func looks(_ progress: inout BodyProgress, untilStalled most: Int) -> Int? {
        (1...most).first { _ in progress.isStalled() }
    }

    @Test func aBodyThatTricklesStalls() {
        var progress = BodyProgress(looks: 4, leastBytes: 1000)
        progress.began()
        progress.wanted()
        var stalledAt: Int?
        for look in 1...100 where stalledAt == nil {
            progress.received(10)
            if progress.isStalled() { stalledAt = look }
        }
        #expect(stalledAt == 5)
    }

    @Test func aSlowLineThatKeepsComingDoesNot() {
        var progress = BodyProgress(looks: 4, leastBytes: 1000)
        progress.began()
        progress.wanted()
        for _ in 0..<100 {
            progress.received(300)
            let isStalled = progress.isStalled()
            #expect(!isStalled)
        }
    }

    @Test func aServerThatDoesNotReadIsNotWaiting() {
        var progress = BodyProgress(looks: 4, leastBytes: 1000)
        progress.began()
        progress.wanted()
        progress.readCompleted()
        #expect(looks(&progress, untilStalled: 100) == nil)
    }

    @Test func betweenRequestsNothingStalls() {
        var progress = BodyProgress(looks: 4, leastBytes: 1000)
        progress.wanted()
        #expect(looks(&progress, untilStalled: 100) == nil)
        progress.began()
        progress.ended()
        #expect(looks(&progress, untilStalled: 100) == nil)
    }
}
