import BothyContent
import BothyContract
import Testing

@testable import BothyClient

/// Uploads that stood as «waiting to be resumed» though their files had arrived.
@Suite struct LeftOverUploadsTests {
    private func device() async throws -> TestDevice { try await TestDevice("http://127.0.0.1:9") }

    /// As whoever was stopped before the answer came leaves it.
    private func stopped(
        _ id: String, on device: TestDevice, from folder: String? = nil, state: TransferState = .paused(.stopped),
        by runner: RunnerIdentity? = nil
    ) async throws {
        let pending = await device.home.replica.content.pendingFolder
        let folder = folder ?? pending
        var transfer = UploadTransfer(
            transferId: id, order: UploadOrder(localPath: "\(folder)/\(id)", name: id, parentId: File.rootId),
            now: device.clock.now())
        transfer.hasKeeper = true
        transfer.state = state
        transfer.runner = runner?.id
        try await device.home.transfers.store.save(.upload(transfer))
    }

    private func states(_ device: TestDevice) async throws -> [String: TransferState] {
        let all = try await device.home.transfers.list(over: true)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.state) })
    }

    @Test func whatHasArrivedIsDoneAndWhatTheJournalStillHasStays() async throws {
        let device = try await device()
        try await stopped("arrived", on: device)
        try await stopped("waits", on: device)
        try await stopped("elsewhere", on: device, from: device.folder.file("sync"))
        let path = await device.home.replica.content.pendingPath("waits")
        let content = PendingContent(
            path: path, size: 1, checksum: SHA256Hasher.hash([1]),
            modifiedAt: device.clock.now(), owned: true)
        try await device.home.replica.record(
            .upload(parent: .root, name: "waits", content: content, conflict: .fork), requestId: "waits")
        try await device.home.endLeftOverUploads()
        #expect(
            try await states(device)
                == ["arrived": .completed, "waits": .paused(.stopped), "elsewhere": .paused(.stopped)])
        try await device.close()
    }

    @Test func whatWasGivenUpHereIsCanceled() async throws {
        let device = try await device()
        try await stopped("given up", on: device)
        let note = GivenUpNoteTable.Note(path: "/a", reason: .discarded, mimeType: nil, at: device.clock.now())
        try await device.home.replica.store().transact { db in
            try GivenUpNoteTable.insert(note, named: "given up", in: db)
        }
        try await device.home.endLeftOverUploads()
        #expect(try await states(device) == ["given up": .canceled])
        try await device.close()
    }

    /// The agent stops it where another command has heard of the file first, and lives on.
    @Test func whatALivingProcessHasStoppedIsDoneAndWhatItMovesStays() async throws {
        let device = try await device()
        let agent = try RunnerIdentity(locksFolder: device.folder.file("home/locks"))
        try await stopped("stopped", on: device, by: agent)
        try await stopped("moves", on: device, state: .transferring, by: agent)
        try await device.home.endLeftOverUploads()
        #expect(try await states(device) == ["stopped": .completed, "moves": .transferring])
        withExtendedLifetime(agent) {}
        try await device.close()
    }
}
