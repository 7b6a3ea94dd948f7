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
        let room = ConnectionRoom(
            OpenConnections.Bounds(all: config.maxConnections), trustedProxies: config.trustedProxies, logger: logger)
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionGuard(timeout: timeout, room: room, logger: logger)],
            idleTimeout: timeout,
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
                address: .hostname(address.host, port: address.port), backlog: backlog),
            onServerRunning: { channel in
                do {
                    try await ConnectionDoor.open(on: channel, room)
                } catch {
                    // Nobody is served unbounded; where the socket was closed meanwhile, the server is about to stop.
                    logger.error("Connections cannot be counted.", metadata: ["error": "\(error)"])
                    channel.close(promise: nil)
                }
                await onRunning(channel)
            }, logger: logger)
    }
}
