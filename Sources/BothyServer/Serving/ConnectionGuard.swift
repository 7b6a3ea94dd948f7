import BothyContract
import HTTPTypes
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOHTTPTypes

/// Watches one connection: says 431 to headers that are too large and 400 to what is not HTTP, 408 to a body that
/// trickles, 100 to a client that waits for it, and ends a connection whose client does not take what it asked for.
/// What it refuses it logs, since no route hears of most of it.
///
/// Sits after the HTTP codec; a connection that is silent between requests is Hummingbird's to end.
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
    private let logger: Logger
    private var progress: BodyProgress
    /// A request's client waits to be asked for its body (RFC 9110 §10.1.1).
    private var owesContinue = false
    private var requestsInProgress = 0
    /// An answer has begun, and not ended.
    private var isAnswering = false
    /// The last word was said; a route that hears of the error has nothing to add.
    private var isRefused = false
    private var isUnwritable = false
    private var looksUnwritable: Int64 = 0
    private var timer: RepeatedTask?

    init(timeout: TimeAmount, logger: Logger) {
        self.timeout = timeout
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
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            requestsInProgress += 1
            progress.began()
            owesContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
            askToContinue(context)
        case .body(let bytes):
            owesContinue = false
            progress.received(bytes.readableBytes)
        case .end: progress.ended()
        }
        context.fireChannelRead(data)
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
        case .head: isAnswering = true
        case .body: break
        case .end:
            isAnswering = false
            requestsInProgress -= 1
        }
        context.write(data, promise: promise)
        askToContinue(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isUnwritable = !context.channel.isWritable
        looksUnwritable = 0
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(context, problem(parserError))
        // Whoever reads a body must not take what was cut off for its end.
        context.fireErrorCaught(error)
    }

    private func problem(_ error: HTTPParserError) -> Problem {
        switch error {
        case .headerOverflow:
            Problem(.headersTooLarge, "The request's headers are larger than this server takes.")
        case .invalidEOFState where progress.isReading:
            Problem(.lengthMismatch, "The body ended before the length that the request said. Send it again.")
        default: Problem(.malformedRequest, "This is not HTTP that can be read.")
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

    /// Closes the connection once whoever reads from it has heard why.
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
