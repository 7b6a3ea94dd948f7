import BothyContract

/// What a disk's own clock said before files were read, and how finely the disk tells times apart.
///
/// A file that is changed later gets a time that is not earlier. So a stamp with an earlier time vouches for what was read, and one
/// that is as late does not: the file may be changed again, and keep it. Git calls such entries racily clean
/// (https://git-scm.com/docs/racy-git).
package struct DiskClock: Equatable, Sendable {
    /// The time that a file would have got which was written then; nil where that could not be found out.
    package var time: Timestamp?
    /// Nanoseconds: the disk rounds times down to multiples of this.
    package var granularity: Int64

    /// Nanoseconds. The kernel takes times from a clock that ticks as seldom as every 10 ms, whatever the disk could keep.
    private static let tick: Int64 = 10_000_000

    package init(time: Timestamp?, granularity: Int64 = 1) {
        self.time = time
        self.granularity = granularity
    }

    /// Of a disk whose clock is not known no stamp vouches for what is read.
    package static let unknown = DiskClock(time: nil)

    /// Of a disk of which nothing is known, by this machine's clock.
    package static func coarsest(at now: Timestamp) -> DiskClock { DiskClock(time: now, granularity: 2_000_000_000) }

    /// Whether a file with this stamp may be changed, after it was read, without its stamp telling so.
    package func isRecent(_ stamp: LocalStamp) -> Bool {
        guard let time else { return true }
        let edge = time.adding(nanoseconds: -max(Self.tick, granularity))
        guard stamp.modifiedAt >= edge else { return false }
        // A time in the future was given to the file, and it was not written now, where its inode last changed before: it is not read
        // each time until then.
        return stamp.modifiedAt <= time || stamp.changedAt >= edge
    }
}

extension Timestamp {
    fileprivate func adding(nanoseconds: Int64) -> Timestamp {
        let billion: Int64 = 1_000_000_000
        let sum = Int64(self.nanoseconds) + nanoseconds
        let rest = ((sum % billion) + billion) % billion
        return Timestamp(seconds: seconds + (sum - rest) / billion, nanoseconds: Int32(rest))
    }
}
