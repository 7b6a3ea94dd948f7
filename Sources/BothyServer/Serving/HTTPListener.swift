import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Puts a responder on a socket, with the bounds that a socket open to strangers needs.
enum HTTPListener {
    /// Bytes of one header, and of all of them; far above what our clients send.
    private static let largestHeader = 16 << 10
    private static let largestHeaders = 64 << 10
    private static let mostHeaders = 200
    /// Connections that the kernel keeps while all slots are taken.
    private static let backlog = 512

    static func application(
        _ responder: some HTTPResponder<APIContext>, on address: ListenAddress, config: ServerConfig,
        tls: TLSReloader? = nil,
        logger: Logger, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> some ApplicationProtocol {
        let timeout = TimeAmount.seconds(Int64(config.idleTimeout))
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionGuard(timeout: timeout, logger: logger)], idleTimeout: timeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: largestHeader, maxHeaderListSize: largestHeaders, maxHeaderFieldCount: mostHeaders))
        return Application(
            responder: ShallowStreams(base: responder),
            server: HTTPServerBuilder { responder in
                let plain = HTTP1Channel(responder: responder, configuration: http)
                guard let tls else { return LoopBoundChannel(base: plain) }
                return LoopBoundChannel(base: ReloadingTLSChannel(base: plain, reloader: tls))
            },
            configuration: .init(
                address: .hostname(address.host, port: address.port), backlog: backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(config.maxConnections, logger: logger)),
            onServerRunning: onRunning, logger: logger)
    }
}
