import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Testing

@testable import BothyClient

/// What each error of the network libraries means: only what says that there is no way to the server is waited out for ever.
@Suite struct TransportFailureTests {
    private func failure(_ error: any Error) throws -> ClientFailure {
        let told = TransportFailure(error).failure(url: "https://bothy.example:8443/v1/content/7?signature=secret")
        return try #require(told as? ClientFailure, "\(error)")
    }

    private static func io(_ code: CInt, _ reason: String = "read") -> IOError {
        IOError(errnoCode: code, reason: reason)
    }

    private static let lost: [any Error] = [
        HTTPClientError.readTimeout, HTTPClientError.writeTimeout, HTTPClientError.connectTimeout,
        HTTPClientError.tlsHandshakeTimeout, HTTPClientError.remoteConnectionClosed,
        HTTPClientError.getConnectionFromPoolTimeout, HTTPClientError.requestStreamCancelled,
        io(ECONNREFUSED), io(ECONNRESET), io(EPIPE), io(ETIMEDOUT), io(ENETUNREACH), io(EHOSTUNREACH),
        ChannelError.ioOnClosedChannel, ChannelError.eof, ChannelError.connectTimeout(.seconds(1)),
        HTTPParserError.invalidEOFState,
        NIOSSLError.uncleanShutdown, NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])),
        NIOHTTPDecompression.ExtraDecompressionError.truncatedData,
    ]

    @Test func whatSaysThatThereIsNoWayIsOffline() throws {
        for error in Self.lost {
            let failure = try failure(error)
            #expect(failure.code == .offline && failure.unreached == "https://bothy.example:8443", "\(error)")
            #expect(failure.isNetworks)
        }
    }

    /// An unknown error was taken for a lost connection, and waited out for ever.
    @Test func whatNobodyForesawIsToldWithItsWordsAndIsNotOffline() throws {
        struct Unheard: Error, CustomStringConvertible { let description = "the moon is in the way" }
        let failure = try failure(Unheard())
        #expect(failure.code == .unexpected && !failure.isNetworks && failure.unreached == nil)
        #expect(failure.words.contains("the moon is in the way"))
        for error in [Self.io(EMFILE), Self.io(ENFILE), Self.io(ENOMEM)] {
            let failure = try self.failure(error)
            #expect(failure.code == .unexpected && failure.words.contains(String(cString: strerror(error.errnoCode))))
        }
        #expect(try self.failure(HTTPClientError.alreadyShutdown).code == .unexpected)
        #expect(try self.failure(ChannelError.operationUnsupported).code == .unexpected)
    }

    /// A firewall or a VPN that is down on this device parked all that waited.
    @Test(arguments: [EACCES, EPERM, EINVAL, ENOBUFS])
    func whatThisDeviceDoesNotLetOutIsOfflineWhereItWasAboutConnecting(_ code: CInt) throws {
        for reason in ["connect(descriptor:addr:size:)", "finishing a non-blocking connect failed"] {
            let failure = try failure(Self.io(code, reason))
            #expect(failure.code == .offline && failure.isUnconnected == true, "\(reason)")
        }
        #expect(TransportFailure.ofConnecting(Self.io(code)) == .unconnected(String(cString: strerror(code))))
        #expect(try self.failure(Self.io(code)).code == .unexpected)
        let unforeseen = TransportFailure.unforeseen(String(cString: strerror(EMFILE)))
        #expect(TransportFailure.ofConnecting(Self.io(EMFILE, "connect(descriptor:addr:size:)")) == unforeseen)
    }

    @Test func aHeaderThatCannotBeSentIsToldWithoutItsValue() throws {
        let failure = try failure(HTTPClientError.invalidHeaderFieldValues(["Bearer secret-token\n"]))
        #expect(failure.code == .unexpected && !failure.description.contains("secret"))
    }

    @Test func aServerThatCannotBeTrustedOrUnderstoodIsNotOffline() throws {
        #expect(try failure(NIOSSLExtraError.failedToValidateHostname).words.contains("for another name"))
        #expect(try failure(NIOSSLExtraError.failedToValidateHostname).code == .untrustedServer)
        #expect(try failure(NIOSSLError.handshakeFailed(.sslError([]))).code == .untrustedServer)
        #expect(try failure(NIOSSLError.unableToValidateCertificate).code == .untrustedServer)
        #expect(try failure(HTTPParserError.invalidVersion).code == .answerInvalid)
        #expect(try failure(NIOHTTPDecompression.DecompressionError.inflationError(-3)).code == .answerInvalid)
    }

    @Test func whoStopsARequestIsNotToldOfAFailure() {
        for error in [HTTPClientError.cancelled, CancellationError()] as [any Error] {
            #expect(TransportFailure(error).failure(url: "https://a") is CancellationError)
        }
    }

    // MARK: - The same with real connections

    @Test func aConnectionThatEndsBeforeItIsSecureIsALostOne() async throws {
        let server = try await BluntServer(answer: "")
        let failure = try await server.failure("https")
        #expect(failure.code == .offline && failure.isUnconnected == nil)
    }

    @Test func whatSpeaksNoTLSIsNotTrusted() async throws {
        let failure = try await BluntServer(answer: "HTTP/1.1 400 Bad Request\r\n\r\n").failure("https")
        #expect(failure.code == .untrustedServer && failure.words.contains("does not speak TLS"))
    }

    @Test func whatSpeaksNoHTTPIsNotOffline() async throws {
        let failure = try await BluntServer(answer: "SSH-2.0-OpenSSH_9.2\r\n").failure("http")
        #expect(failure.code == .answerInvalid && failure.words.contains("does not speak HTTP"))
    }

    @Test func anAnswerThatIsCutOffIsALostConnection() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"
        let failure = try await BluntServer(answer: answer).failure("http")
        #expect(failure.code == .offline && failure.isUnconnected == nil)
    }

    @Test func nobodyThereIsSeenToHaveTakenNothing() async throws {
        let server = try await BluntServer(answer: "")
        try await server.close()
        let failure = try await server.failure("http")
        #expect(failure.code == .offline && failure.isUnconnected == true)
    }

    @Test func certificatesThatCannotBeReadAreToldOf() async throws {
        let server = try await BluntServer(answer: "")
        let failure = try await server.failure("https", trusting: "/nowhere/ca.pem")
        #expect(failure.code == .untrustedServer && failure.words.contains("cannot be read"))
    }

    @Test func anAddressThatIsNoneIsAFailureInWords() async throws {
        let transport = HTTPTransport(extraTrustRoots: nil, silence: 5)
        await #expect(throws: ClientFailure.self) {
            try await transport.perform(.GET, "gopher://bothy", headers: [:], body: nil, answerLimit: 1)
        }
        try await transport.shutDown()
    }
}

/// Answers the first bytes of every connection with the same, and closes it.
private final class BluntServer: Sendable {
    private let channel: any Channel
    private let port: Int

    private final class Blunt: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let answer: String

        init(_ answer: String) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            context.close(promise: nil)
        }
    }

    init(answer: String) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(Blunt(answer)) }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    func close() async throws { try await channel.close() }

    /// What a request ends with.
    func failure(_ scheme: String, trusting roots: String? = nil) async throws -> ClientFailure {
        let transport = HTTPTransport(extraTrustRoots: roots, silence: 5)
        let failure = await #expect(throws: ClientFailure.self) {
            try await transport.perform(
                .GET, "\(scheme)://127.0.0.1:\(port)/v1/about", headers: [:], body: nil, answerLimit: 1 << 10)
        }
        try await transport.shutDown()
        return try #require(failure)
    }
}
