import BothyContract
import Foundation
import GRDB
import Testing

@testable import BothyClient

/// Whoever watches a transfer whose record cannot be read does not wait for ever.
@Suite struct UnreadableTransferTests {
    private func told(of ids: [String], by home: DeviceHome) async -> [TransferSnapshot] {
        var told = [TransferSnapshot]()
        for await snapshot in await home.transfers.observe(ids) { told.append(snapshot) }
        return told
    }

    private func database(_ device: TestDevice) throws -> TransferStore {
        TransferStore(database: try ClientDatabase(path: device.home.directory + "/client.sqlite"))
    }

    @Test(.timeLimit(.minutes(2))) func aTransferThatIsNotThereIsNotWaitedFor() async throws {
        let device = try await TestDevice(try await FakeServer().origin)
        async let told = told(of: ["nobody's"], by: device.home)
        #expect(await told.isEmpty)
        try await device.close()
    }

    @Test(.timeLimit(.minutes(2))) func aDatabaseThatCannotBeReadIsNotWaitedForWithoutEnd() async throws {
        let device = try await TestDevice(try await FakeServer().origin)
        let store = try database(device)
        try await store.transact { try $0.execute(sql: "ALTER TABLE upload_transfers RENAME TO away") }
        let began = device.clock.uptime()
        async let told = told(of: ["t-1"], by: device.home)
        #expect(await told.isEmpty)
        #expect(device.clock.uptime() - began >= TransfersRepository.readingPatience, "and not given up at once")
        await #expect(throws: ClientFailure.self) { try await device.home.transfers.snapshot("t-1") }
        try await store.transact { try $0.execute(sql: "ALTER TABLE away RENAME TO upload_transfers") }
        try await device.close()
    }

    @Test(.timeLimit(.minutes(2))) func aProgramThatStopsWaitsForNoDatabase() async throws {
        let device = try await TestDevice(try await FakeServer().origin)
        let store = try database(device)
        try await store.transact { try $0.execute(sql: "ALTER TABLE upload_transfers RENAME TO away") }
        let stream = await device.home.transfers.observe(["t-1"])
        await device.home.transfers.stop()
        async let told = stream.reduce(into: 0) { count, _ in count += 1 }
        #expect(await told == 0)
        try await store.transact { try $0.execute(sql: "ALTER TABLE away RENAME TO upload_transfers") }
        try await device.close()
    }

    /// A newer Bothy's, or a damaged one: it was left out, and a transfer had failed without a word.
    @Test func whyATransferFailedIsAFailureAlsoWhereItCannotBeRead() throws {
        #expect(TransferSQL.failure(nil) == nil)
        let known = TransferFailure(.quotaExceeded, "Full.")
        #expect(TransferSQL.failure(try TransferSQL.text(known)) == known)
        for text in ["", "{", "{\"code\":7}"] {
            let failure = try #require(TransferSQL.failure(text))
            #expect(failure.code == .unexpected && failure.words.contains("can no longer be read"))
        }
        let newer = try #require(
            TransferSQL.failure("{\"code\":\"of_tomorrow\",\"words\":\"It rained.\",\"remedy\":\"Wait.\"}"))
        #expect(newer.code == .unexpected && newer.words == "It rained." && newer.remedy == "Wait.")
    }
}
