import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Between the devices and the server: by its seed it refuses connections, and cuts them in the middle of what they carry.
final class FaultyRelay: Sendable {
    let origin: String
    /// Called whenever bytes come by, before they go on.
    fileprivate let passing: @Sendable () -> Void
    private let uses: Uses
    private let weather: Mutex<Weather>
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let listener: any Channel

    /// What may happen to the bytes that come next.
    private struct Weather {
        var chance: SeededGenerator
        /// One connection in as many is refused.
        let refusals: Int
        /// One burst of bytes in as many is the last of its connection.
        let cuts: Int
        var isFine = true

        init(seed: UInt64) {
            chance = SeededGenerator(seed: seed)
            refusals = Int.random(in: 5...20, using: &chance)
            cuts = Int.random(in: 20...200, using: &chance)
        }

        mutating func strikes(oneIn count: Int) -> Bool { !isFine && Int.random(in: 0..<count, using: &chance) == 0 }
    }

    private struct Refused: Error {}

    /// - Parameter uses: where it is written down what comes by.
    init(to server: String, seed: UInt64, uses: Uses, passing: @escaping @Sendable () -> Void) async throws {
        let weather = Weather(seed: seed)
        let port = URL(string: server)?.port ?? 80
        self.weather = Mutex(weather)
        self.passing = passing
        self.uses = uses
        // A link needs the relay, which is not whole before it listens.
        let links = Links()
        listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { links.connect($0, toPort: port) }
            .bind(host: "127.0.0.1", port: 0).get()
        origin = "http://127.0.0.1:\(listener.localAddress?.port ?? 0)"
        links.relay.withLock { $0 = self }
    }

    func begin() { weather.withLock { $0.isFine = false } }
    func quiet() { weather.withLock { $0.isFine = true } }

    func stop() async throws {
        try await listener.close()
        try await group.shutdownGracefully()
    }

    // MARK: - What happens to a connection

    /// What connects the two ends of each connection.
    private final class Links: Sendable {
        let relay = Mutex<FaultyRelay?>(nil)

        func connect(_ device: any Channel, toPort port: Int) -> EventLoopFuture<Void> {
            guard let relay = relay.withLock({ $0 }), !relay.refuses() else {
                return device.eventLoop.makeFailedFuture(Refused())
            }
            // Both ends on one loop: what one says is not overtaken by its end.
            return ClientBootstrap(group: device.eventLoop).connect(host: "127.0.0.1", port: port)
                .flatMapThrowing { server in
                    let conversation = Conversation(relay.uses)
                    try server.pipeline.syncOperations.addHandler(
                        Pipe(relay, to: device) { conversation.serverSays($0) })
                    try device.pipeline.syncOperations.addHandler(
                        Pipe(relay, to: server) { conversation.deviceSays($0) })
                }
        }
    }

    private func refuses() -> Bool { weather.withLock { $0.strikes(oneIn: $0.refusals) } }

    /// - Returns: how many of so many bytes go on before the connection is cut; nil where it goes on.
    fileprivate func cut(within count: Int) -> Int? {
        weather.withLock { weather in
            weather.strikes(oneIn: weather.cuts) ? Int.random(in: 0..<count, using: &weather.chance) : nil
        }
    }
}

/// One direction of a connection.
private final class Pipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let relay: FaultyRelay
    private let other: any Channel
    private let heard: (ByteBuffer) -> Void
    private var isCut = false

    init(_ relay: FaultyRelay, to other: any Channel, heard: @escaping (ByteBuffer) -> Void) {
        self.relay = relay
        self.other = other
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isCut else { return }
        let bytes = unwrapInboundIn(data)
        heard(bytes)
        relay.passing()
        guard let rest = relay.cut(within: bytes.readableBytes) else { return other.write(bytes, promise: nil) }
        isCut = true
        other.writeAndFlush(bytes.getSlice(at: bytes.readerIndex, length: rest) ?? ByteBuffer())
            .whenComplete { [other, own = context.channel] _ in
                other.close(promise: nil)
                own.close(promise: nil)
            }
    }

    func channelReadComplete(context: ChannelHandlerContext) { other.flush() }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
