import BothyContract
import BothyServer
import Testing

@Suite struct RegistrationTests {
    private func register(
        _ server: AccountServer, _ email: String, from origin: AccountOrigin = .elsewhere, setupCode: String? = nil,
        invite: String? = nil
    ) async throws -> ProblemCode? {
        try await problemCode {
            _ = try await server.services.accounts.register(
                AccountServer.registration(email, setupCode: setupCode, invite: invite), from: origin)
        }
    }

    @Test func thisMachineIsOpen() async throws {
        try await AccountServer.with(registration: .auto) { server in
            let first = try await register(server, "a@example.org", from: .here)
            #expect(first == nil)
            #expect(try await register(server, "b@example.org", from: .here) == nil)
        }
    }

    @Test func theFirstFromElsewhereNeedsTheSetupCodeAndLaterOnesAnInvite() async throws {
        try await AccountServer.with(registration: .auto) { server in
            let code = server.services.accounts.setupCode
            #expect(try await register(server, "a@example.org") == .setupCodeRequired)
            #expect(try await register(server, "a@example.org", setupCode: "0000-0000-0000-0000") == .setupCodeRequired)
            #expect(try await register(server, "a@example.org", setupCode: " \(code.lowercased()) ") == nil)
            #expect(try await register(server, "b@example.org", setupCode: code) == .inviteRequired)
            #expect(try await register(server, "b@example.org") == .inviteRequired)
            let invite = try await server.services.accounts.invite(note: "")
            #expect(try await register(server, "b@example.org", invite: invite) == nil)
            #expect(try await register(server, "c@example.org", invite: invite) == .inviteRequired, "it is used up")
        }
    }

    @Test func anInviteEnds() async throws {
        try await AccountServer.with(registration: .invite) { server in
            let invite = try await server.services.accounts.invite(note: "")
            server.clock.advance(seconds: InviteTable.lifetime + 60)
            #expect(try await register(server, "a@example.org", from: .here, invite: invite) == .inviteRequired)
        }
    }

    @Test func aRefusedEmailLeavesTheInvite() async throws {
        try await AccountServer.with(registration: .auto) { server in
            _ = try await server.register("a@example.org")
            let invite = try await server.services.accounts.invite(note: "")
            #expect(try await register(server, "a@example.org", invite: invite) == .emailTaken)
            #expect(try await register(server, "b@example.org", invite: invite) == nil)
        }
    }

    @Test func twoWithOneInviteAreOneAccount() async throws {
        try await AccountServer.with(registration: .auto) { server in
            _ = try await server.register("a@example.org")
            let invite = try await server.services.accounts.invite(note: "")
            async let first = register(server, "b@example.org", invite: invite)
            async let second = register(server, "c@example.org", invite: invite)
            let codes = try await [first, second]
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.contains(.inviteRequired))
        }
    }

    @Test func closedIsClosedToEveryone() async throws {
        try await AccountServer.with(registration: .closed) { server in
            let invite = try await server.services.accounts.invite(note: "")
            #expect(try await register(server, "a@example.org", from: .here) == .registrationClosed)
            #expect(try await register(server, "a@example.org", invite: invite) == .registrationClosed)
            #expect(
                try await register(server, "a@example.org", setupCode: server.services.accounts.setupCode)
                    == .registrationClosed)
        }
    }

    @Test func strangersRegisterNoFasterThanTheyMayGuess() async throws {
        try await AccountServer.with(registration: .open) { server in
            var codes: [ProblemCode?] = []
            for index in 0..<35 { codes.append(try await register(server, "a\(index)@example.org")) }
            #expect(codes.prefix(30).allSatisfy { $0 == nil })
            #expect(codes.last == .tooManyRequests)
            for index in 0..<40 {
                let code = try await register(server, "b\(index)@example.org", from: .here)
                #expect(code == nil, "whoever sits at the machine is no stranger")
            }
        }
    }
}
