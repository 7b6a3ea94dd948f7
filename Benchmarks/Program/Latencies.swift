/// Milliseconds of the same work, done over and over.
struct Latencies: Encodable {
    var count: Int
    var p50: Double
    /// Of fewer than a hundred, the worst.
    var p99: Double
    var worst: Double

    /// - Parameter times: one at least.
    init(_ times: [Duration]) {
        let sorted = times.map(Self.milliseconds).sorted()
        func percentile(_ part: Int) -> Double { sorted[min(sorted.count - 1, sorted.count * part / 100)] }
        (count, p50, p99, worst) = (sorted.count, percentile(50), percentile(99), percentile(100))
    }

    static func milliseconds(_ time: Duration) -> Double { time / .milliseconds(1) }
}
