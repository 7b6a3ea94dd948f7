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

    /// - Throws: `ClientFailure` (`offline`, `untrustedServer`, `answerInvalid`), what the sink throws, or
    ///   `CancellationError`.
    package func perform(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders, body: HTTPClient.Body?, answerLimit: Int,
        sink: (any BodySink)? = nil
    ) async throws -> WireResponse {
        let request = try HTTPClient.Request(url: url, method: method, headers: headers, body: body)
        let collector = ResponseCollector(limit: answerLimit, sink: sink)
        // A body that goes to a sink stays on one thread from the socket to the disk.
        let place: HTTPClient.EventLoopPreference =
            sink == nil ? .indifferent : .delegateAndChannel(on: client.eventLoopGroup.next())
        let task = client.execute(request: request, delegate: collector, eventLoop: place)
        do {
            return try await withTaskCancellationHandler {
                try await task.futureResult.get()
            } onCancel: {
                task.cancel()
            }
        } catch {
            try Task.checkCancellation()
            throw Self.failure(error, url: url)
        }
    }

    package func shutDown() async throws { try await client.shutdown() }

    private static func time(_ seconds: Double) -> TimeAmount { .milliseconds(Int64(seconds * 1000)) }

    private static func failure(_ error: any Error, url: String) -> any Error {
        let origin = url.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        switch error {
        case is ClientFailure: return error
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return ClientFailure(.untrustedServer, "\(origin) cannot be trusted: \(distrust(error)).")
        case let error as HTTPClientError where error == .cancelled: return CancellationError()
        default:
            return ClientFailure(.offline, "\(origin) cannot be reached (\(reason(error))).")
                .with {
                    $0.unreached = origin
                    $0.isUnconnected = isUnconnected(error) ? true : nil
                }
        }
    }

    /// What is wrong with a server's certificate, as far as the library tells: it says only in its texts why.
    private static func distrust(_ error: any Error) -> String {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "its certificate is for another name"
        }
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "its certificate has expired, or is signed by nobody whom this device trusts"
        }
        return text.contains("WRONG_VERSION_NUMBER") ? "what answers there speaks no TLS, as https:// asks for" : text
    }

    private static func isUnconnected(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case let error as IOError: [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH].contains(error.errnoCode)
        default: false
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .readTimeout: "it does not answer"
        case let error as HTTPClientError: error.shortDescription
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "\(error.host) has no address"
        default: String(describing: type(of: error))
        }
    }
}
