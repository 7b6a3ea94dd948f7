import AsyncHTTPClient
import BothyContract
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// The one way out for one account: its server, its token, its connections, its patience.
package final class NetworkDispatcher: Sendable {
    private let transport: HTTPTransport
    package let tokens: SessionTokens
    package let conditions: TrafficConditions
    /// Of all who send through here.
    package let ownChanges = OwnChangesIntake()
    private let gate = PriorityGate(width: HTTPTransport.connections)
    private let environment: ClientEnvironment

    package init(secrets: SecretStore, conditions: TrafficConditions, environment: ClientEnvironment) {
        let transport = HTTPTransport(
            extraTrustRoots: environment.extraTrustRoots, silence: environment.silence)
        self.transport = transport
        self.conditions = conditions
        self.environment = environment
        let agent = environment.userAgent
        tokens = SessionTokens(secrets: secrets, clock: environment.clock) { server, refreshToken in
            try await Self.refresh(refreshToken, at: server, through: transport, agent: agent)
        }
    }

    package func shutDown() async throws { try await transport.shutDown() }

    /// How often a body is sent again at once that something on the way has changed.
    private static let mostResent = 3

    /// Sends until there is an answer that settles it, as the request's retries allow. What the server did not get as it was sent is sent again
    /// in any case.
    ///
    /// - Throws: `ClientFailure` for every status but 2xx and those in `accepting`.
    package func send(
        _ request: WireRequest, to server: ServerAddress? = nil, accepting: Set<Int> = [],
        sink: (any BodySink)? = nil
    ) async throws -> WireResponse {
        var attempt = 0
        var resent = 0
        var waited = 0.0
        // Whether a try may have reached the server.
        var hasLeft = false
        while true {
            attempt += 1
            do {
                let response = try await attemptOnce(request, server: server, sink: sink)
                if (200..<300).contains(response.status) || accepting.contains(response.status) { return response }
                throw response.failure
            } catch let failure as ClientFailure {
                if failure.problem?.code == .digestMismatch, resent < Self.mostResent {
                    resent += 1
                    continue
                }
                if failure.isUnconnected != true { hasLeft = true }
                guard
                    let delay = request.retries.delay(
                        after: failure, attempt: attempt, waited: waited, chance: environment.chance())
                else { throw hasLeft ? failure.with { $0.isUnconnected = nil } : failure }
                waited += delay
                try await environment.clock.sleep(seconds: delay)
            }
        }
    }

    /// `send`, and the answer's JSON read.
    package func fetch<Value: Decodable>(
        _ type: Value.Type, _ request: WireRequest, to server: ServerAddress? = nil
    ) async throws -> Value {
        try await send(request, to: server).decoded(as: type)
    }

    /// Notes what an answer told of the change that its request made.
    ///
    /// - Parameter file: all of it, as the change left it; nil where the answer has not that.
    package func note(_ file: File?, changedBy answer: WireResponse) {
        let (place, before) = (
            answer.headers.first(name: HeaderNames.cursor), answer.headers.first(name: HeaderNames.cursorBefore)
        )
        ownChanges.note(file, at: place, before: before)
    }

    // MARK: - One attempt

    private func attemptOnce(
        _ request: WireRequest, server: ServerAddress?, sink: (any BodySink)?
    ) async throws -> WireResponse {
        guard request.signed else {
            let address: ServerAddress
            if let server { address = server } else { address = try await tokens.current().server }
            return try await deliver(request, server: address, token: nil, sink: sink)
        }
        let session = try await tokens.current()
        let response = try await deliver(request, server: session.server, token: session.accessToken, sink: sink)
        guard response.status == 401, Self.mayRefresh(response) else { return response }
        let renewed = try await tokens.refreshed(after: session)
        return try await deliver(request, server: renewed.server, token: renewed.accessToken, sink: sink)
    }

    private func deliver(
        _ request: WireRequest, server: ServerAddress, token: String?, sink: (any BodySink)?
    ) async throws -> WireResponse {
        guard let target = server.resolve(request.target) else {
            throw ClientFailure(.answerInvalid, "The server names an address that cannot be read.")
        }
        var headers = request.headers
        headers.replaceOrAdd(name: "User-Agent", value: environment.userAgent)
        if sink == nil { headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip") }
        if let token, target.own { headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)") }
        try await gate.enter(request.priority)
        let outcome: Result<WireResponse, any Error>
        do {
            outcome = .success(
                try await transport.perform(
                    request.method, target.url, headers: headers, body: body(of: request),
                    answerLimit: request.answerLimit, sink: sink))
        } catch {
            outcome = .failure(error)
        }
        await gate.leave()
        return try outcome.get()
    }

    private func body(of request: WireRequest) -> HTTPClient.Body? {
        switch request.body {
        case .none: nil
        case .bytes(let buffer) where request.priority == .interactive: .byteBuffer(buffer)
        case .bytes(let buffer): conditions.paced([buffer], handed: request.handed)
        case .pieces(let buffers): conditions.paced(buffers, handed: request.handed)
        }
    }

    /// `token_invalid` too: a server whose signing keys were changed still knows the refresh token. So does one that
    /// the token never reached whole.
    private static func mayRefresh(_ response: WireResponse) -> Bool {
        let code = response.failure.problem?.code
        return code == .tokenExpired || code == .tokenInvalid || code == .signInRequired
    }

    private static func refresh(
        _ refreshToken: String, at server: ServerAddress, through transport: HTTPTransport, agent: String
    ) async throws -> SessionResponse {
        let body = ByteBuffer(bytes: try WireCoding.encode(RefreshRequest(refreshToken: refreshToken)))
        let response = try await transport.perform(
            .POST, "\(server.origin)/v1/auth/refresh",
            headers: ["Content-Type": "application/json", "User-Agent": agent], body: .byteBuffer(body),
            answerLimit: WireRequest.jsonLimit)
        guard response.status == 200 else {
            var failure = response.failure
            if failure.code == .signInNeeded {
                failure.words = "This device's session at \(server) has ended."
                failure.remedy = FailureCode.signInNeeded.remedy
            }
            throw failure
        }
        return try response.decoded(as: SessionResponse.self)
    }
}
