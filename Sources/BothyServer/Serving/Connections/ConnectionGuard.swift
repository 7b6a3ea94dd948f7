import BothyContract
import HTTPTypes
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOHTTPTypes

/// Watches one connection: says 431 to headers that are too large and 400 to what is not HTTP, 408 to a body that
/// trickles, 100 to a client that waits for it, and ends a connection whose client does not take what it asked for, or goes
/// on and on sending what was refused. What it refuses it logs, since no route hears of most of it.
///
/// It tells the room whether the connection is idle, and closes it for others once it is. Sits after the HTTP codec; a
/// connection that is silent between requests is Hummingbird's to end.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Bytes a second that a body makes at least, over a whole timeout: a hundredth of a bad telephone line.
    private static let leastRate = 64
    /// Looks at the connection this often within a timeout.
    private static let looks: Int64 = 4

    private let timeout: TimeAmount
    private let room: ConnectionRoom
    private let logger: Logger
    private var id: OpenConnections.ID?
    private var progress: BodyProgress
    /// A request's client waits to be asked for its body (RFC 9110 §10.1.1).
    private var owesContinue = false
    private var requestsInProgress = 0
    /// It closes once it has nothing to answer: others need the place, or the last answer has said so.
    private var isLeaving = false
    /// What still comes of a body whose request is answered already.
    private var unwanted: UnwantedBody?
    /// An answer has begun, and not ended.
    private var isAnswering = false
    /// Answers that have ended, and have not gone out whole.
    private var answersUnsent = 0
    /// The last word was said; a route that hears of the error has nothing to add.
    private var isRefused = false
    private var isUnwritable = false
    private var looksUnwritable: Int64 = 0
    private var timer: RepeatedTask?

    init(timeout: TimeAmount, room: ConnectionRoom, logger: Logger) {
        self.timeout = timeout
        self.room = room
        self.logger = logger
        self.progress = BodyProgress(
            looks: Int(Self.looks), leastBytes: Int(timeout.nanoseconds / 1_000_000_000) * Self.leastRate)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let every = TimeAmount.nanoseconds(max(1, timeout.nanoseconds / Self.looks))
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: every, delay: every) { _ in
            let (handler, context) = loopBound.value
            handler.look(context)
        }
        let loop = context.eventLoop
        id = room.opened(from: IPAddress(context.remoteAddress)) {
            loop.execute {
                let (handler, context) = loopBound.value
                handler.giveWay(context)
            }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        stop()
        if let id { room.closed(id) }
        id = nil
    }

    /// Others need the place.
    private func giveWay(_ context: ChannelHandlerContext) {
        isLeaving = true
        closeIfIdle(context)
    }

    /// All is answered, and all was read: the connection waits for the next request, or closes.
    private func closeIfIdle(_ context: ChannelHandlerContext) {
        guard requestsInProgress == 0, !progress.isReading, answersUnsent == 0 else { return }
        guard isLeaving else {
            if let id { room.rested(id) }
            return
        }
        stop()
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            requestsInProgress += 1
            progress.began()
            if let id { room.began(id) }
            owesContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
            askToContinue(context)
        case .body(let bytes):
            owesContinue = false
            progress.received(bytes.readableBytes)
            if unwanted?.received(bytes.readableBytes) == .enough { return closeAtOnce(context) }
        case .end:
            progress.ended()
            unwanted = nil
            closeIfIdle(context)
        }
        context.fireChannelRead(data)
    }

    /// A client that was refused, and goes on sending, has had time to read why.
    private func closeAtOnce(_ context: ChannelHandlerContext) {
        stop()
        isRefused = true
        context.close(promise: nil)
    }

    /// Once the answer before it has been written: in the middle of that it would be of its body.
    private func askToContinue(_ context: ChannelHandlerContext) {
        guard owesContinue, requestsInProgress == 1 else { return }
        owesContinue = false
        context.writeAndFlush(wrapOutboundOut(.head(.init(status: .continue))), promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        progress.wanted()
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        progress.readCompleted()
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isRefused {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isAnswering = true
            // A server that says so has to do so (RFC 9112 §9.6).
            if head.headerFields[.connection]?.lowercased() == "close" { isLeaving = true }
        case .body: break
        case .end:
            isAnswering = false
            requestsInProgress -= 1
            if requestsInProgress == 0 { return answered(context, data, promise) }
        }
        context.write(data, promise: promise)
        askToContinue(context)
    }

    /// The last answer for now has been written.
    private func answered(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        if progress.isReading { unwanted = UnwantedBody(looks: Int(Self.looks)) }
        let written = promise ?? context.eventLoop.makePromise()
        answersUnsent += 1
        context.write(data, promise: written)
        // What has not gone out yet would be lost with the connection.
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = loopBound.value
            handler.answersUnsent -= 1
            handler.closeIfIdle(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isUnwritable = !context.channel.isWritable
        looksUnwritable = 0
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(context, problem(parserError))
        // The reader of a body must not take what was cut off for its end.
        context.fireErrorCaught(error)
    }

    private func problem(_ error: HTTPParserError) -> Problem {
        switch error {
        case .headerOverflow:
            Problem(.headersTooLarge, "The request's headers are too large.")
        case .invalidEOFState where progress.isReading:
            Problem(.lengthMismatch, "The body is shorter than the request announced. Send it again.")
        default: Problem(.malformedRequest, "This is not valid HTTP.")
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        if progress.isStalled() {
            refuse(
                context,
                Problem(
                    .requestTimeout,
                    "The request's body came too slowly. Send it again, from where it was acknowledged."))
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
            return
        }
        if unwanted?.looked() == .enough { return closeAtOnce(context) }
        guard isUnwritable else { return }
        looksUnwritable += 1
        if looksUnwritable > Self.looks { context.close(promise: nil) }
    }

    /// Answers what no route will, and ends the connection. Nothing gets into an answer that is on its way already, and nothing
    /// comes after one that was given before the body was there.
    private func refuse(_ context: ChannelHandlerContext, _ problem: Problem) {
        // What cannot be read may be met more than once: in what came, and at its end.
        guard !isRefused else { return }
        stop()
        isRefused = true
        logger.info(
            "A request was refused at its connection.",
            metadata: ["status": .stringConvertible(problem.status), "code": .string(problem.code.rawValue)])
        let isAnswered = isAnswering || progress.isReading && requestsInProgress == 0
        // What cannot be answered is ended.
        guard !isAnswered, requestsInProgress <= 1, let body = try? WireCoding.encode(problem) else {
            return end(context)
        }
        let head = HTTPResponse(
            status: .init(code: problem.status),
            headerFields: [
                .contentType: Problem.mediaType, .contentLength: String(body.count), .connection: "close",
                .cacheControl: "no-store",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(data: body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        end(context)
    }

    /// Closes the connection once its reader has heard why.
    private func end(_ context: ChannelHandlerContext) {
        let closing = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { closing.value.close(promise: nil) }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

/// Whether a request's body makes progress while the server wants it; pure.
struct BodyProgress: Sendable {
    /// Looks in a row without enough bytes after which the body has stalled.
    private let looks: Int
    private let leastBytes: Int
    /// A body has begun, and not ended.
    private(set) var isReading = false
    private var isWanted = false
    private var bytes = 0
    private var idleLooks = 0

    init(looks: Int, leastBytes: Int) {
        self.looks = looks
        self.leastBytes = leastBytes
    }

    mutating func began() {
        isReading = true
        restart()
    }

    mutating func received(_ count: Int) {
        bytes += count
        if bytes >= leastBytes { restart() }
    }

    mutating func ended() { isReading = false }

    mutating func wanted() { isWanted = true }

    mutating func readCompleted() { isWanted = false }

    /// To be asked at each look. A server that does not want more is not waiting for the client.
    mutating func isStalled() -> Bool {
        guard isReading, isWanted else { return false }
        idleLooks += 1
        return idleLooks > looks
    }

    private mutating func restart() {
        bytes = 0
        idleLooks = 0
    }
}
