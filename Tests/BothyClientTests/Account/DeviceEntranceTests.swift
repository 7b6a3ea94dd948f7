import BothyClient
import BothyContract
import Testing

/// Who comes in to a device's own web app: whoever was handed a token, once, and soon.
@Suite struct DeviceEntranceTests {
    @Test func aTokenIsGoodOnceAndATicketFromThenOn() async throws {
        try await atADevice { device, entrance in
            let token = await entrance.newToken().token
            let ticket = try #require(try await entrance.come(with: token))
            #expect(try await entrance.come(with: token) == nil)
            #expect(try await entrance.enter(ticket)?.user.email == TestDevice.user.email)
            for wrong in ["", token, String(ticket.dropLast())] { #expect(try await entrance.enter(wrong) == nil) }
            try await entrance.leave(ticket)
            #expect(try await entrance.enter(ticket) == nil)
        }
    }

    @Test func aTokenIsGoodForHalfAMinuteAndATicketForNinetyDays() async throws {
        try await atADevice { device, entrance in
            let (late, intime) = (await entrance.newToken(), await entrance.newToken())
            device.clock.jump(seconds: 29)
            let ticket = try #require(try await entrance.come(with: intime.token))
            device.clock.jump(seconds: 1)
            #expect(try await entrance.come(with: late.token) == nil)
            // Whoever waits for it to be used is not kept waiting.
            for await _ in late.used {}
            device.clock.jump(seconds: 90 * 86_400 - 2)
            let held = try await entrance.enter(ticket)
            #expect(held != nil)
            device.clock.jump(seconds: 1)
            let over = try await entrance.enter(ticket)
            #expect(over == nil)
        }
    }

    @Test func ticketsOutliveTheAgentAndEndWithTheSignIn() async throws {
        try await atADevice { device, entrance in
            let ticket = try #require(try await entrance.come(with: await entrance.newToken().token))
            let next = DeviceEntrance(device.home, device: nil)
            let known = try await next.enter(ticket)
            #expect(known != nil)
            let secrets = SecretStore(folder: device.folder.file("home/secrets"), disk: SystemDisk())
            let session = try #require(try secrets.session())
            try secrets.forgetSession()
            try secrets.save(session)
            let after = try await next.enter(ticket)
            #expect(after == nil, "who signs in next is somebody else")
        }
    }

    @Test func onlyTheTokensThatCameLastAreGood() async throws {
        try await atADevice { _, entrance in
            let first = await entrance.newToken().token
            for _ in 0..<16 { _ = await entrance.newToken() }
            let ticket = try await entrance.come(with: first)
            #expect(ticket == nil)
        }
    }

    private func atADevice(_ body: (TestDevice, DeviceEntrance) async throws -> Void) async throws {
        let device = try await TestDevice("http://127.0.0.1:9")
        try await body(device, DeviceEntrance(device.home, device: nil))
        try await device.close()
    }
}
