import BothyContract
import Testing

@testable import BothySync

/// Which stamps vouch for what was read, judged by the disk's own clock.
@Suite struct DiskClockTests {
    private func time(_ seconds: Int64, _ milliseconds: Int32 = 0) -> Timestamp {
        Timestamp(seconds: seconds, nanoseconds: milliseconds * 1_000_000)
    }

    private func isRecent(
        _ modified: Timestamp, changed: Timestamp? = nil, at now: Timestamp, _ granularity: Int64 = 1
    ) -> Bool {
        DiskClock(time: now, granularity: granularity)
            .isRecent(LocalStamp(modifiedAt: modified, changedAt: changed ?? modified))
    }

    @Test func aStampOfTheMomentOfTheLookVouchesForNothing() {
        #expect(isRecent(time(100), at: time(100)))
        #expect(isRecent(time(101), at: time(100)), "it was written while the look went on")
    }

    /// The kernel's clock stands still between two ticks.
    @Test func aTickOfTheKernelCountsOnEveryDisk() {
        #expect(isRecent(time(100, 491), at: time(100, 500)))
        #expect(!isRecent(time(100, 489), at: time(100, 500)))
        #expect(isRecent(time(99, 995), at: time(100, 4)))
        #expect(!isRecent(time(99, 993), at: time(100, 4)))
    }

    @Test(arguments: [1, 2] as [Int64]) func aDiskOfWholeSecondsTellsAsMuchLater(_ seconds: Int64) {
        let granularity = seconds * 1_000_000_000
        #expect(isRecent(time(100), at: time(100), granularity))
        #expect(isRecent(time(100 - seconds), at: time(100), granularity))
        #expect(!isRecent(time(99 - seconds), at: time(100), granularity))
    }

    /// A camera whose clock was wrong: its pictures were read in each pass, for years.
    @Test func aTimeInTheFutureIsNoTimeOfNow() {
        #expect(!isRecent(time(1_000_000), changed: time(50), at: time(100)))
        #expect(isRecent(time(1_000_000), changed: time(100), at: time(100)))
        #expect(!isRecent(time(150), changed: time(50), at: time(100)))
        #expect(isRecent(time(150), changed: time(100), at: time(100)))
        #expect(isRecent(time(100), changed: time(50), at: time(100)), "its time is that of the look")
    }

    @Test func whereTheClockIsNotKnownNothingVouches() {
        #expect(DiskClock.unknown.isRecent(LocalStamp(modifiedAt: time(1))))
    }

    /// What an action that was written down says of a stamp is of a look of which nothing is known any more.
    @Test func aDecodedStampVouchesForNothing() throws {
        let stamp = LocalStamp(inode: 7, size: 9, modifiedAt: time(100), changedAt: time(101))
        let decoded = try JSONColumn.read(LocalStamp.self, try JSONColumn.text(stamp))
        #expect(decoded.isRecent && decoded == stamp && Set([decoded, stamp]).count == 1)
    }
}
