import BothyContract
import Foundation
import Testing

@testable import BothyClient

/// What is asked of files that go up together, while the server keeps their request waiting: whoever is asked does it at once.
@Suite struct LeavingCompanyTests {
    private static let count = 40

    private struct World {
        let server: FakeServer
        let device: TestDevice
        let orders: [UploadOrder]
        var transfers: TransfersRepository { device.home.transfers }

        init() async throws {
            server = try await FakeServer()
            await server.drive.learnUploadBatches()
            // However busy the machine is, what is held stays so until it is let go.
            let device = try await TestDevice(server.origin, silence: 3_600)
            self.device = device
            orders = try (0..<LeavingCompanyTests.count).map { index in
                var random = SeededRandom(UInt64(index))
                let path = try device.folder.write("source-\(index)", random.bytes(300))
                return UploadOrder(localPath: path, name: "file-\(index)", parentId: File.rootId, conflict: .fork)
            }
        }

        /// All are on their way, and the server does not answer.
        func held() async throws -> [String] {
            await server.drive.fault("batch", .hold)
            let ids = try await transfers.upload(orders)
            await server.drive.whenHeld()
            return ids
        }

        func states(_ ids: [String]) async throws -> [TransferState] {
            var states = [TransferState]()
            for id in ids { states.append(try await transfers.snapshot(id).state) }
            return states
        }

        func rest(_ ids: [String]) async { for await _ in await transfers.observe(ids) {} }
    }

    @Test func whoeverWatchesSeesThatTheyAreOnTheirWay() async throws {
        let world = try await World()
        let ids = try await world.held()
        var underWay = Set<String>()
        for await snapshot in await world.transfers.observe(ids) {
            if snapshot.state == .transferring { underWay.insert(snapshot.id) }
            if underWay.count == Self.count { await world.server.drive.letGo() }
        }
        #expect(underWay == Set(ids))
        #expect(try await world.states(ids).allSatisfy { $0 == .completed })
        #expect(await world.server.drive.count("batch") == 1)
        try await world.device.close()
    }

    @Test func oneThatIsPausedWaitsForNoOtherAndIsGoneOnWithByItself() async throws {
        let world = try await World()
        let ids = try await world.held()
        try await world.transfers.pause(ids[3])
        #expect(try await world.states([ids[3]]) == [.paused(.user)])
        await world.server.drive.letGo()
        await world.rest(ids)
        let others = ids.filter { $0 != ids[3] }
        #expect(try await world.states(others).allSatisfy { $0 == .completed })
        #expect(try await world.states([ids[3]]) == [.paused(.user)])
        try await world.transfers.resume(ids[3])
        await world.rest([ids[3]])
        #expect(try await world.states([ids[3]]) == [.completed])
        #expect(await world.server.drive.contents.count == Self.count, "none twice")
        try await world.device.close()
    }

    @Test func whatIsCanceledStaysCanceledWhenTheProgramStops() async throws {
        let world = try await World()
        let ids = try await world.held()
        try await world.transfers.cancel(ids[3])
        await world.transfers.stop()
        let others = ids.filter { $0 != ids[3] }
        #expect(try await world.states([ids[3]]) == [.canceled])
        #expect(try await world.states(others).allSatisfy { $0 == .paused(.stopped) })
        await world.server.drive.letGo()
        try await world.device.close()
    }

    /// A person stopped the program: nobody else goes on with what it sent, until that is asked for.
    @Test func whatTheProgramStopsWithIsNobodysToGoOnWith() async throws {
        let world = try await World()
        let ids = try await world.held()
        try await world.device.close()
        await world.server.drive.letGo()
        let second = try await TestDevice(world.server.origin, folder: world.device.folder)
        #expect(try await second.home.transfers.adopt().isEmpty)
        #expect(try await second.home.transfers.list().allSatisfy { $0.state == .paused(.stopped) })
        for id in ids { try await second.home.transfers.resume(id) }
        for await _ in await second.home.transfers.observe(ids) {}
        #expect(try await second.home.transfers.list().isEmpty)
        #expect(await world.server.drive.contents.count == Self.count, "none twice")
        try await second.close()
    }

    @Test func whatIsHandedOnIsForWhoeverComesNext() async throws {
        let world = try await World()
        let ids = try await world.held()
        try await world.transfers.leaveBehind(Set(ids))
        #expect(await world.server.drive.count("batch") == 1)
        await world.server.drive.letGo()
        let second = try await TestDevice(world.server.origin, folder: world.device.folder)
        #expect(Set(try await second.home.transfers.adopt()) == Set(ids))
        for await _ in await second.home.transfers.observe(ids) {}
        #expect(await world.server.drive.contents.count == Self.count, "none twice")
        try await second.close()
        try await world.device.close()
    }

    /// Who asks again at once makes it worse.
    @Test func eachWaitsAfterABusyServersAnswer() async throws {
        let world = try await World()
        await world.server.drive.fault("batch", .status(503))
        let ids = try await world.transfers.upload(world.orders)
        await world.rest(ids)
        #expect(try await world.states(ids).allSatisfy { $0 == .completed })
        #expect(world.device.clock.slept.count { $0 != TransfersRepository.lookInterval } >= Self.count)
        #expect(await world.server.drive.contents.count == Self.count)
        try await world.device.close()
    }

    @Test func aProxysLimitMakesTheRequestsSmaller() async throws {
        let world = try await World()
        await world.server.drive.limitProxy(to: 4_000)
        let ids = try await world.transfers.upload(world.orders)
        await world.rest(ids)
        #expect(try await world.states(ids).allSatisfy { $0 == .completed })
        #expect(await world.server.drive.contents.count == Self.count)
        try await world.device.close()
    }

    /// The request is made again, and answered as before.
    @Test func aLostAnswerMakesNoFileTwice() async throws {
        let world = try await World()
        await world.server.drive.fault("batch", .dropAnswer)
        let ids = try await world.transfers.upload(world.orders)
        await world.rest(ids)
        #expect(try await world.states(ids).allSatisfy { $0 == .completed })
        #expect(await world.server.drive.contents.count == Self.count)
        try await world.device.close()
    }
}
