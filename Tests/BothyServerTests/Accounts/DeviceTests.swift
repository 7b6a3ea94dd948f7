import BothyContract
import BothyServer
import Testing

@Suite struct DeviceTests {
    private func devices(_ server: AccountServer, _ session: SessionResponse, _ query: String = "") async throws
        -> GetDevicesResponse
    {
        try await server.send(.get, "/v1/auth/devices\(query)", token: session.accessToken).json()
    }

    @Test func onesOwnDevicesAreListedPageByPage() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            for _ in 0..<6 { _ = try await server.login() }
            var (found, next): ([String], String?) = ([], nil)
            repeat {
                let page = try await devices(server, session, "?limit=3" + (next.map { "&page=\($0)" } ?? ""))
                #expect(page.devices.count <= 3)
                found += page.devices.map(\.id)
                next = page.pagination.next
            } while next != nil
            #expect(Set(found).count == 7 && found.count == 7)
            #expect(
                try await server.send(.get, "/v1/auth/devices?page=!", token: session.accessToken).code == .pageInvalid)
        }
    }

    @Test func aDeviceIsSignedOutFromAnother() async throws {
        try await AccountServer.with { server in
            let laptop = try await server.register()
            let phone = try await server.login()
            #expect(try await server.about(phone).status == 200)
            let path = "/v1/auth/devices/\(phone.device.id)"
            #expect(try await server.send(.delete, path, token: laptop.accessToken).status == 204)
            #expect(try await server.about(phone).code == .deviceSignedOut)
            #expect(try await server.send(.delete, path, token: laptop.accessToken).code == .notFound)
            #expect(try await devices(server, laptop).devices.map(\.id) == [laptop.device.id])
        }
    }

    @Test func anotherAccountsDeviceIsNotThere() async throws {
        try await AccountServer.with { server in
            let ada = try await server.register()
            let bob = try await server.register("bob@example.org")
            let path = "/v1/auth/devices/\(ada.device.id)"
            #expect(try await server.send(.delete, path, token: bob.accessToken).code == .notFound)
            #expect(try await server.about(ada).status == 200)
        }
    }

    @Test(.timeLimit(.minutes(10))) func theDeviceUnseenForLongestGivesWayToANewOne() async throws {
        try await AccountServer.with { server in
            let first = try await server.register()
            let notifier = server.services.notifier
            let ticket = try #require(await notifier.join(driveId: first.user.id, deviceId: first.device.id))
            for _ in 0..<DeviceTable.mostDevices {
                server.clock.advance(seconds: 1)
                _ = try await server.login()
            }
            let count = try await server.services.database.read {
                try $0.first("SELECT count(*) FROM devices")?.int(0)
            }
            #expect(count == DeviceTable.mostDevices)
            #expect(await notifier.next(ticket, within: 0) == .ended, "what it hears ends at once")
            await notifier.leave(ticket)
            #expect(try await server.about(first).code == .deviceSignedOut)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 101), "a\u{7}b"])
    func aDevicesNameHasBounds(_ name: String) async throws {
        try await AccountServer.with { server in
            var request = AccountServer.registration("ada@example.org")
            request.device.name = name
            let first = try await server.send(.post, "/v1/auth/register", json: request).code
            #expect(first == .invalidParameter)
        }
    }
}
