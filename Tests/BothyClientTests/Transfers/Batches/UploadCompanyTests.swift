import BothyContent
import BothyContract
import Foundation
import RealServing
import Synchronization
import Testing

@testable import BothyClient

/// Small files that go up together, and those that leave the others.
@Suite struct UploadCompanyTests {
    private static let count = 12

    private struct World {
        let server: RealServer
        let folder: TemporaryFolder
        let home: DeviceHome

        init(_ disk: any LocalDisk = SystemDisk()) async throws {
            server = try await RealServer()
            folder = try TemporaryFolder()
            var environment = ClientEnvironment.live
            environment.disk = disk
            home = try await server.device("kitchen", register: true, environment: environment)
        }

        func order(_ index: Int, size: Int = 300) throws -> UploadOrder {
            var random = SeededRandom(UInt64(index))
            let path = try folder.write("source-\(index)", random.bytes(size))
            return UploadOrder(localPath: path, name: "file-\(index)", parentId: File.rootId, conflict: .fork)
        }

        func transfer(_ index: Int, _ change: (inout UploadOrder) -> Void = { _ in }) throws -> UploadTransfer {
            var order = try order(index)
            change(&order)
            var transfer = UploadTransfer(transferId: "t\(index)", order: order, now: Timestamp(seconds: 1))
            if let facts = try SystemDisk().facts(of: order.localPath) { transfer.pin(facts) }
            return transfer
        }

        func names() async throws -> [String] {
            var names = [String]()
            for try await page in home.files.list(File.rootId) { names += page.map(\.name) }
            return names
        }

        func close() async throws {
            try await home.close()
            await server.stop()
        }
    }

    /// Nothing is sent of those that a runner of their own has to look at.
    @Test func whoDoesNotGoTheUsualWayLeavesTheOthers() async throws {
        let world = try await World()
        var transfers = try (0..<Self.count).map { try world.transfer($0) }
        try world.folder.write("source-1", Array("changed".utf8))
        try FileManager.default.removeItem(atPath: transfers[3].localPath)
        transfers[5] = try world.transfer(5) { $0.checksum = SHA256Hasher.hash([1]) }
        transfers[7] = try world.transfer(7) { $0.parentId = "019a2b60-89ab-7cde-8f01-23456789abcd" }
        let company = UploadCompany(transfers, services: await world.home.transfers.services)
        #expect(company.leave("t9"))
        let ends = await company.ends()
        let usual = (0..<Self.count).filter { ![1, 3, 5, 7, 9].contains($0) }
        #expect(ends.compactMap(\.through?.record.id) == usual.map { "t\($0)" })
        #expect(ends.compactMap(\.through).allSatisfy { $0.record.state == .completed && $0.bytesMoved == 300 })
        #expect(try await world.names().sorted() == usual.map { "file-\($0)" }.sorted())
        guard case .left(.upload(_, .wholeRefused(let failure))) = ends[7] else {
            Issue.record("what the server refused is told: \(ends[7])")
            return
        }
        #expect(failure.problem?.code == .parentGone)
        for index in usual {
            let record = try await world.home.transfers.snapshot("t\(index)")
            #expect(record.state == .completed && record.checksum != nil)
        }
        try await world.close()
    }

    @Test func whatIsNotPinnedIsTakenAsItIs() async throws {
        let world = try await World()
        let transfers = try (0..<Self.count).map { index in
            let order = try world.order(index, size: 100 * index)
            if index == 3 { try SystemDisk().setMode(order.localPath, executable: true) }
            return UploadTransfer(transferId: "t\(index)", order: order, now: Timestamp(seconds: 1))
        }
        let ends = await UploadCompany(transfers, services: await world.home.transfers.services).ends()
            .compactMap(\.through)
        #expect(ends.count == Self.count, "also the empty one")
        // What was answered is all of what the server would say.
        for end in ends {
            let told = try #require(end.file)
            var asked = try await world.home.files.file(told.id)
            asked.downloadUrl = nil
            #expect(told == asked)
        }
        for case .upload(let transfer) in ends.map(\.record) {
            #expect(transfer.source == (try SystemDisk().facts(of: transfer.localPath)).map(SourcePin.init))
        }
        try await world.close()
    }

    @Test(arguments: FaultyDisk.Call.allCases.filter { [.openForReading, .read].contains($0) })
    func oneThatCannotBeReadOnceIsSentNevertheless(call: FaultyDisk.Call) async throws {
        let disk = FaultyDisk()
        let world = try await World(disk)
        let orders = try (0..<200).map { try world.order($0) }
        disk.fail(call, after: 150)
        let ids = try await world.home.transfers.upload(orders)
        for await _ in await world.home.transfers.observe(ids) {}
        #expect(disk.happened)
        #expect(Set(try await world.names()) == Set(orders.map(\.name)))
        #expect(try await world.home.transfers.list().isEmpty)
        try await world.close()
    }

    /// The second time each is answered as it was the first time.
    @Test func aRequestWhoseAnswersAreLostIsMadeAgainAndNothingComesTwice() async throws {
        let world = try await World()
        let transfers = try (0..<Self.count).map { try world.transfer($0) }
        let services = await world.home.transfers.services
        let first = await UploadCompany(transfers, services: services).ends()
        let second = await UploadCompany(transfers, services: services).ends()
        #expect(first.map { $0.through?.snapshot.remoteFileId } == second.map { $0.through?.snapshot.remoteFileId })
        #expect(try await world.names().count == Self.count)
        try await world.close()
    }
}

extension CompanyEnd {
    fileprivate var through: TransferEnd? { if case .through(let end) = self { end } else { nil } }
}

extension UploadCompany {
    fileprivate func ends() async -> [CompanyEnd] {
        let ends = Mutex([CompanyEnd]())
        await run { told in ends.withLock { $0 += told.map(\.end) } }
        return ends.withLock { $0 }
    }
}
