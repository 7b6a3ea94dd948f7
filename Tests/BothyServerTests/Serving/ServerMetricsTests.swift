import HTTPTypes
import Testing

@testable import BothyServer

@Suite struct ServerMetricsTests {
    @Test func requestsAreCountedByRouteMethodAndStatus() async {
        let metrics = ServerMetrics()
        for status in [200, 200, 404] {
            metrics.requestBegan()
            metrics.requestEnded(route: "/v1/files", method: "GET", status: status, elapsed: .milliseconds(3))
        }
        metrics.requestBegan()
        metrics.add { [PrometheusText.Gauge("bothy_disk_free_bytes", "Room.", 5)] }
        let text = await metrics.text()
        #expect(text.contains("bothy_http_requests_total{method=\"GET\",route=\"/v1/files\",status=\"200\"} 2\n"))
        #expect(text.contains("bothy_http_requests_in_flight 1\n"))
        #expect(text.contains("bothy_http_request_seconds_bucket{route=\"/v1/files\",le=\"0.005\"} 3\n"))
        #expect(text.contains("bothy_http_request_seconds_count{route=\"/v1/files\"} 3\n"))
        #expect(text.contains("# TYPE bothy_disk_free_bytes gauge\nbothy_disk_free_bytes 5\n"))
    }

    @Test func seriesAreBounded() async {
        let metrics = ServerMetrics()
        for status in 0..<10_000 {
            metrics.requestBegan()
            metrics.requestEnded(route: "/", method: "GET", status: status, elapsed: .zero)
        }
        #expect(await metrics.text().split(separator: "\n").count < 5_000)
    }

    @Test func aLabelCannotEndItsQuotes() {
        var text = PrometheusText()
        text.add("a", [("b", "x\"} 1\ny\\")], 1)
        #expect(text.text == "a{b=\"x\\\"} 1\\ny\\\\\"} 1\n")
    }
}
