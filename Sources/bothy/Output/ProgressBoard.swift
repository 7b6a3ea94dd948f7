/// What is on its way, in all and file by file. Pure: snapshots and a clock's readings go in, numbers come out.
///
/// Nothing that is shown ever runs backwards: a transfer that starts over keeps the most it had shown until it is past
/// it, and a percentage of everything is only shown once everything is known.
struct ProgressBoard: Sendable {
    struct Row: Equatable, Sendable {
        var label: String
        var phase: ProgressItem.Phase
        var done: Int64
        var total: Int64?
        /// Bytes per second.
        var rate: Double?
    }

    struct Totals: Equatable, Sendable {
        var files = 0
        var filesDone = 0
        var filesFailed = 0
        var bytes: Int64 = 0
        /// Nil until every file is known with its size.
        var bytesExpected: Int64?
        var rate: Double?
        /// Seconds.
        var left: Double?
    }

    private struct Entry {
        var item: ProgressItem
        var order: Int
        var meter = RateMeter()
    }

    /// Only what has begun and is not over: finished files live on in the sums below, so that ten thousand of them cost nothing.
    private var active: [Int: Entry] = [:]
    private var begun = 0
    private var finishedFiles = 0
    private var failedFiles = 0
    private var finishedBytes: Int64 = 0
    private var activeBytes: Int64 = 0
    /// Bytes that were there before this command began, and so tell nothing of its speed.
    private var inherited: Int64 = 0
    private var expectedFiles = 0
    private var expectedBytes: Int64 = 0
    private var allKnown = false
    private var meter = RateMeter()
    private let startedAt: Double

    init(startedAt: Double) { self.startedAt = startedAt }

    /// More to come, before it begins.
    mutating func expect(files: Int, bytes: Int64) {
        expectedFiles += files
        expectedBytes += bytes
    }

    /// Nothing more will be announced by `expect`.
    mutating func expectNothingMore() { allKnown = true }

    /// - Parameter id: the same for every reading of one file.
    mutating func update(_ id: Int, _ item: ProgressItem, at now: Double) {
        if var entry = active[id] {
            let before = entry.item.done
            entry.item = Self.never(backwards: item, from: entry.item)
            activeBytes += entry.item.done - before
            entry.meter.add(entry.item.done, at: now)
            active[id] = entry
        } else {
            inherited += item.done
            var entry = Entry(item: item, order: begun)
            entry.meter.add(item.done, at: now)
            active[id] = entry
            activeBytes += item.done
            begun += 1
        }
        if let entry = active[id], entry.item.phase.isOver { finish(id, entry.item) }
        meter.add(bytes - inherited, at: now)
    }

    private static func never(backwards item: ProgressItem, from before: ProgressItem) -> ProgressItem {
        var item = item
        item.done = max(item.done, before.done)
        item.total = item.total ?? before.total
        if let total = item.total { item.done = min(item.done, max(total, before.done)) }
        return item
    }

    private mutating func finish(_ id: Int, _ item: ProgressItem) {
        active[id] = nil
        activeBytes -= item.done
        if item.phase == .done {
            finishedFiles += 1
            finishedBytes += max(item.done, item.total ?? 0)
        } else {
            failedFiles += 1
            finishedBytes += item.done
        }
    }

    private var bytes: Int64 { finishedBytes + activeBytes }

    /// What is under way, in the order in which it began.
    func rows(at now: Double) -> [Row] {
        active.values.sorted { $0.order < $1.order }.map { entry in
            Row(
                label: entry.item.label, phase: entry.item.phase, done: entry.item.done, total: entry.item.total,
                rate: entry.item.phase == .transferring ? entry.meter.rate(at: now) : nil)
        }
    }

    func totals(at now: Double) -> Totals {
        var totals = Totals()
        totals.files = max(expectedFiles, begun)
        totals.filesDone = finishedFiles
        totals.filesFailed = failedFiles
        totals.bytes = bytes
        totals.rate = meter.rate(at: now)
        if allKnown {
            let expected = max(expectedBytes, totals.bytes)
            totals.bytesExpected = expected
            if let rate = totals.rate, rate > 0 { totals.left = Double(expected - totals.bytes) / rate }
        }
        return totals
    }

    /// Seconds since the start.
    func elapsed(at now: Double) -> Double { max(0, now - startedAt) }
    /// Bytes that this command itself moved.
    var movedBytes: Int64 { max(0, bytes - inherited) }
}
