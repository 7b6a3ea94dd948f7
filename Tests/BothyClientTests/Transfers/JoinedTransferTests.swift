import BothyClient
import BothyContract
import Foundation
import GRDB
import Testing

/// A transfer that another program of this device runs, seen from here.
@Suite struct JoinedTransferTests {
    @Test(.timeLimit(.minutes(10)))
    func oneThatIsForgottenMeanwhileEndsInWordsAlsoWhenTheDatabaseFailedBefore() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let other = try RunnerIdentity(locksFolder: device.home.directory + "/locks")
        let store = TransferStore(database: try ClientDatabase(path: device.home.directory + "/client.sqlite"))
        let order = UploadOrder(localPath: device.folder.file("film"), name: "film.mkv", parentId: "root")
        var transfer = UploadTransfer(transferId: "t-1", order: order, spooled: false, now: device.clock.now())
        transfer.runner = other.id
        try await store.save(.upload(transfer))

        // A child, so that the time limit reaches it: a runner that tells nothing would keep the test for ever.
        async let told = lastWord(of: "t-1", told: device.home)
        await looks(device.clock)
        // The database cannot be read: nobody is told that it is over.
        try await store.transact { try $0.execute(sql: "ALTER TABLE upload_transfers RENAME TO away") }
        await looks(device.clock)
        try await store.transact { try $0.execute(sql: "ALTER TABLE away RENAME TO upload_transfers") }
        await looks(device.clock)
        try await store.removeAll()

        let end = try #require(await told)
        #expect(end.state == .failed)
        #expect(end.failure?.code == .transferNotFound)
        #expect(end.failure?.words.contains("film.mkv") == true)
        withExtendedLifetime(other) {}
        try await device.close()
    }

    @Test func whatAnotherProgramMovesGoesOnWhenThisOneStops() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let other = try RunnerIdentity(locksFolder: device.home.directory + "/locks")
        let store = TransferStore(database: try ClientDatabase(path: device.home.directory + "/client.sqlite"))
        for (id, runner) in [("theirs", other.id), ("nobody's", "gone"), ("over", other.id)] {
            let order = UploadOrder(localPath: device.folder.file(id), name: id, parentId: "root")
            var transfer = UploadTransfer(transferId: id, order: order, spooled: false, now: device.clock.now())
            transfer.runner = runner
            if id == "over" { transfer.state = .completed }
            try await store.save(.upload(transfer))
        }
        let ids = ["theirs", "nobody's", "over", "unknown"]
        #expect(try await device.home.transfers.countElsewhere(of: ids) == 1)
        await device.home.transfers.stop()
        #expect(try await device.home.transfers.countElsewhere(of: ids) == 1)
        withExtendedLifetime(other) {}
        try await device.close()
    }

    /// Its partial file went, and with it all that the other program had fetched.
    @Test func whatAnotherProgramMovesIsNotBegunFromScratchUnderIt() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let other = try RunnerIdentity(locksFolder: device.home.directory + "/locks")
        let store = TransferStore(database: try ClientDatabase(path: device.home.directory + "/client.sqlite"))
        let order = DownloadOrder(fileId: "f", name: "film", destination: device.folder.file("film"))
        var transfer = DownloadTransfer(transferId: "theirs", order: order, now: device.clock.now())
        transfer.runner = other.id
        try await store.save(.download(transfer))
        try Data([1]).write(to: URL(fileURLWithPath: transfer.tempPath))
        let failure = await #expect(throws: ClientFailure.self) {
            try await device.home.transfers.retryFromScratch("theirs")
        }
        #expect(failure?.code == .refused && failure?.remedy.contains("pause") == true)
        #expect(FileManager.default.fileExists(atPath: transfer.tempPath))
        withExtendedLifetime(other) {}
        try await device.close()
    }

    private func lastWord(of transfer: String, told home: DeviceHome) async -> TransferSnapshot? {
        var last: TransferSnapshot?
        for await snapshot in await home.transfers.observe([transfer]) { last = snapshot }
        return last
    }

    /// Returns when the repository has looked around a few times more.
    private func looks(_ clock: TestClock) async {
        let before = clock.slept.count
        while clock.slept.count < before + 5, !Task.isCancelled { await Task.yield() }
    }
}
