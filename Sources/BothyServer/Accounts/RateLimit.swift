/// A leaky bucket, as GCRA (ITU-T I.371): pure, times in milliseconds on a clock that never jumps.
///
/// In any minute at most `burst + 60,000 / interval` attempts pass.
package struct RateLimit: Hashable, Sendable {
    /// Attempts that may come at once.
    package var burst: Int64
    /// Milliseconds that one attempt takes to be forgotten.
    package var interval: Int64

    package init(burst: Int64, interval: Int64) {
        self.burst = burst
        self.interval = interval
    }

    package enum Decision: Hashable, Sendable {
        /// The attempt counts; the bucket is empty again at `emptyAt`.
        case pass(emptyAt: Int64)
        /// Milliseconds until the next attempt may pass.
        case wait(Int64)
    }

    /// - Parameter emptyAt: when the bucket is empty again; nil for one never used.
    package func take(now: Int64, emptyAt: Int64?) -> Decision {
        // After a restart the clock may stand a little earlier: nobody waits longer than a full bucket for it.
        let full = now + burst * interval
        let from = max(now, min(emptyAt ?? now, full))
        let after = from + interval
        return after > full ? .wait(after - full) : .pass(emptyAt: after)
    }

    /// Attempts that are not forgotten yet, at most ``burst``.
    package func taken(now: Int64, emptyAt: Int64?) -> Int64 {
        let left = min(max((emptyAt ?? now) - now, 0), burst * interval)
        return (left + interval - 1) / interval
    }

    /// Takes note of an attempt whether it may pass or not: when the bucket is empty again, which holds no more than it can.
    package func filling(now: Int64, emptyAt: Int64?) -> Int64 {
        min(max(now, emptyAt ?? now) + interval, now + burst * interval)
    }

    /// Gives one attempt back: the bucket is empty earlier.
    package func refund(emptyAt: Int64) -> Int64 { emptyAt - interval }
}
