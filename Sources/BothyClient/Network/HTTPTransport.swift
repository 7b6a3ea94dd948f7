import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Takes an answer's body as it comes, on the connection's own thread.
package protocol BodySink: Sendable {
    /// Whether the body is for this sink; otherwise it is collected, as a refusal's is.
    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool
    /// Called in order. What it throws ends the request.
    ///
    /// - Returns: seconds before more may come.
    func take(_ bytes: ByteBuffer) throws -> Double
}

/// HTTP to anywhere: no redirects, bounded answers, cancellation. It knows nothing of accounts.
package final class HTTPTransport: Sendable {
    private let client: HTTPClient

    /// Connections to one server.
    package static let connections = 32
    private static let connectTimeout = 10.0
    /// Bytes that one read takes from a socket: fewer, larger reads are what makes a fast download cheap.
    private static let readSize = 256 << 10

    /// - Parameter silence: seconds that a connection may stand still.
    package init(extraTrustRoots: String?, silence: Double) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = Self.time(min(Self.connectTimeout, silence))
        configuration.timeout.read = Self.time(silence)
        configuration.timeout.write = Self.time(silence)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = .enabled(limit: .size(WireRequest.jsonLimit))
        if let roots = extraTrustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.file(roots)]
            configuration.tlsConfiguration = tls
        }
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // A client that was never shut down must be before it goes; one that was takes no harm.
    deinit { client.shutdown(queue: .global()) { _ in } }

    /// - Throws: `ClientFailure`: `offline`, `untrustedServer`, `answerInvalid`, `unexpected`, or what the sink throws; or
    ///   `CancellationError`. What each error means is ``TransportFailure``.
    package func perform(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders, body: HTTPClient.Body?, answerLimit: Int,
        sink: (any BodySink)? = nil
    ) async throws -> WireResponse {
        do {
            let request = try HTTPClient.Request(url: url, method: method, headers: headers, body: body)
            let collector = ResponseCollector(limit: answerLimit, sink: sink)
            // A body that goes to a sink stays on one thread from the socket to the disk.
            let place: HTTPClient.EventLoopPreference =
                sink == nil ? .indifferent : .delegateAndChannel(on: client.eventLoopGroup.next())
            let task = client.execute(request: request, delegate: collector, eventLoop: place)
            return try await withTaskCancellationHandler {
                try await task.futureResult.get()
            } onCancel: {
                task.cancel()
            }
        } catch let failure as ClientFailure {
            try Task.checkCancellation()
            throw failure
        } catch {
            try Task.checkCancellation()
            throw TransportFailure(error).failure(url: url)
        }
    }

    package func shutDown() async throws { try await client.shutdown() }

    private static func time(_ seconds: Double) -> TimeAmount { .milliseconds(Int64(seconds * 1000)) }
}
