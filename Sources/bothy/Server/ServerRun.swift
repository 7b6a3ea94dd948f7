import BothyServer
import Foundation
import Logging

/// One life of a server: the process's own settings, the log, and what is said to the person who started it.
struct ServerRun {
    private let config: ServerConfig
    private let json: Bool

    /// - Parameter json: what is said to the person is a document.
    init(_ config: ServerConfig, json: Bool) {
        self.config = config
        self.json = json
    }

    func run() async throws {
        umask(0o077)
        OpenFiles.raiseLimit()
        let lines = LogLines()
        defer { lines.flush() }
        let logger = Logger(label: "bothy") { [config] label in
            StreamLog(label: label, level: config.logLevel, format: config.logFormat, write: lines.write)
        }
        let ground = Self.ground(ProcessInfo.processInfo.environment, logger)
        let assembly = try await ServerAssembly.make(config, ground: ground, logger: logger) { [config] services in
            [try await WebMount(services, config)]
        }
        let welcome = Welcome(
            isEmpty: try await assembly.services.accounts.isEmpty(), setupCode: assembly.services.accounts.setupCode,
            config: config)
        try await assembly.run { address in
            if json { return ServerOutput.line(welcome.document(address: address)) }
            ServerOutput.line("Bothy is listening on \(address)")
            if let next = welcome.nextSteps(address: address) { ServerOutput.line("\n" + next) }
        }
    }

    /// Tests make thousands of accounts that nobody wants to break into; at the cost that keeps a person's password, that
    /// would be a fifth of their time. A hash made at another cost is made anew when its owner signs in.
    private static func ground(_ environment: [String: String], _ logger: Logger) -> ServerServices.Ground {
        var ground = ServerServices.Ground()
        let costs = 1..<ground.scrypt.logRounds
        if let cost = environment["BOTHY_TEST_SCRYPT_LOG_ROUNDS"].flatMap(Int.init), costs.contains(cost) {
            ground.scrypt.logRounds = cost
            logger.warning("Password hashing is weakened for tests: BOTHY_TEST_SCRYPT_LOG_ROUNDS is set.")
        }
        return ground
    }
}

/// What a person who has just started a server is told to do next.
struct Welcome {
    var isEmpty: Bool
    var setupCode: String
    var config: ServerConfig

    /// `{"listening": address, "setupCode": code}`, the code only while there is no account.
    func document(address: String) -> String {
        var document = ["listening": address]
        if isEmpty { document["setupCode"] = setupCode }
        do {
            return try JSONText.line(document)
        } catch {
            preconditionFailure("two strings did not encode: \(error)")
        }
    }

    /// - Returns: nil when there is an account already.
    func nextSteps(address: String) -> String? {
        guard isEmpty else { return nil }
        if config.registration == .closed {
            return "There is no account yet, and registration is closed: start with --registration auto to create one."
        }
        let server = config.publicURL ?? address
        let register = "bothy register --server \(server) --email you@example.org --device \"this device\""
        let isLocal = config.publicURL == nil && config.trustedProxies.isEmpty && config.listen.isLoopback
        if config.registration == .open || config.registration == .auto && isLocal {
            return """
                There is no account yet. Create yours in a browser, at \(server)
                or in another terminal:
                    \(register)
                """
        }
        return """
            There is no account yet. The setup code for the first one is \(setupCode)
            Create it in a browser, at \(server), or on any machine with
                \(register) --setup-code \(setupCode)
            """
    }
}

/// Each connection is an open file, and so is each pack.
enum OpenFiles {
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
