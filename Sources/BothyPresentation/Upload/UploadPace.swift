/// How fast bytes go, by what went in the last seconds: not so short that it trembles, not so long that it remembers a
/// stop.
struct UploadPace: Equatable, Sendable {
    /// Seconds that count.
    private static let window = 8.0
    /// Measurements that are kept.
    private static let most = 64

    private var samples = [(at: Double, bytes: Int64)]()

    static func == (left: Self, right: Self) -> Bool {
        left.samples.elementsEqual(right.samples) { $0.at == $1.at && $0.bytes == $1.bytes }
    }

    /// - Parameters:
    ///   - bytes: that went so far, all together.
    ///   - now: seconds, of any beginning.
    mutating func add(_ bytes: Int64, at now: Double) {
        samples.removeAll { $0.at < now - Self.window }
        if samples.count == Self.most { samples.removeFirst() }
        samples.append((now, bytes))
    }

    /// Bytes a second; nil while it cannot be told.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.at > first.at, last.bytes > first.bytes else {
            return nil
        }
        return Double(last.bytes - first.bytes) / (last.at - first.at)
    }
}
