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
            clock.advance(seconds: 61)
            #expect(try await guess(server) == .wrongCredentials)
            #expect(try await guess(server) == .tooManyRequests)
        }
    }

    private static let away = AccountOrigin(network: "198.51.100.7", isLocal: false)

    /// The contract said so, and a new phone was kept out for as long as anybody guessed.
    @Test(arguments: [1, 2]) func aNewDeviceGetsInWhileStrangersGuess(networks: Int) async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for minute in 0..<30 {
                for _ in 0..<10 {
                    for network in 0..<networks { _ = try await guess(server, from: "203.0.113.\(network)") }
                }
                if minute % 3 == 0 { _ = try await server.login(from: Self.away) }
                server.clock.advance(seconds: 60)
            }
        }
    }

    @Test func whoMistypesTwiceGetsInWhileAStrangerGuesses() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for _ in 0..<10 { _ = try await guess(server) }
            server.clock.advance(seconds: 61)
            for _ in 0..<10 { _ = try await guess(server) }
            #expect(try await guess(server, from: Self.away.network) == .wrongCredentials)
            #expect(try await guess(server, from: Self.away.network) == .wrongCredentials)
            server.clock.advance(seconds: 61)
            for _ in 0..<10 { _ = try await guess(server) }
            _ = try await server.login(from: Self.away)
            #expect(try await guess(server, from: Self.away.network) == .wrongCredentials)
            _ = try await server.login(from: Self.away)
        }
    }

    /// Whoever has networks without end still has ten guesses a minute.
    @Test func guessesFromEverywhereAreTenAMinuteAlsoOverARestart() async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        var times = [Int]()
        for life in 0..<4 {
            try await AccountServer.with(folder: folder, clock: clock) { server in
                if life == 0 { _ = try await server.register() }
                for second in life * 60..<(life + 1) * 60 {
                    for number in 0..<4 {
                        let network = "203.\(life).\(second % 60).\(number)"
                        if try await guess(server, from: network) == .wrongCredentials { times.append(second) }
                    }
                    clock.advance(seconds: 1)
                }
            }
        }
        for start in times { #expect(times.filter { (start..<start + 60).contains($0) }.count <= 10) }
        #expect(times.count >= 8)
    }

    /// One customer of an IPv6 network has tens of thousands of /64s.
    @Test func networksOfOneSiteCountAsOne() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for index in 0..<50 { _ = try await guess(server, from: "2001:db8:7:\(index)::/64") }
            _ = try await server.login(from: Self.away)
        }
    }

    @Test func aRightPasswordMakesUpForWhatItsNetworkMistyped() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            for _ in 0..<2 {
                #expect(try await guess(server, from: Self.away.network) == .wrongCredentials)
                _ = try await server.login(from: Self.away)
            }
            let left = try await server.services.database.read {
                try $0.first("SELECT COUNT(*) FROM login_attempts WHERE bucket LIKE 'wrong:%'")?.int(0)
            }
            #expect(left == 0)
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
            #expect(answer.headers[.retryAfter] == "60")
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
            server.clock.advance(seconds: 24 * 3600)
            let throttle = LoginThrottle(livedMilliseconds: { services.lived.milliseconds() })
            let left = try await services.database.write { connection in
                #expect(try throttle.prune(in: connection) > 0)
                return try connection.first("SELECT count(*) FROM login_attempts")?.int(0)
            }
            #expect(left == 0)
        }
    }
}
