import BothyContract
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Serves `/metrics` on a loopback listener of its own, so that no request from outside ever reaches it.
struct MetricsListener: Service {
    private let metrics: ServerMetrics
    private let address: ListenAddress
    private let config: ServerConfig
    private let logger: Logger

    init(_ metrics: ServerMetrics, on address: ListenAddress, _ config: ServerConfig, _ logger: Logger) {
        self.metrics = metrics
        self.address = address
        self.config = config
        self.logger = logger
    }

    func run() async throws {
        let router = Router(context: APIContext.self)
        router.add(middleware: ProblemResponse())
        router.get("metrics") { [metrics] _, _ in
            Response(
                status: .ok, headers: [.contentType: PrometheusText.mediaType],
                body: .init(byteBuffer: ByteBuffer(string: await metrics.text())))
        }
        let logger = logger
        do {
            try await HTTPListener.application(
                router.buildResponder(), on: address, config: config, logger: logger,
                onRunning: { channel in
                    logger.info(
                        "Metrics are served.",
                        metadata: ["address": .string(channel.localAddress?.description ?? "unknown")])
                }
            ).run()
        } catch let error as IOError {
            throw ServerFault(error, listeningOn: address, "--metrics-listen")
        }
    }
}
