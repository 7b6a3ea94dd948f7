import AsyncHTTPClient
import NIOCore

/// What holds traffic back on this device: now the rate limit; the person's pause is each transfer's own.
package final class TrafficConditions: Sendable {
    package let sending: RateLimit
    package let receiving: RateLimit
    private let clock: any ClientClock

    /// Bytes that go at once under a limit: small enough to be smooth, large enough to be cheap.
    private static let pacedSlice = 32 << 10

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
    package func paced(_ buffer: ByteBuffer) -> HTTPClient.Body {
        guard sending.bytesPerSecond != nil else { return .byteBuffer(buffer) }
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
                    }
                }
            }
        }
    }
}
