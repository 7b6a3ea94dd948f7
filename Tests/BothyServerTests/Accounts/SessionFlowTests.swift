import BothyContract
import BothyServer
import Testing

/// A device's life with its account, in order: in, on, out.
@Suite struct SessionFlowTests {
    @Test func registeringSignsTheFirstDeviceIn() async throws {
        try await AccountServer.with { server in
            let answer = try await server.send(
                .post, "/v1/auth/register", json: AccountServer.registration("Ada@Example.org"))
            #expect(answer.status == 201)
            let session: SessionResponse = try answer.json()
            #expect(session.user.email == "Ada@Example.org" && session.device.current)
            #expect(session.expiresIn == 900)
            let about: AboutResponse = try await server.about(session).json()
            #expect(
                about.user == session.user && about.quota.used == 0 && about.quota.limit == nil
                    && about.quota.items == 0)
            #expect(try await server.send(.get, "/v1/files", token: session.accessToken).status == 200)
        }
    }

    @Test func anEmailIsTakenOnceHoweverItIsWritten() async throws {
        try await AccountServer.with { server in
            _ = try await server.register("ada@example.org")
            #expect(try await problemCode { _ = try await server.register(" ADA@Example.ORG") } == .emailTaken)
        }
    }

    @Test func aWrongPasswordAndAnUnknownAccountAnswerAlike() async throws {
        try await AccountServer.with { server in
            _ = try await server.register()
            let wrong = LoginRequest(
                email: "ada@example.org", password: "wrong", device: .init(name: "x", platform: "linux"))
            var unknown = wrong
            unknown.email = "nobody@example.org"
            let answers = [
                try await server.send(.post, "/v1/auth/login", json: wrong),
                try await server.send(.post, "/v1/auth/login", json: unknown),
            ]
            #expect(answers.map(\.status) == [401, 401])
            #expect(try answers[0].problem() == answers[1].problem())
        }
    }

    @Test func aRefreshRotatesAndALostAnswerSignsNoOneOut() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            let lost = try await server.refresh(first.refreshToken)
            let second = try await server.refresh(first.refreshToken)
            let third = try await server.refresh(second.refreshToken)
            #expect(Set([first, lost, second, third].map(\.refreshToken)).count == 4)
            #expect(try await server.about(third).status == 200)
            #expect(try await problemCode { _ = try await server.refresh(first.refreshToken) } == .refreshTokenInvalid)
            #expect(try await server.about(third).code == .deviceSignedOut, "a replaced token ends the whole family")
            #expect(try await problemCode { _ = try await server.refresh(third.refreshToken) } == .refreshTokenInvalid)
        }
    }

    @Test func refreshTokensOutliveARestartAndAJumpOfTheCalendar() async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        let session = try await AccountServer.with(folder: folder, clock: clock) { try await $0.register() }
        clock.jump(seconds: 365 * 24 * 3600)
        try await AccountServer.with(folder: folder, clock: clock) { server in
            let first = try await server.about(session).code
            #expect(first == .tokenExpired)
            #expect(try await server.about(try await server.refresh(session.refreshToken)).status == 200)
        }
    }

    @Test func aRefreshTokenThatNobodyUsedForItsLifetimeEnds() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            server.clock.advance(seconds: AccountLimits.refreshTokenLifetime + 60)
            #expect(
                try await problemCode { _ = try await server.refresh(session.refreshToken) } == .refreshTokenInvalid)
        }
    }

    @Test(arguments: ["", "nonsense", "br1.1.2.3", "br1.zz.family.secret", String(repeating: "x", count: 10_000)])
    func aMadeUpRefreshTokenIsRefused(_ token: String) async throws {
        try await AccountServer.with { server in
            let outcome = try await problemCode { _ = try await server.refresh(token) }
            #expect(outcome == .refreshTokenInvalid)
        }
    }

    @Test func signingOutEndsTheTokensAtOnce() async throws {
        try await AccountServer.with { server in
            let laptop = try await server.register()
            let phone = try await server.login()
            #expect(try await server.about(phone).status == 200)
            #expect(try await server.send(.post, "/v1/auth/logout", token: phone.accessToken).status == 204)
            #expect(try await server.about(phone).code == .deviceSignedOut)
            #expect(try await problemCode { _ = try await server.refresh(phone.refreshToken) } == .refreshTokenInvalid)
            #expect(try await server.about(laptop).status == 200)
        }
    }

    @Test func signingInAgainMakesNoSecondDeviceAndEndsTheFormerSession() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            let again = try await server.login(deviceId: first.device.id)
            #expect(again.device.id == first.device.id && again.device.name == "phone")
            #expect(try await server.about(first).code == .deviceSignedOut)
            #expect(try await server.about(again).status == 200)
            let devices: GetDevicesResponse = try await server.send(
                .get, "/v1/auth/devices", token: again.accessToken
            ).json()
            #expect(devices.devices.count == 1)
        }
    }

    @Test func aSignedOutDeviceSignsInAgainAsItself() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            try await server.services.accounts.logout(first.caller)
            let again = try await server.login(deviceId: first.device.id)
            #expect(again.device.id == first.device.id)
            #expect(try await server.about(first).code == .deviceSignedOut, "its old token stays ended")
        }
    }

    @Test func someoneElsesDeviceIdMakesANewDevice() async throws {
        try await AccountServer.with { server in
            let ada = try await server.register()
            _ = try await server.register("bob@example.org")
            let bob = try await server.login("bob@example.org", deviceId: ada.device.id)
            #expect(bob.device.id != ada.device.id)
            #expect(try await server.about(ada).status == 200)
        }
    }

    @Test func changingThePasswordEndsTheOtherSessions() async throws {
        try await AccountServer.with { server in
            let laptop = try await server.register()
            let phone = try await server.login()
            let change = ChangePasswordRequest(currentPassword: AccountServer.password, newPassword: "another password")
            let wrong = ChangePasswordRequest(currentPassword: "wrong", newPassword: "another password")
            #expect(
                try await server.send(.post, "/v1/auth/password", token: laptop.accessToken, json: wrong).code
                    == .wrongCredentials)
            #expect(
                try await server.send(.post, "/v1/auth/password", token: laptop.accessToken, json: change).status == 204
            )
            #expect(try await server.about(laptop).status == 200)
            #expect(try await server.about(phone).code == .deviceSignedOut)
            #expect(try await problemCode { _ = try await server.login() } == .wrongCredentials)
            _ = try await server.login(password: "another password")
        }
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 1025)])
    func aPasswordTooShortOrTooLongIsRefused(_ password: String) async throws {
        try await AccountServer.with { server in
            let outcome = try await problemCode { _ = try await server.register(password: password) }
            #expect(outcome == .weakPassword)
        }
    }

    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "a@b@c", "a da@example.org", "a\u{0}@b.c",
        String(repeating: "x", count: 255) + "@b",
    ])
    func whatIsNoEmailIsRefused(_ email: String) async throws {
        try await AccountServer.with { server in
            let outcome = try await problemCode { _ = try await server.register(email) }
            #expect(outcome == .invalidParameter)
        }
    }
}
