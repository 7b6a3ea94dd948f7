import BothyClient
import BothyServer
import Foundation
import Logging

/// The server itself, in this process, on a data folder and a port of its own.
final class RealServer: Sendable {
    let origin: String
    private let folder: TemporaryFolder
    private let running: Task<Void, any Error>

    init() async throws {
        let folder = try TemporaryFolder()
        var config = ServerConfig()
        config.data = folder.file("data")
        config.listen = ListenAddress(host: "127.0.0.1", port: 0)
        config.minFree = 0
        var ground = ServerServices.Ground()
        ground.scrypt = ScryptCost(logRounds: 4, blockSize: 8, parallelism: 1)
        var logger = Logger(label: "server")
        logger.logLevel = .critical
        let assembly = try await ServerAssembly.make(config, ground: ground, logger: logger)
        let (addresses, address) = AsyncStream<String>.makeStream()
        running = Task {
            try await assembly.run { address.yield($0) }
            address.finish()
        }
        var iterator = addresses.makeAsyncIterator()
        self.folder = folder
        origin = await iterator.next() ?? ""
    }

    func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// A home that is signed in to a new account, or to the one that is there.
    func device(_ name: String, register: Bool, email: String = "anna@example.org") async throws -> DeviceHome {
        let home = try await DeviceHome.open(at: folder.file("home-\(name)"))
        let server = try ServerAddress(origin)
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
