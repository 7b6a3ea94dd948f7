import Logging
import NIOCore
import Synchronization

/// The connections of one listener: who comes in, and who has to go for that. See ``OpenConnections``.
final class ConnectionRoom: Sendable {
    /// Between two lines in the log that an address has all it may: a flood writes no flood of lines.
    private static let quiet = TimeAmount.minutes(1)

    private struct State: Sendable {
        var open: OpenConnections
        /// How each connection is told to close.
        var close = [OpenConnections.ID: @Sendable () -> Void]()
        /// Goes on with taking connections; set while all are taken.
        var resume: (@Sendable () -> Void)?
        var saidLast: NIODeadline?
    }

    private let trustedProxies: [IPNetwork]
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter trustedProxies: whose connections are their clients': the bound of one address is not for them.
    init(_ bounds: OpenConnections.Bounds, trustedProxies: [IPNetwork], logger: Logger) {
        self.trustedProxies = trustedProxies
        self.logger = logger
        state = Mutex(State(open: OpenConnections(bounds)))
    }

    /// - Parameter close: tells the connection to close once it has nothing to answer.
    func opened(from address: IPAddress?, close: @escaping @Sendable () -> Void) -> OpenConnections.ID {
        let isProxy = address.map { address in trustedProxies.contains { $0.contains(address) } } ?? true
        let network = isProxy ? nil : address?.network
        let (id, leaves, isSaid) = state.withLock { state in
            let (id, givesWay) = state.open.opened(from: network)
            state.close[id] = close
            let leaves = givesWay.flatMap { state.close[$0] }
            let now = NIODeadline.now()
            let isSaid = leaves != nil && state.saidLast.map { now - $0 > Self.quiet } ?? true
            if isSaid { state.saidLast = now }
            return (id, leaves, isSaid)
        }
        if isSaid {
            logger.notice(
                "There are as many connections as may be, in all or from one address. The longest idle ones give way.",
                metadata: ["from": .string(network ?? "a trusted proxy")])
        }
        leaves?()
        return id
    }

    func began(_ id: OpenConnections.ID) { change { $0.open.began(id) } }

    func rested(_ id: OpenConnections.ID) { change { $0.open.rested(id) } }

    func closed(_ id: OpenConnections.ID) {
        change {
            $0.open.closed(id)
            $0.close[id] = nil
        }
    }

    /// Calls `resume` once one more may come.
    ///
    /// - Returns: whether one may come now; it is not called then.
    func admits(orLater resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.open.admits { return true }
            state.resume = resume
            return false
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            body(&state)
            guard state.open.admits else { return nil }
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }
}

/// Takes connections from the listening socket as long as there is room for them, or somebody who gives way; the others wait in
/// the kernel.
final class ConnectionDoor: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let room: ConnectionRoom

    private init(_ room: ConnectionRoom) { self.room = room }

    /// Puts itself before a listening socket.
    static func open(on channel: any Channel, _ room: ConnectionRoom) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(ConnectionDoor(room), position: .first)
        }.get()
    }

    func read(context: ChannelHandlerContext) {
        let later = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let admits = room.admits {
            loop.execute {
                let (door, context) = later.value
                door.read(context: context)
            }
        }
        if admits { context.read() }
    }
}
