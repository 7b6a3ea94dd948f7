import BothyContract
import Foundation
import Testing

@testable import BothyServer

@Suite struct BackupTests {
    private let elsewhere: TemporaryFolder

    init() throws { elsewhere = try TemporaryFolder() }

    private func restore(_ folder: String, to name: String) async throws -> (DataHouse, Restore.Report) {
        let data = DataFolder(path: elsewhere.file(name))
        let report = try await Restore(clock: TestClock()).run(from: folder, to: data)
        return (try await DataHouse(at: data), report)
    }

    @Test func aBackupTakenUnderLoadIsRestoredWhole() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        for number in 0..<20 { try await house.put("before \(number)", Block(100_000, seed: UInt64(number)).bytes) }
        let folder = elsewhere.file("backup")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<40 {
                        let block = Block(20_000 + task, seed: UInt64(1000 + task * 100 + number))
                        try await house.put("during \(task) \(number)", block.bytes)
                    }
                }
            }
            group.addTask { _ = try await house.backup.run(to: folder) }
            try await group.waitForAll()
        }
        // All files are put; what the restored server knows of them is whole.
        let (restored, report) = try await restore(folder, to: "restored")
        let check = try await restored.verification.run()
        #expect(check.damaged.isEmpty)
        #expect(check.blocks >= 20)
        #expect(report.epoch > ServerEpoch.first)
        let epoch = try await restored.database.read { try ServerEpoch.read($0) }
        #expect(epoch == report.epoch)
        let written = try await restored.export.run(to: elsewhere.file("out"), email: nil)
        #expect(written.leftOut.isEmpty)
        #expect(written.files == check.blocks)
        try await restored.close()
        try await house.close()
    }

    /// A disk that is not mounted leaves a server that begins anew; its nightly backup must not take the good one's place.
    @Test func theBackupOfAnotherLifeIsLeftAsItIs() async throws {
        let folder = elsewhere.file("backup")
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.put("kept", Block(50_000, seed: 1).bytes)
        try await house.beginLife("first")
        _ = try await house.backup.run(to: folder)
        _ = try await house.backup.run(to: folder)
        let before = try DataHouse.tree(folder)

        let other = try await DataHouse()
        try await other.addAccount(1, "b@example.org")
        try await other.put("new", Block(50_000, seed: 2).bytes)
        try await other.beginLife("second")
        await #expect(throws: ServerFault.self) { _ = try await other.backup.run(to: folder) }
        #expect(try DataHouse.tree(folder) == before)

        // One that was broken off before its database was in place has packs all the same.
        let begun = elsewhere.file("begun")
        try FileManager.default.copyItem(atPath: folder, toPath: begun)
        try FileManager.default.removeItem(atPath: begun + "/bothy.sqlite")
        await #expect(throws: ServerFault.self) { _ = try await other.backup.run(to: begun) }
        _ = try await house.backup.run(to: begun)

        let (restored, _) = try await restore(folder, to: "restored")
        await #expect(throws: ServerFault.self) { _ = try await restored.backup.run(to: folder) }
        #expect(try DataHouse.tree(folder) == before)
        try await restored.close()
        try await other.close()
        try await house.close()
    }

    @Test func theNextBackupCopiesOnlyWhatIsNew() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = elsewhere.file("backup")
        try await house.put("first", Block(3_000_000, seed: 1).bytes)
        let first = try await house.backup.run(to: folder)
        #expect(first.copiedBytes > 3_000_000)
        let nothing = try await house.backup.run(to: folder)
        #expect(nothing.copiedBytes == 0)
        try await house.put("second", Block(40_000, seed: 2).bytes)
        let second = try await house.backup.run(to: folder)
        #expect((40_000..<50_000).contains(second.copiedBytes))
        try await house.close()
        let (restored, _) = try await restore(folder, to: "restored")
        let check = try await restored.verification.run()
        #expect(check.blocks == 2)
        #expect(check.damaged.isEmpty)
        try await restored.close()
    }

    /// Blocks stream side by side, so a pack may have room in its midst that is filled only after a backup has passed; and what
    /// is finished is committed later, perhaps after the next one.
    @Test(arguments: [false, true])
    func whatWasStillBeingWrittenIsInTheBackupAfterItsCommit(isCommittedLate: Bool) async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = elsewhere.file("backup")
        let slow = Block(1_000_000, seed: 1)
        try await house.writes.during(in: house.packs) {
            let writer = try await house.packs.begin(length: slow.bytes.count)
            try await writer.append(.init(bytes: slow.bytes[..<700_000]))
            try await house.put("quick", Block(300_000, seed: 2).bytes)
            _ = try await house.backup.run(to: folder)
            try await writer.append(.init(bytes: slow.bytes[700_000...]))
            let location = try await writer.finish(hash: slow.hash)
            try await house.packs.makeDurable()
            if isCommittedLate { _ = try await house.backup.run(to: folder) }
            try await house.database.write { db in
                _ = try BlockTable(db, drive: 1).add(slow.hash, at: location, lived: 0)
            }
        }
        _ = try await house.backup.run(to: folder)
        try await house.close()
        let (restored, _) = try await restore(folder, to: "restored")
        let check = try await restored.verification.run()
        #expect(check.blocks == 2)
        #expect(check.damaged.isEmpty)
        try await restored.close()
    }

    /// Whatever becomes of the next backup, and though the room of what was deleted has been given back since.
    @Test func aBackupThatIsBrokenOffLeavesTheOneBeforeItWhole() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        // Someone who writes slowly keeps the first backup from knowing that the pack is settled.
        let writer = try await house.packs.begin(length: 10)
        var ids = [String]()
        for number in 0..<5 { ids.append(try await house.put("\(number)", Block(100_000, seed: UInt64(number)).bytes)) }
        let folder = elsewhere.file("backup")
        _ = try await house.backup.run(to: folder)
        await writer.abandon()
        try await house.deleteForGood([ids[1], ids[3]])
        #expect(try await house.collection.run().freedBytes > 150_000)
        try await house.put("new", Block(100_000, seed: 9).bytes)
        var (brokenOff, isWhole) = (0, false)
        while !isWhole {
            let name = "backup \(brokenOff)"
            try FileManager.default.copyItem(atPath: folder, toPath: elsewhere.file(name))
            if brokenOff.isMultiple(of: 2) {
                try FileManager.default.removeItem(atPath: elsewhere.file(name) + "/packs/copied.list")
            }
            disk.fail(after: brokenOff, code: EIO)
            do {
                _ = try await house.backup.run(to: elsewhere.file(name))
                isWhole = true
            } catch {
                brokenOff += 1
            }
            let (restored, _) = try await restore(elsewhere.file(name), to: "restored \(name)")
            let check = try await restored.verification.run()
            #expect(check.blocks == (isWhole ? 4 : 5) && check.damaged.isEmpty, "broken off at call \(brokenOff)")
            try await restored.close()
        }
        #expect(brokenOff > 3)
        try await house.close()
    }

    @Test func oneBackupAtATimeGoesIntoAFolder() async throws {
        let house = try await DataHouse()
        let folder = elsewhere.file("backup")
        _ = try await house.backup.run(to: folder)
        let before = try DataHouse.tree(folder)
        let lock = try #require(try BackupLock(folder: folder))
        let fault = await #expect(throws: ServerFault.self) { _ = try await house.backup.run(to: folder) }
        #expect(fault?.kind == .locked)
        #expect(try DataHouse.tree(folder) == before)
        withExtendedLifetime(lock) {}
        try await house.close()
    }

    /// Half of what is being written and half of what was there would be nobody's data.
    @Test func aBackupThatIsBeingWrittenIsNotRestoredAndOneThatIsRestoredNotWritten() async throws {
        let house = try await DataHouse()
        let folder = elsewhere.file("backup")
        _ = try await house.backup.run(to: folder)
        let new = DataFolder(path: elsewhere.file("new"))
        var writing = try BackupLock(folder: folder)
        #expect(writing != nil)
        let restoring = await #expect(throws: ServerFault.self) {
            _ = try await Restore(clock: TestClock()).run(from: folder, to: new)
        }
        #expect(restoring?.kind == .locked)
        #expect(!FileManager.default.fileExists(atPath: new.path))
        withExtendedLifetime(writing) {}
        writing = nil

        let reading = try #require(try BackupLock(folder: folder, isShared: true))
        let backup = await #expect(throws: ServerFault.self) { _ = try await house.backup.run(to: folder) }
        #expect(backup?.kind == .locked)
        // Others read it, too.
        _ = try await Restore(clock: TestClock()).run(from: folder, to: new)
        withExtendedLifetime(reading) {}
        try await house.close()
    }

    /// It may lie on a disk that is mounted read-only.
    @Test func nothingOfABackupIsOpenedForWritingToRestoreIt() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.put("kept", Block(50_000, seed: 1).bytes)
        let folder = elsewhere.file("backup")
        _ = try await house.backup.run(to: folder)
        try await house.close()
        let disk = FaultyDisk(fault: nil)
        let packs = elsewhere.file("packs")
        #expect(try FilesystemPackStore.copy(from: folder + "/packs", to: packs, disk: disk) > 50_000)
        #expect(!disk.calls.contains("open") && disk.calls.contains("create"))
    }

    @Test func packsThatAreGoneLeaveTheBackupToo() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = elsewhere.file("backup")
        for number in 0..<3 { try await house.put("file", Block(1_900_000, seed: UInt64(number)).bytes) }
        _ = try await house.backup.run(to: folder)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder + "/packs").count
        try await house.database.write { _ = try $0.execute("DELETE FROM blocks WHERE pack = 1") }
        _ = try await house.collection.run()
        _ = try await house.backup.run(to: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/packs").count == before - 1)
        try await house.close()
    }

    @Test func twoRestoresFromOneBackupAreTwoLives() async throws {
        let house = try await DataHouse()
        let folder = elsewhere.file("backup")
        _ = try await house.backup.run(to: folder)
        try await house.close()
        let clock = TestClock()
        let first = try await Restore(clock: clock).run(from: folder, to: DataFolder(path: elsewhere.file("one")))
        clock.advance(seconds: 60)
        let second = try await Restore(clock: clock).run(from: folder, to: DataFolder(path: elsewhere.file("two")))
        #expect(first.epoch != second.epoch)
    }

    @Test func nothingIsOverwritten() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = elsewhere.file("backup")
        await #expect(throws: ServerFault.self) { _ = try await house.backup.run(to: house.data.path) }
        await #expect(throws: ServerFault.self) {
            _ = try await house.backup.run(to: house.data.path + "/packs/backup")
        }
        let foreign = elsewhere.file("foreign")
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign + "/letter.txt"))
        await #expect(throws: ServerFault.self) { _ = try await house.backup.run(to: foreign) }
        await #expect(throws: ServerFault.self) {
            _ = try await Restore(clock: TestClock()).run(from: foreign, to: DataFolder(path: elsewhere.file("new")))
        }
        _ = try await house.backup.run(to: folder)
        let inUse = house.data
        await #expect(throws: ServerFault.self) {
            _ = try await Restore(clock: TestClock()).run(from: folder, to: inUse)
        }
        try await house.close()
        await #expect(throws: ServerFault.self) {
            _ = try await Restore(clock: TestClock()).run(from: folder, to: inUse)
        }
    }
}
