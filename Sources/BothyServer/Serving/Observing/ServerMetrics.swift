import Synchronization

/// Counts what the server does, for `/metrics`.
///
/// Routes are spelled as the router does, so there are as many series as routes, whatever clients ask for.
package final class ServerMetrics: Sendable {
    private struct Series: Hashable, Sendable {
        var route: String
        var method: String
        var status: Int
    }

    private struct Latency: Sendable {
        var buckets = [Int](repeating: 0, count: ServerMetrics.bounds.count)
        var count = 0
        var seconds = 0.0
    }

    private struct State: Sendable {
        var inFlight = 0
        var answered = 0
        var requests: [Series: Int] = [:]
        var latencies: [String: Latency] = [:]
    }

    /// Seconds: the upper bounds of the latency histogram.
    private static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]
    /// More than every route, method and status that the server has; a bound all the same.
    private static let mostSeries = 4_096

    // Counted on every request; a lock for a few additions is cheaper than an actor's hop.
    private let state = Mutex(State())
    private let gauges = Mutex<[@Sendable () async -> [PrometheusText.Gauge]]>([])

    package init() {}

    /// Adds values that are asked for when someone looks.
    package func add(gauges new: @escaping @Sendable () async -> [PrometheusText.Gauge]) {
        gauges.withLock { $0.append(new) }
    }

    func requestBegan() { state.withLock { $0.inFlight += 1 } }

    func requestEnded(route: String, method: String, status: Int, elapsed: Duration) {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        state.withLock { state in
            state.inFlight -= 1
            state.answered += 1
            let series = Series(route: route, method: method, status: status)
            guard state.requests[series] != nil || state.requests.count < Self.mostSeries else { return }
            state.requests[series, default: 0] += 1
            var latency = state.latencies[route] ?? Latency()
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { latency.buckets[bucket] += 1 }
            latency.count += 1
            latency.seconds += seconds
            state.latencies[route] = latency
        }
    }

    /// How many requests have been answered until now.
    var answered: Int { state.withLock { $0.answered } }

    /// Everything in Prometheus' text format, version 0.0.4.
    package func text() async -> String {
        var text = PrometheusText()
        let (inFlight, requests, latencies) = state.withLock { ($0.inFlight, $0.requests, $0.latencies) }
        text.describe("bothy_http_requests_in_flight", "gauge", "Requests that are being answered.")
        text.add("bothy_http_requests_in_flight", [], Double(inFlight))
        text.describe("bothy_http_requests_total", "counter", "Requests answered.")
        for (series, count) in requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
            text.add(
                "bothy_http_requests_total",
                [("method", series.method), ("route", series.route), ("status", String(series.status))], Double(count))
        }
        text.describe("bothy_http_request_seconds", "histogram", "Time from a request's head to its answer's end.")
        for (route, latency) in latencies.sorted(by: { $0.key < $1.key }) {
            Self.write(latency, of: route, to: &text)
        }
        for gauge in await readGauges() {
            text.describe(gauge.name, "gauge", gauge.help)
            text.add(gauge.name, [], gauge.value)
        }
        return text.text
    }

    private func readGauges() async -> [PrometheusText.Gauge] {
        var values: [PrometheusText.Gauge] = []
        for read in gauges.withLock({ $0 }) { values += await read() }
        return values
    }

    private static func write(_ latency: Latency, of route: String, to text: inout PrometheusText) {
        let name = "bothy_http_request_seconds"
        var sum = 0
        for (bound, count) in zip(bounds, latency.buckets) {
            sum += count
            text.add(name + "_bucket", [("route", route), ("le", String(bound))], Double(sum))
        }
        text.add(name + "_bucket", [("route", route), ("le", "+Inf")], Double(latency.count))
        text.add(name + "_sum", [("route", route)], latency.seconds)
        text.add(name + "_count", [("route", route)], Double(latency.count))
    }
}
