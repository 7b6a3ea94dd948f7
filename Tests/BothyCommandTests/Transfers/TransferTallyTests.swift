import Testing

@testable import bothy

/// How the files of one command are counted.
@Suite struct TransferTallyTests {
    /// What waited for a connection was counted as waiting for good.
    @Test func whatWaitedIsCountedOnceAsWhatItBecame() {
        var tally = TransferTally()
        tally.count(.paused)
        tally.count(.paused)
        #expect(tally.words(seconds: 0).hasSuffix(", 2 waiting"))
        tally.waitsNoMore()
        tally.count(.done, bytes: 7)
        tally.waitsNoMore()
        tally.count(.failed, status: .failed)
        #expect((tally.done, tally.paused, tally.failed, tally.bytes) == (1, 0, 1, 7))
        #expect(tally.status == .partlyDone)
    }

    @Test func whatIsLeftOutIsNotDone() {
        var tally = TransferTally()
        tally.count(.done, bytes: 1)
        tally.count(.leftOut, status: .notThereOrInConflict)
        #expect(tally.status == .partlyDone && tally.failed == 0)
    }
}
