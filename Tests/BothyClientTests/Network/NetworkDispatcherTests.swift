import BothyContent
import BothyContract
import Foundation
import Testing

@testable import BothyClient

@Suite struct NetworkDispatcherTests {
    @Test func manyRequestsWithAnExpiredTokenRenewItOnce() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store([1], name: "a")
        await server.drive.expireTokens()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await device.home.files.file(file.id) } }
            try await group.waitForAll()
        }
        #expect(await server.drive.refreshes == 1)
        try await device.close()
    }

    @Test func twoProcessesOfOneHomeRenewTheTokenOnce() async throws {
        let server = try await FakeServer()
        let folder = try TemporaryFolder()
        let one = try await TestDevice(server.origin, folder: folder)
        let two = try await TestDevice(server.origin, folder: folder)
        let file = await server.drive.store([1], name: "a")
        await server.drive.expireTokens()
        async let first = one.home.files.file(file.id)
        async let second = two.home.files.file(file.id)
        _ = try await (first, second)
        #expect(await server.drive.refreshes == 1)
        try await one.close()
        try await two.close()
    }

    @Test func aTokenThatIsNearlyOverIsRenewedBeforeItIsRefused() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store([1], name: "a")
        device.clock.jump(seconds: 890)
        await server.drive.expireTokens()
        _ = try await device.home.files.file(file.id)
        #expect(await server.drive.refreshes == 1)
        #expect(await server.drive.count("file") == 1)
        try await device.close()
    }

    /// Signed out and in again as somebody else, while another process of this home went on.
    @Test func whatWasBegunForOneAccountIsDoneInNoOther() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store([1], name: "a")
        _ = try await device.home.files.file(file.id)
        let secrets = SecretStore(folder: device.folder.file("home/secrets"), disk: SystemDisk())
        var other = try #require(try secrets.session())
        other.user.id += 1
        other.accessToken = "token-2"
        try secrets.save(other)
        await server.drive.expireTokens()
        await #expect { try await device.home.files.file(file.id) } throws: {
            ($0 as? ClientFailure)?.code == .signInNeeded
        }
        #expect(try secrets.session() == other)
        #expect(await server.drive.refreshes == 0)
        try await device.close()
    }

    /// Whoever typed “bothy cp” in a train waited up to seven seconds to be told.
    @Test func whereNobodyTakesTheConnectionAPersonIsToldAtOnce() async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let failure = await #expect(throws: ClientFailure.self) { try await device.home.files.file("x") }
        #expect(failure?.code == .offline)
        #expect(failure?.unreached == "http://127.0.0.1:1", "whoever shows it need not show how it failed")
        #expect(device.clock.slept.isEmpty)
        try await device.close()
    }

    @Test func aConnectionThatWasBrokenOffIsTriedAgainForAPersonWhoWaits() {
        let broken = ClientFailure(.offline, "")
        let delays = (1...4).map { RetryPolicy.interactive.delay(after: broken, attempt: $0, waited: 0, chance: 1) }
        #expect(delays == [1, 2, 4, nil])
        let refused = broken.with { $0.isUnconnected = true }
        #expect(RetryPolicy.interactive.delay(after: refused, attempt: 1, waited: 0, chance: 1) == nil)
        #expect(RetryPolicy.background.delay(after: refused, attempt: 1, waited: 0, chance: 1) == 1)
    }

    /// A bit turned over on the way, and the server did nothing with it.
    @Test func whatWasChangedOnItsWayIsSentAgainAtOnce() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store([1], name: "a")
        let changed = FakeDrive.Fault.refuse(.digestMismatch)
        await server.drive.fault("file", changed, changed, changed)
        _ = try await device.home.files.file(file.id)
        #expect(device.clock.slept.isEmpty)
        try await device.close()
    }

    @Test func metadataGoesWithItsDigest() throws {
        let request = try WireRequest.json(.PATCH, "/v1/files/a", UpdateFileRequest(name: "b"))
        guard case .bytes(let body) = request.body else { throw ClientFailure(.refused, "It has no body.") }
        let digest = SHA256Hasher.hash(Array(body.readableBytesView)).digestField
        #expect(request.headers.first(name: HeaderNames.contentDigest) == digest)
    }

    @Test func whatIsNotThereIsToldByItsPath() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        await #expect { try await device.home.files.file(at: RemotePath("/a/b")) } throws: {
            ($0 as? ClientFailure)?.code == .notFound && ($0 as? ClientFailure)?.words.contains("/a/b") == true
        }
        try await device.close()
    }

    @Test func nobodyIsSignedInOnANewHome() async throws {
        let folder = try TemporaryFolder()
        let home = try await DeviceHome.open(at: folder.file("new"))
        await #expect { try await home.files.file("x") } throws: { ($0 as? ClientFailure)?.code == .signInNeeded }
        #expect(try home.account.signedIn() == nil)
        try await home.close()
    }

    @Test func theDelayDoublesUpToItsCeilingAndHonoursWhatTheServerAsks() {
        let busy = ClientFailure(.serverBusy, "busy")
        let delays = (1...12).map { RetryPolicy.delay(after: busy, failures: $0, chance: 1) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(RetryPolicy.delay(after: busy, failures: 3, chance: 0) == 0)
        var asked = busy
        asked.retryAfter = 30
        #expect(RetryPolicy.delay(after: asked, failures: 1, chance: 0.5) == 30)
        asked.retryAfter = 1e12
        #expect(RetryPolicy.delay(after: asked, failures: 1, chance: 0.5) == RetryPolicy.longestAsked)
        #expect(
            RetryPolicy.delay(after: ClientFailure(.offline, ""), failures: 40, chance: 1)
                == RetryPolicy.longestOfflineDelay)
    }

    @Test func whileAnOutageIsYoungTheServersReturnIsSeenWithinASecond() {
        let (offline, gateway) = (ClientFailure(.offline, ""), ClientFailure(status: 502))
        for failures in 1...60 {
            for failure in [offline, gateway] {
                let looks = [0, 0.5, 0.999].map {
                    RetryPolicy.untilNextLook(after: failure, failures: failures, chance: $0)
                }
                #expect(looks.allSatisfy { (0.5...1).contains($0) })
                // A thousand devices that lost it together do not come back together.
                #expect(Set(looks).count == looks.count)
            }
        }
        #expect(RetryPolicy.untilNextLook(after: gateway, failures: 61, chance: 1) == RetryPolicy.longestOfflineDelay)
        #expect(RetryPolicy.untilNextLook(after: offline, failures: 601, chance: 1) == RetryPolicy.longestOfflineDelay)
    }

    @Test func roomThatAPersonFreesIsSeenWithinAMoment() {
        let full = ClientFailure(.diskFull, "")
        #expect(RetryPolicy.untilNextLook(after: full, failures: 1000, chance: 1) == RetryPolicy.longestOfflineDelay)
    }

    @Test func whoCanBeShownSomethingElseIsShownItWithinAMoment() {
        let offline = ClientFailure(.offline, "")
        let first = RetryPolicy.brief.delay(after: offline, attempt: 1, waited: 0, chance: 1)
        #expect(first.map { $0 <= 0.02 } == true)
        #expect(RetryPolicy.brief.delay(after: offline, attempt: 2, waited: 0, chance: 1) == nil)
        var asked = ClientFailure(.serverBusy, "")
        asked.retryAfter = 5
        #expect(RetryPolicy.brief.delay(after: asked, attempt: 1, waited: 0, chance: 0) == nil)
    }

    @Test func aServerThatSaysThatItIsBusyIsNotAskedSooner() {
        let busy = ClientFailure(status: 503)
        #expect(RetryPolicy.untilNextLook(after: busy, failures: 6, chance: 1) == 32)
        var asked = ClientFailure(status: 502)
        asked.retryAfter = 30
        #expect(RetryPolicy.untilNextLook(after: asked, failures: 1, chance: 0.5) == 30)
    }
}
