import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore

/// The whole server on a folder of its own, called in process: real accounts, cheap passwords, time that the test moves.
final class AccountServer: Sendable {
    static let password = "correct horse battery"

    let assembly: ServerAssembly
    let clock: TestClock
    /// Gone with the last that holds it.
    private let folder: TemporaryFolder
    private let application: Application<RouterResponder<APIContext>>

    var services: ServerServices { assembly.services }

    private init(
        folder: TemporaryFolder, clock: TestClock, registration: RegistrationPolicy, minFree: Int64, reach: FeedReach
    ) async throws {
        self.folder = folder
        var config = ServerConfig()
        config.data = folder.file("data")
        config.registration = registration
        config.feedFollow = 0
        config.minFree = minFree
        config.feedFanOut = reach.mostFollowers
        var ground = ServerServices.Ground()
        ground.clock = clock
        ground.reach = reach
        ground.scrypt = ScryptCost(logRounds: 4, blockSize: 1, parallelism: 1)
        assembly = try await ServerAssembly.make(
            config, ground: ground, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        self.clock = clock
        application = Application(responder: assembly.router.responder)
    }

    /// Runs `body` with a server, which then lets go of its folder.
    @discardableResult
    static func with<Value>(
        folder: TemporaryFolder? = nil, clock: TestClock = TestClock(), registration: RegistrationPolicy = .open,
        minFree: Int64 = 0, reach: FeedReach = FeedReach(),
        _ body: (AccountServer) async throws -> Value
    ) async throws -> Value {
        let server = try await AccountServer(
            folder: try folder ?? TemporaryFolder(), clock: clock, registration: registration, minFree: minFree,
            reach: reach)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await server.services.close()
        return try result.get()
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, body: ByteBuffer? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        let fields = headers
        return try await application.test(.router) { client in
            TestAnswer(try await client.executeRequest(uri: path, method: method, headers: fields, body: body))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, json: some Encodable
    ) async throws -> TestAnswer {
        try await send(
            method, path, token: token, body: ByteBuffer(data: try WireCoding.encode(json)),
            headers: [.contentType: "application/json"])
    }

    // MARK: - What many tests do

    func register(_ email: String = "ada@example.org", password: String = password) async throws -> SessionResponse {
        try await services.accounts.register(Self.registration(email, password: password), from: .here)
    }

    static func registration(
        _ email: String, password: String = password, setupCode: String? = nil, invite: String? = nil
    ) -> RegisterRequest {
        RegisterRequest(
            email: email, password: password, displayName: "Ada",
            device: DeviceDescription(name: "laptop", platform: "linux"), setupCode: setupCode, invite: invite)
    }

    func login(
        _ email: String = "ada@example.org", password: String = password, deviceId: String? = nil,
        from origin: AccountOrigin = .here
    ) async throws -> SessionResponse {
        try await services.accounts.login(
            LoginRequest(
                email: email, password: password, device: DeviceDescription(name: "phone", platform: "ios"),
                deviceId: deviceId),
            from: origin)
    }

    func refresh(_ token: String) async throws -> SessionResponse {
        try await services.accounts.refresh(RefreshRequest(refreshToken: token))
    }

    func about(_ session: SessionResponse) async throws -> TestAnswer {
        try await send(.get, "/v1/about", token: session.accessToken)
    }
}

extension AccountOrigin {
    static let here = AccountOrigin(network: "127.0.0.1", isLocal: true)
    static let elsewhere = AccountOrigin(network: "203.0.113.9", isLocal: false)
}

extension SessionResponse {
    var caller: Caller { Caller(userId: user.id, driveId: user.id, deviceId: device.id) }
}

/// The code of the problem that `body` throws; nil when it throws none.
func problemCode(_ body: () async throws -> Void) async throws -> ProblemCode? {
    do {
        try await body()
        return nil
    } catch let problem as Problem {
        return problem.code.known
    }
}
