import AsyncHTTPClient
import NIOCore

/// What holds traffic back on this device: now the rate limit; the person's pause is each transfer's own.
package final class TrafficConditions: Sendable {
    package let sending: RateLimit
    package let receiving: RateLimit
    private let clock: any ClientClock

    /// Bytes that go at once under a limit: small enough to be smooth, large enough to be cheap.
    private static let pacedSlice = 32 << 10
    /// Bytes that go at once where somebody wants to know how far it is.
    private static let toldSlice = 256 << 10

    package init(bytesPerSecond: Int64?, clock: any ClientClock) {
        self.clock = clock
        sending = RateLimit(bytesPerSecond: bytesPerSecond, clock: clock)
        receiving = RateLimit(bytesPerSecond: bytesPerSecond, clock: clock)
    }

    package func limit(to bytesPerSecond: Int64?) {
        sending.bytesPerSecond = bytesPerSecond
        receiving.bytesPerSecond = bytesPerSecond
    }

    /// A body that keeps to the limit.
    ///
    /// - Parameter handed: told of bytes as the connection takes them.
    package func paced(_ buffer: ByteBuffer, handed: (@Sendable (Int) -> Void)? = nil) -> HTTPClient.Body {
        guard sending.bytesPerSecond != nil else {
            return handed.map { Self.told(buffer, to: $0) } ?? .byteBuffer(buffer)
        }
        let (limit, clock) = (sending, clock)
        return .stream(contentLength: Int64(buffer.readableBytes)) { writer in
            // The empty write tells which event loop the request is on.
            writer.write(.byteBuffer(ByteBuffer())).flatMapWithEventLoop { _, loop in
                loop.makeFutureWithTask {
                    var rest = buffer
                    while let slice = rest.readSlice(length: min(Self.pacedSlice, rest.readableBytes)),
                        slice.readableBytes > 0
                    {
                        let delay = limit.take(slice.readableBytes)
                        if delay > 0 { try await clock.sleep(seconds: delay) }
                        try await writer.write(.byteBuffer(slice)).get()
                        handed?(slice.readableBytes)
                    }
                }
            }
        }
    }

    private static func told(_ buffer: ByteBuffer, to handed: @escaping @Sendable (Int) -> Void) -> HTTPClient.Body {
        .stream(contentLength: Int64(buffer.readableBytes)) { write(buffer, to: $0, handed) }
    }

    /// A slice after the other: the connection takes one when it has room for it.
    private static func write(
        _ buffer: ByteBuffer, to writer: HTTPClient.Body.StreamWriter, _ handed: @escaping @Sendable (Int) -> Void
    ) -> EventLoopFuture<Void> {
        var rest = buffer
        let slice = rest.readSlice(length: min(toldSlice, rest.readableBytes)) ?? ByteBuffer()
        return writer.write(.byteBuffer(slice)).flatMapWithEventLoop { [rest] _, loop in
            handed(slice.readableBytes)
            return rest.readableBytes > 0 ? write(rest, to: writer, handed) : loop.makeSucceededVoidFuture()
        }
    }
}
