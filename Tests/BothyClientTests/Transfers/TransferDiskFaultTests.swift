import BothyClient
import BothyContract
import Foundation
import Testing

@Suite struct TransferDiskFaultTests {
    private func content(_ size: Int) -> [UInt8] {
        var random = SeededRandom(77)
        return random.bytes(size)
    }

    /// The call fails once; the download says so and promotes nothing; the next try succeeds.
    @Test(
        arguments: [
            FaultyDisk.Call.openForWriting, .write, .truncate, .read, .sync, .rename, .syncFolder, .freeBytes, .setMode,
            .setModified,
        ], [EIO, ENOSPC])
    func aDiskThatFailsADownloadMakesNoFalseSuccess(call: FaultyDisk.Call, code: Int32) async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let bytes = content(9 << 20)
        let file = await server.drive.store(bytes, name: "a")
        disk.fail(call, after: call == .write ? 3 : 0, code: code)
        let failed = try await device.get(file.id, to: device.folder.file("out"))
        #expect(disk.happened)
        #expect(failed.state == .failed)
        #expect(failed.failure?.code == (code == ENOSPC ? .diskFull : .diskFailed))
        let end = try await device.get(file.id, to: device.folder.file("out"))
        #expect(end.state == .completed)
        #expect(try device.folder.read("out") == bytes)
        try await device.close()
    }

    /// The record's sync fails while the file is about to be put in its place: the sync before that would find nothing wrong any more.
    @Test func whatOneSyncLostNoOtherMakesGood() async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let file = await server.drive.store(content(1 << 20), name: "a")
        disk.slowness = 200_000
        disk.fail(.sync)
        let failed = try await device.get(file.id, to: device.folder.file("out"))
        #expect(failed.failure?.code == .diskFailed)
        #expect(try device.folder.names() == ["home"])
        try await device.close()
    }

    /// So that a power cut leaves no record that is ahead of the bytes.
    @Test func aRecordSaysOfNoByteThatItIsHereBeforeItsSync() async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let bytes = content(40 << 20)
        let file = await server.drive.store(bytes, name: "a")
        // A chunk of 4 MiB is read in pieces of 1 MiB to be hashed, once it is there.
        disk.fail(.read, after: 3)
        let broken = try await device.get(file.id, to: device.folder.file("out"))
        #expect(broken.state == .failed)
        #expect(broken.bytesDone > 0)
        #expect(disk.unsynced == 0)
        #expect(try await device.get(file.id, to: device.folder.file("out")).state == .completed)
        #expect(try device.folder.read("out") == bytes)
        try await device.close()
    }

    /// It stands there whole, but a power cut might take it away again.
    @Test func whatStandsInItsPlaceIsNotThereBeforeItsSync() async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let bytes = content(1 << 20)
        let file = await server.drive.store(bytes, name: "a")
        for _ in 0..<3 {
            disk.fail(.syncFolder)
            let failed = try await device.get(file.id, to: device.folder.file("out"))
            #expect(disk.happened)
            #expect(failed.failure?.code == .diskFailed)
            #expect(try device.folder.read("out") == bytes)
        }
        let end = try await device.get(file.id, to: device.folder.file("out"))
        #expect(end.state == .completed)
        #expect(await server.drive.count("content") == 1)
        try await device.close()
    }

    @Test func whatASyncMayHaveLostIsFetchedAgain() async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let bytes = content(40 << 20)
        let file = await server.drive.store(bytes, name: "a")
        disk.fail(.sync)
        let broken = try await device.get(file.id, to: device.folder.file("out"))
        #expect(disk.happened)
        #expect(broken.failure?.code == .diskFailed)
        #expect(try device.folder.names() == ["home"])
        let whole = try await device.get(file.id, to: device.folder.file("out"))
        #expect(whole.state == .completed)
        #expect(whole.bytesMoved == Int64(bytes.count))
        #expect(try device.folder.read("out") == bytes)
        try await device.close()
    }

    @Test func aDiskWithoutRoomIsNoticedBeforeAByteIsFetched() async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let file = await server.drive.store(content(9 << 20), name: "a")
        disk.setFree(1 << 20)
        let end = try await device.get(file.id, to: device.folder.file("out"))
        #expect(end.failure?.code == .diskFull)
        #expect(await server.drive.count("content") == 0)
        disk.setFree(nil)
        #expect(try await device.get(file.id, to: device.folder.file("out")).state == .completed)
        try await device.close()
    }

    @Test(arguments: [FaultyDisk.Call.openForReading, .read]) func aSourceThatCannotBeReadIsNamed(
        call: FaultyDisk.Call
    ) async throws {
        let server = try await FakeServer()
        let disk = FaultyDisk()
        let device = try await TestDevice(server.origin, disk: disk)
        let path = try device.folder.write("source", content(9 << 20))
        disk.fail(call, after: 1, code: EACCES)
        if call == .openForReading { disk.fail(call, code: EACCES) }
        let failed = try await device.put(path)
        #expect(failed.state == .failed)
        #expect(failed.failure?.code == .permissionDenied)
        #expect(try await device.put(path).state == .completed)
        try await device.close()
    }

    @Test func aSourceThatGrowsOrShrinksDuringItsUploadIsSentAsItIsThen() async throws {
        for size in [1 << 20, 12 << 20] {
            let server = try await FakeServer()
            let device = try await TestDevice(server.origin)
            let path = try device.folder.write("source", content(9 << 20))
            let newer = content(size)
            // The first answer of the session comes when the source is another one already.
            let changing = Task {
                while await server.drive.count("start") == 0 { await Task.yield() }
                try device.folder.write("source", newer)
            }
            let end = try await device.put(path)
            try await changing.value
            #expect(end.state == .completed)
            #expect(await server.drive.contents.values.contains(newer))
            try await device.close()
        }
    }

    @Test func aSourceThatVanishesDuringItsUploadIsNamed() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let path = try device.folder.write("source", content(9 << 20))
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let id = try await device.put(path).id
        try FileManager.default.removeItem(atPath: path)
        try await device.home.transfers.retry(id)
        let end = try await device.rest(id)
        #expect(end.state == .failed)
        #expect(end.failure?.code == .fileMissing)
        try await device.close()
    }
}
