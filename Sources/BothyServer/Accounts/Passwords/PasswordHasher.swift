import BothyContract
import NIOPosix

/// Computes password hashes on threads of its own: two at once, 32 more wait, and beyond that the answer is 429.
///
/// Scrypt is dear on purpose; without this bound a crowd of sign-ins would take all memory and both cores.
package actor PasswordHasher {
    package static let atOnce = 2
    package static let mostWaiting = 32

    private let threads: NIOThreadPool
    private let cost: ScryptCost
    private let random: SecretBytes
    /// What an unknown account's password is compared with, so that it costs the same time.
    private let decoy: PasswordHash
    private var running = 0

    package init(cost: ScryptCost = .standard, random: SecretBytes = .system) {
        self.cost = cost
        self.random = random
        self.decoy = PasswordHash(decoyOf: cost, random: random)
        self.threads = NIOThreadPool(numberOfThreads: Self.atOnce)
        threads.start()
    }

    package func hash(_ password: String) async throws -> PasswordHash {
        let salt = random(PasswordHash.saltLength)
        return try await run { [cost] in try PasswordHash(password: password, salt: salt, cost: cost) }
    }

    /// - Parameter hash: nil for an account that is not there; the answer is then no, after the same time.
    package func matches(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
        let against = hash ?? decoy
        let matched = try await run { try against.matches(password) }
        return matched && hash != nil
    }

    /// True for a hash that was made at another cost than new ones are.
    package nonisolated func isOutdated(_ hash: PasswordHash) -> Bool { hash.cost != cost }

    package func close() async throws { try await threads.shutdownGracefully() }

    private func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard running < Self.atOnce + Self.mostWaiting else {
            throw Problem(
                .tooManyRequests, "Too many people are signing in. Try again in a few seconds."
            )
            .with { $0.retryAfter = 5 }
        }
        running += 1
        defer { running -= 1 }
        return try await threads.runIfActive { try body() }
    }
}
