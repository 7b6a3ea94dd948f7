import BothyContract
import BothyServer
import Foundation
import Synchronization
import Testing

@Suite struct LoginThrottleTests {
    private func guess(
        _ server: AccountServer, email: String = "ada@example.org", deviceId: String? = nil,
        from network: String = "203.0.113.9"
    ) async throws -> ProblemCode? {
        try await problemCode {
            _ = try await server.login(
                email, password: "wrong", deviceId: deviceId, from: AccountOrigin(network: network, isLocal: false))
        }
    }

    @Test func guessesAreSlowedAlsoAfterARestart() async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        try await AccountServer.with(folder: folder, clock: clock) { server in
            _ = try await server.register()
            for _ in 0..<3 { #expect(try await guess(server) == .wrongCredentials) }
            #expect(try await guess(server) == .tooManyRequests)
        }
        try await AccountServer.with(folder: folder, clock: clock) { server in
            let first = try await guess(server)
            #expect(first == .tooManyRequests)
            clock.advance(seconds: 21)
            #expect(try await guess(server) == .wrongCredentials)
            #expect(try await guess(server) == .tooManyRequests)
        }
    }

    @Test func aStrangersGuessesLockNoOwnerOut() async throws {
        try await AccountServer.with { server in
            let owner = try await server.register()
            for index in 0..<50 { _ = try await guess(server, from: "203.0.113.\(index)") }
            #expect(try await guess(server) == .tooManyRequests)
            #expect(try await server.login(deviceId: owner.device.id).device.id == owner.device.id)
            #expect(try await server.about(owner).code == .deviceSignedOut, "the sign-in was a new session")
        }
    }

    @Test func aMadeUpDeviceIdIsNoKnownDevice() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            let bob = try await server.register("bob@example.org")
            for _ in 0..<3 { _ = try await guess(server) }
            #expect(try await guess(server, deviceId: bob.device.id) == .tooManyRequests)
            #expect(try await guess(server, deviceId: "made up") == .tooManyRequests)
        }
    }

    @Test func oneAddressGuessesAtManyAccountsNoFaster() async throws {
        try await AccountServer.with { server in
            var evaluated = 0
            for index in 0..<60 where try await guess(server, email: "a\(index)@example.org") == .wrongCredentials {
                evaluated += 1
            }
            #expect(evaluated == 30)
            #expect(try await guess(server, email: "new@example.org", from: "198.51.100.1") == .wrongCredentials)
        }
    }

    @Test func aRightPasswordCountsForNothing() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for _ in 0..<40 { _ = try await server.login(from: .elsewhere) }
        }
    }

    @Test func theAnswerSaysHowLongToWait() async throws {
        try await AccountServer.with { server in
            let request = LoginRequest(
                email: "nobody@example.org", password: "wrong", device: .init(name: "x", platform: "linux"))
            for _ in 0..<3 { _ = try await server.send(.post, "/v1/auth/login", json: request) }
            let answer = try await server.send(.post, "/v1/auth/login", json: request)
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] == "20")
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    /// A refusal that is thrown in its transaction has all that share its commit run again, and anybody may be refused.
    @Test func aRefusedSignInHasNobodysWritesRunTwice() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for _ in 0..<3 { _ = try await guess(server) }
            let database = server.services.database
            let (begun, asked, runs, refused) = (Counter(), Counter(), Counter(), Counter())
            try await withThrowingTaskGroup(of: Void.self) { group in
                // While this one holds the writer, the others gather, to be committed together.
                group.addTask {
                    try await database.write { _ in
                        begun.add()
                        while asked.count < 40 { _ = sched_yield() }
                    }
                }
                while begun.count == 0 { await Task.yield() }
                for _ in 0..<20 {
                    group.addTask {
                        asked.add()
                        try await database.write { _ in runs.add() }
                    }
                    group.addTask {
                        asked.add()
                        if try await guess(server) == .tooManyRequests { refused.add() }
                    }
                }
                try await group.waitForAll()
            }
            #expect(runs.count == 20 && refused.count == 20)
        }
    }

    @Test func anEmptyBucketIsForgotten() async throws {
        try await AccountServer.with { server in
            _ = try await guess(server)
            let services = server.services
            server.clock.advance(seconds: 3600)
            let throttle = LoginThrottle(livedMilliseconds: { services.lived.milliseconds() })
            let left = try await services.database.write { connection in
                #expect(try throttle.prune(in: connection) > 0)
                return try connection.first("SELECT count(*) FROM login_attempts")?.int(0)
            }
            #expect(left == 0)
        }
    }
}
