import BothyClient
import BothyServer
import Dispatch
import Foundation
import Logging

/// The server itself, in this process, on a data folder and a port of its own.
public final class RealServer: Sendable {
    public let origin: String
    /// What it stands on, for whoever does what it would do by itself in time.
    package let services: ServerServices
    private let folder: String
    private let running: Task<Void, any Error>

    public convenience init() async throws { try await self.init(packBytes: nil) }

    /// - Parameter packBytes: where a new pack begins; nil for what every server does.
    package init(packBytes: Int64?) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bothy-serving-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var config = ServerConfig()
        config.data = "\(folder)/data"
        config.listen = ListenAddress(host: "127.0.0.1", port: 0)
        config.feedFollow = 0
        config.minFree = 0
        var ground = ServerServices.Ground()
        ground.scrypt = ScryptCost(logRounds: 4, blockSize: 8, parallelism: 1)
        if let packBytes { ground.packBytes = packBytes }
        var logger = Logger(label: "server")
        logger.logLevel = .critical
        let assembly = try await ServerAssembly.make(config, ground: ground, logger: logger)
        services = assembly.services
        let (addresses, address) = AsyncStream<String>.makeStream()
        running = Task {
            // The process that would be ended is that of all tests.
            try await assembly.run(lettingGoSeconds: 600) { address.yield($0) }
            address.finish()
        }
        var iterator = addresses.makeAsyncIterator()
        self.folder = folder
        origin = await iterator.next() ?? ""
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    public func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Does something while nothing is written here: a request that changes something has come, and is not answered.
    package func withoutAnswers(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async throws {
        let (held, isHeld) = AsyncStream<Void>.makeStream()
        let latch = DispatchSemaphore(value: 0)
        let holding = Task { [services] in
            try await services.database.write { _ in
                isHeld.finish()
                latch.wait()
            }
        }
        for await _ in held {}
        do {
            try await body()
        } catch {
            latch.signal()
            throw error
        }
        latch.signal()
        try await holding.value
    }

    /// A home that is signed in to a new account, or to the one that is there.
    ///
    /// - Parameter address: where it finds the server, if something stands between the two.
    public func device(
        _ name: String, register: Bool, email: String = "anna@example.org", at address: String? = nil,
        environment: ClientEnvironment = .live
    ) async throws -> DeviceHome {
        let home = try await DeviceHome.open(at: "\(folder)/home-\(name)", environment: environment)
        let server = try ServerAddress(address ?? origin)
        if register {
            _ = try await home.account.register(
                Registration(
                    email: email, password: "a long password", displayName: "Anna", deviceName: name),
                at: server)
        } else {
            _ = try await home.account.login(
                email: email, password: "a long password", deviceName: name, at: server)
        }
        return home
    }
}
