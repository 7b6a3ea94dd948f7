/// When a download's progress is worth being written down. Each time costs a sync of the partial file; what is not
/// written down is fetched again after a crash.
struct ProgressCadence {
    /// Bytes after which progress is written down, however fast they came.
    static let bytes: Int64 = 64 << 20
    /// Seconds after which it is, however few they were.
    static let seconds = 1.0

    private var written: Int64 = 0
    private var writtenAt: Double

    /// - Parameter now: seconds, of a clock that never jumps.
    init(now: Double) { writtenAt = now }

    /// - Parameter moved: bytes that arrived in all.
    mutating func isDue(moved: Int64, now: Double) -> Bool {
        guard moved - written >= Self.bytes || now - writtenAt >= Self.seconds else { return false }
        written = moved
        writtenAt = now
        return true
    }
}
