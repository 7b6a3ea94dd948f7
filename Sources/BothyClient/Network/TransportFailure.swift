import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// What an error of the network libraries means. Pure.
///
/// Only an error that is known to say that there is no way to the server now is `offline`, which is waited out for ever.
enum TransportFailure: Equatable {
    /// The sender of the request has stopped it.
    case stopped
    /// There was no connection: no address, nobody there, no network.
    case unconnected(String)
    /// There was one, and it broke off or stood still.
    case cut(String)
    /// It cannot be known that the server is the one that was meant.
    case untrusted(String)
    /// What was answered is not what a server of this kind answers.
    case unreadable(String)
    /// This device could not send it, or nobody foresaw the error.
    case unforeseen(String)

    init(_ error: any Error) {
        self =
            switch error {
            case is CancellationError: .stopped
            case let error as HTTPClientError: Self.of(error)
            case let error as NIOConnectionError: Self.of(error)
            case let error as IOError: Self.of(error)
            case let error as ChannelError: Self.of(error)
            case is SocketAddressError.UnknownHost: .unconnected("it has no address")
            case let error as HTTPParserError: Self.of(error)
            case is NIOSSLCloseTimedOutError: .cut("the connection was closed")
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: Self.ofSecuring(error)
            case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData:
                .cut("the connection was closed")
            case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
                .unreadable("its answer is not compressed as declared")
            default: .unforeseen("\(error)")
            }
    }

    /// - Parameter url: what was asked for; its path is not told, since it may be signed.
    func failure(url: String) -> any Error {
        let origin = url.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        return switch self {
        case .stopped: CancellationError()
        case .unconnected(let reason), .cut(let reason):
            ClientFailure(.offline, "\(origin) cannot be reached (\(reason)).")
                .with {
                    $0.unreached = origin
                    if case .unconnected = self { $0.isUnconnected = true }
                }
        case .untrusted(let reason): ClientFailure(.untrustedServer, "\(origin) cannot be trusted: \(reason).")
        case .unreadable(let reason): ClientFailure(.answerInvalid, "\(origin) cannot be understood: \(reason).")
        case .unforeseen(let reason): ClientFailure(.unexpected, "The request to \(origin) failed: \(reason).")
        }
    }

    // MARK: - By library

    private static func of(_ error: HTTPClientError) -> Self {
        switch error {
        case .cancelled: .stopped
        case .readTimeout: .cut("it does not answer")
        case .connectTimeout: .unconnected("it does not answer")
        case .writeTimeout, .remoteConnectionClosed, .tlsHandshakeTimeout, .uncleanShutdown, .deadlineExceeded,
            .getConnectionFromPoolTimeout, .requestStreamCancelled, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            .cut(error.shortDescription.lowercased())
        case .invalidProxyResponse, .proxyAuthenticationRequired: .unreadable(error.shortDescription.lowercased())
        // The short description: the long one repeats header values, and one of those is the token.
        default: .unforeseen(error.shortDescription)
        }
    }

    private static func of(_ error: NIOConnectionError) -> Self {
        guard !error.connectionErrors.isEmpty else { return .unconnected("\(error.host) has no address") }
        let tries = error.connectionErrors.map { ofConnecting($0.error) }
        // One address that could not be reached is enough: what another met here may be no more than a lack of IPv6.
        for attempt in tries {
            if case .unconnected(let reason) = attempt { return .unconnected(reason) }
            if case .cut(let reason) = attempt { return .unconnected(reason) }
        }
        return tries[0]
    }

    /// What a try to connect ended with.
    static func ofConnecting(_ error: any Error) -> Self {
        guard let failure = error as? IOError,
            barredErrors.contains(failure.errnoCode) || unreachedErrors.contains(failure.errnoCode)
        else { return Self(error) }
        return .unconnected(String(cString: strerror(failure.errnoCode)))
    }

    private static func of(_ error: IOError) -> Self {
        let reason = String(cString: strerror(error.errnoCode))
        // Of an address in digits it comes by itself, and only its words say that it was about connecting.
        let words = "\(error)"
        let isConnecting = connecting.contains { words.hasPrefix($0) }
        if isConnecting, barredErrors.contains(error.errnoCode) || unreachedErrors.contains(error.errnoCode) {
            return .unconnected(reason)
        }
        if error.errnoCode == ECONNREFUSED { return .unconnected(reason) }
        return cutErrors.contains(error.errnoCode) ? .cut(reason) : .unforeseen(reason)
    }

    /// There is no way to it. On a connection that was there it says that the way has gone: what was sent may have arrived.
    private static let unreachedErrors: Set<CInt> = [ENETUNREACH, EHOSTUNREACH]
    /// This device lets nobody out now, if it was about connecting: a firewall, a VPN that is down, a route to nowhere.
    private static let barredErrors: Set<CInt> = [EACCES, EPERM, EINVAL, ENOBUFS]
    /// How the words of the network library begin that are about connecting.
    private static let connecting = ["connect(", "finishing a non-blocking connect"]
    private static let cutErrors: Set<CInt> = [
        ECONNRESET, ENETUNREACH, EHOSTUNREACH, ECONNABORTED, EPIPE, ETIMEDOUT, ENETDOWN, ENETRESET, EHOSTDOWN, ENOTCONN,
        ESHUTDOWN, EADDRNOTAVAIL,
    ]

    private static func of(_ error: ChannelError) -> Self {
        switch error {
        case .connectTimeout: .cut("it does not answer")
        case .ioOnClosedChannel, .alreadyClosed, .outputClosed, .inputClosed, .eof: .cut("the connection was closed")
        default: .unforeseen("\(error)")
        }
    }

    private static func of(_ error: HTTPParserError) -> Self {
        switch error {
        case .invalidEOFState, .closedConnection: .cut("the connection was closed")
        default: .unreadable("the server there does not speak HTTP")
        }
    }

    /// What is wrong with a server's certificate, as far as the library tells: it says only in its texts why.
    private static func ofSecuring(_ error: any Error) -> Self {
        switch error {
        case NIOSSLError.uncleanShutdown, NIOSSLError.shutdownFailed, NIOSSLError.writeDuringTLSShutdown:
            return .cut("the connection was closed")
        case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])),
            NIOSSLError.handshakeFailed(.sslError([.eofDuringAdditionalCertficiateChainValidation])),
            NIOSSLError.handshakeFailed(.syscallError), NIOSSLError.handshakeFailed(.zeroReturn):
            return .cut("the connection was closed during the TLS handshake")
        case NIOSSLError.noSuchFilesystemObject, NIOSSLError.failedToLoadCertificate:
            return .untrusted("the certificates that this device was told to trust cannot be read")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return .untrusted("its certificate is for another name")
        default: break
        }
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return .untrusted("its certificate has expired, or is not signed by a trusted authority")
        }
        return .untrusted(
            text.contains("WRONG_VERSION_NUMBER") ? "the server there does not speak TLS, which https:// needs" : text)
    }
}
