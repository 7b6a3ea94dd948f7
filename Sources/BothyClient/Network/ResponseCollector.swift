import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Gathers one answer: into a bounded buffer, or into a sink.
///
/// Unchecked because only the request's own event loop touches what varies.
final class ResponseCollector: HTTPClientResponseDelegate, @unchecked Sendable {
    private let limit: Int
    private let sink: (any BodySink)?
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var sinking = false

    init(limit: Int, sink: (any BodySink)?) {
        self.limit = limit
        self.sink = sink
    }

    func didReceiveHead(
        task: HTTPClient.Task<WireResponse>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        self.head = head
        return task.eventLoop.makeCompletedFuture {
            if let sink { sinking = try sink.accepts(status: Int(head.status.code), headers: head.headers) }
        }
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<WireResponse>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let loop = task.eventLoop
        do {
            let delay = try take(buffer)
            guard delay > 0 else { return loop.makeSucceededVoidFuture() }
            return loop.scheduleTask(in: .nanoseconds(Int64(delay * 1e9))) {}.futureResult
        } catch {
            return loop.makeFailedFuture(error)
        }
    }

    /// - Returns: seconds before more may come.
    private func take(_ buffer: ByteBuffer) throws -> Double {
        if sinking, let sink { return try sink.take(buffer) }
        guard body.readableBytes + buffer.readableBytes <= limit else {
            throw ClientFailure(.answerInvalid, "The server's answer is longer than it can be.")
        }
        body.writeImmutableBuffer(buffer)
        return 0
    }

    func didFinishRequest(task: HTTPClient.Task<WireResponse>) throws -> WireResponse {
        guard let head else { throw ClientFailure(.answerInvalid, "The server's answer has no head.") }
        return WireResponse(status: Int(head.status.code), headers: head.headers, body: body)
    }
}
