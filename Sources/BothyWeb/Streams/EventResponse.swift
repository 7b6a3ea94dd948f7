import BothyContract
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// One event of a stream to a browser (HTML Living Standard §9.2).
struct ServerEvent: Sendable {
    enum Kind: String, Sendable {
        case fragment
        /// What is shown is to be asked for again.
        case again
        /// A fragment that is told anew after a cut: it is no step on a way.
        case piece
        /// What one of several pages is told.
        case page
        /// Nobody is signed in any more.
        case out
        /// The connection still stands. Browsers keep comments to themselves, so that a page would not hear of one.
        case beat
    }

    /// Where the browser goes on after a cut; empty for what leaves that as it is.
    var id: String
    var kind: Kind?
    var data: String

    /// A sign of life.
    static let quiet = ServerEvent(id: "", kind: nil, data: "")

    /// Says in how many milliseconds the next one comes. A page that hears of nothing for twice as long asks anew.
    static let beat = ServerEvent(id: "", kind: .beat, data: String(EventResponse.beatSeconds * 1000))

    /// It has to have data: an event without is none.
    static let signedOut = ServerEvent(id: "", kind: .out, data: "signed-out")

    /// A fragment that is no step on a way.
    static func piece(_ html: String) -> ServerEvent { ServerEvent(id: "", kind: .piece, data: html) }

    /// The same for one of several pages: its number among them, the kind and the mark stand on a line before the data.
    func told(to page: Int) -> ServerEvent {
        guard let kind else { return self }
        return ServerEvent(id: "", kind: .page, data: "\(page) \(kind.rawValue) \(id)\n\(data)")
    }

    var text: String {
        guard let kind else { return EventComments.stillHere }
        return (id.isEmpty ? "" : "id: \(id)\n")
            + "event: \(kind.rawValue)\ndata: \(data.replacing("\n", with: "\ndata: "))\n\n"
    }
}

/// A stream of events as an answer.
enum EventResponse {
    /// Events that wait for a browser that reads slowly; past it the stream ends, and the browser comes again for what it
    /// has not seen.
    private static let mostWaiting = 64
    /// Seconds between two beats.
    static let beatSeconds = 15

    struct TooSlow: Error {}

    /// - Parameter produce: tells events until there are no more; it is canceled when the browser goes.
    static func make(
        _ request: Request, headers: HTTPFields,
        _ produce: @escaping @Sendable (_ tell: @escaping @Sendable (ServerEvent) throws -> Void) async throws -> Void
    ) -> Response {
        var headers = headers
        headers[.contentType] = "text/event-stream"
        // For nginx: an event goes out when it happens.
        headers[.xAccelBuffering] = "no"
        let body = request.body
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                let (events, continuation) = AsyncStream<ServerEvent>.makeStream(
                    bufferingPolicy: .bufferingOldest(mostWaiting))
                let producing = Task {
                    defer { continuation.finish() }
                    try await produce { event in
                        if case .dropped = continuation.yield(event) { throw TooSlow() }
                    }
                }
                let beating = Task {
                    while !Task.isCancelled {
                        // One that finds no room is no loss: there is enough that shows that the connection stands.
                        continuation.yield(.beat)
                        try await Task.sleep(for: .seconds(beatSeconds))
                    }
                }
                defer {
                    producing.cancel()
                    beating.cancel()
                }
                try await body.consumeWithInboundCloseHandler { _ in
                    try await withGracefulShutdownHandler {
                        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                        for await event in events { try await writer.write(ByteBuffer(string: event.text)) }
                    } onGracefulShutdown: {
                        // A server that stops waits for no page that is open.
                        continuation.finish()
                    }
                } onInboundClosed: {
                    producing.cancel()
                    continuation.finish()
                }
                try await writer.finish(nil)
            })
    }
}
