import BothyContract
import BothyServer
import HTTPTypes
import Testing

/// What waits for long is answered by the session that asked, and by no longer than that lives.
@Suite struct SessionEndTests {
    /// Lets time pass until `body` has its answer.
    private func whileTimePasses<Value: Sendable>(
        _ server: AccountServer, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let ticker = Task {
            while !Task.isCancelled {
                server.clock.advance(seconds: 1)
                await server.services.notifier.tick()
                try? await Task.sleep(for: .milliseconds(2))
            }
        }
        defer { ticker.cancel() }
        return try await body()
    }

    private func untilWaiting(_ server: AccountServer) async throws {
        while await server.services.notifier.count < 1 { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test(.timeLimit(.minutes(10))) func aStreamEndsWhenItsDeviceHasSignedInAnew() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            let stream = Task { try await server.send(.get, "/v1/events", token: first.accessToken) }
            try await untilWaiting(server)
            let again = try await server.login(deviceId: first.device.id)
            #expect(again.device.id == first.device.id)
            let answer = try await whileTimePasses(server) { try await stream.value }
            #expect(answer.status == 200 && answer.text == ": listening\n\n")
            #expect(await server.services.notifier.count == 0)
        }
    }

    @Test(.timeLimit(.minutes(10))) func aPollEndsWhenItsDeviceHasSignedInAnew() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            let place = try await server.send(.get, "/v1/changes/cursor", token: first.accessToken)
            let cursor = try place.json(CursorResponse.self).cursor
            let poll = Task {
                try await server.send(
                    .get, "/v1/changes/wait?cursor=\(cursor)&timeoutSeconds=300", token: first.accessToken)
            }
            try await untilWaiting(server)
            _ = try await server.login(deviceId: first.device.id)
            let answer = try await whileTimePasses(server) { try await poll.value }
            #expect(answer.code == .deviceSignedOut)
            #expect(await server.services.notifier.count == 0)
        }
    }

    /// No time passes: these are told at once.
    @Test(.timeLimit(.minutes(10)), arguments: ["signed out", "disabled", "deleted", "reset"])
    func aStreamEndsAtOnceWhenItsDeviceOrItsAccountGoes(how: String) async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            let (accounts, email) = (server.services.accounts, "ada@example.org")
            let stream = Task { try await server.send(.get, "/v1/events", token: session.accessToken) }
            try await untilWaiting(server)
            switch how {
            case "signed out": try await accounts.signOut(deviceId: session.device.id, of: session.caller)
            case "disabled": try await accounts.setDisabled(email: email, true)
            case "deleted": try await accounts.delete(email: email)
            default: _ = try await accounts.resetPassword(email: email)
            }
            #expect(try await stream.value.text == ": listening\n\n")
        }
    }
}
