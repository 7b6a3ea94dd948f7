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

    /// A body that keeps to the limit, piece by piece.
    ///
    /// - Parameter handed: told of bytes as the connection takes them.
    package func paced(_ pieces: [ByteBuffer], handed: (@Sendable (Int) -> Void)? = nil) -> HTTPClient.Body {
        if sending.bytesPerSecond == nil, handed == nil, pieces.count == 1 { return .byteBuffer(pieces[0]) }
        let length = Int64(pieces.reduce(0) { $0 + $1.readableBytes })
        guard sending.bytesPerSecond != nil else {
            let slices = Self.slices(of: pieces, Self.toldSlice)
            return .stream(contentLength: length) { Self.write(slices[...], to: $0, handed) }
        }
        let (limit, clock) = (sending, clock)
        return .stream(contentLength: length) { writer in
            // The empty write tells which event loop the request is on.
            writer.write(.byteBuffer(ByteBuffer())).flatMapWithEventLoop { _, loop in
                loop.makeFutureWithTask {
                    for slice in Self.slices(of: pieces, Self.pacedSlice) {
                        let delay = limit.take(slice.readableBytes)
                        if delay > 0 { try await clock.sleep(seconds: delay) }
                        try await writer.write(.byteBuffer(slice)).get()
                        handed?(slice.readableBytes)
                    }
                }
            }
        }
    }

    private static func slices(of pieces: [ByteBuffer], _ length: Int) -> [ByteBuffer] {
        pieces.flatMap { piece in
            var (rest, slices) = (piece, [ByteBuffer]())
            while rest.readableBytes > 0, let slice = rest.readSlice(length: min(length, rest.readableBytes)) {
                slices.append(slice)
            }
            return slices
        }
    }

    /// A slice after the other: the connection takes one when it has room for it.
    private static func write(
        _ slices: ArraySlice<ByteBuffer>, to writer: HTTPClient.Body.StreamWriter, _ handed: (@Sendable (Int) -> Void)?
    ) -> EventLoopFuture<Void> {
        let slice = slices.first ?? ByteBuffer()
        return writer.write(.byteBuffer(slice)).flatMapWithEventLoop { _, loop in
            handed?(slice.readableBytes)
            let rest = slices.dropFirst()
            return rest.isEmpty ? loop.makeSucceededVoidFuture() : write(rest, to: writer, handed)
        }
    }
}
