import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

/// Every call of the pack store that changes the disk is made to fail, one after the other.
@Suite struct PackFaultTests {
    private static let blocks = (0..<9).map { Block($0 % 3 == 0 ? 1_300_000 : 3000, seed: UInt64($0)) }

    private struct Outcome: Sendable {
        var kept = [(Block, BlockLocation)]()
        var refusals = [any Error]()
        var wasPoisoned = false
    }

    /// Small and large blocks over several packs, then reclaiming. What was acknowledged is in `kept`.
    private func work(on disk: FaultyDisk, _ folder: TemporaryFolder) async throws -> Outcome {
        var outcome = Outcome()
        let store: FilesystemPackStore
        do {
            store = try await open(folder, disk)
        } catch {
            outcome.refusals.append(error)
            return outcome
        }
        for number in Self.blocks.indices {
            let block = Self.blocks[number]
            do {
                let location =
                    number % 3 == 1
                    ? try await store.keep([WholeBlock(ByteBuffer(bytes: block.bytes))])[0]
                    : try await block.store(in: store)
                outcome.kept.append((block, location))
            } catch {
                outcome.refusals.append(error)
            }
        }
        // The first pack dies whole, of the others every second block.
        let first = outcome.kept.map(\.1.pack).min() ?? 0
        let living = outcome.kept.map(\.1).enumerated().filter { $0.offset % 2 == 0 && $0.element.pack > first }.map(
            \.element)
        outcome.kept = outcome.kept.filter { living.contains($0.1) }
        let mark = await store.reclaimMark()
        do {
            _ = try await store.reclaim(keeping: { pack in living.filter { $0.pack == pack } }, asOf: mark)
        } catch {
            outcome.refusals.append(error)
        }
        do { try store.checkHealth() } catch { outcome.wasPoisoned = true }
        try await store.close()
        return outcome
    }

    private func open(_ folder: TemporaryFolder, _ disk: any DiskOperations) async throws -> FilesystemPackStore {
        try await FilesystemPackStore.open(
            folder: folder.file("packs"), minimumFreeBytes: 0, logger: .silent, disk: disk,
            maximumPackBytes: 2 << 20)
    }

    @Test(arguments: [EIO, ENOSPC])
    func noCallThatFailsPassesForASuccess(_ code: Int32) async throws {
        let whole = FaultyDisk(fault: nil)
        _ = try await work(on: whole, try TemporaryFolder())
        let calls = whole.calls
        #expect(Set(calls) == ["mkdir", "create", "write", "fsync directory", "fdatasync", "punch hole", "unlink"])
        for (index, call) in calls.enumerated() {
            let folder = try TemporaryFolder()
            let outcome = try await work(on: FaultyDisk(fault: .init(call: index, code: code)), folder)
            #expect(!outcome.refusals.isEmpty, "call \(index), \(call), failed and nobody was told")
            #expect(outcome.wasPoisoned == (call == "fdatasync"), "call \(index), \(call)")
            let store = try await open(folder, LocalDisk())
            for (block, location) in outcome.kept {
                let read = try await store.readAll(location, of: block)
                #expect(read == block.bytes, "call \(index), \(call), cost an acknowledged block")
            }
            try await store.close()
        }
    }

    /// In the header, anywhere in the block, and in the table of its checksums.
    @Test(arguments: [700, 70_000, 500_000, 5_000_000], 0..<8)
    func whatTheDiskDoesNotGiveBackAsItWasWrittenIsNotAcknowledged(_ length: Int, _ part: Int) async throws {
        let folder = try TemporaryFolder()
        let whole = Int(PackFormat.recordBytes(length))
        let store = try await open(folder, FaultyDisk(fault: nil, garbled: part * (whole - 1) / 7))
        let block = Block(length, seed: 1)
        await #expect(throws: PackError.self) {
            _ = try await store.keep([WholeBlock(ByteBuffer(bytes: block.bytes))])
        }
        try await store.close()
    }

    @Test func afterAFailedSyncNothingIsTakenUntilTheServerStartsAgain() async throws {
        let folder = try TemporaryFolder()
        let before = try await open(folder, LocalDisk())
        let first = Block(5000, seed: 1)
        let kept = try await first.store(in: before)
        try await before.close()

        let disk = FaultyDisk(fault: .init(call: 3, code: EIO))
        let store = try await open(folder, disk)
        let begun = try await store.begin(length: 10)
        await #expect {
            _ = try await Block(5000, seed: 2).store(in: store)
        } throws: { error in
            if case PackError.poisoned = error { true } else { false }
        }
        #expect(disk.calls == ["mkdir", "open", "write", "fdatasync"])
        await #expect(throws: PackError.self) { _ = try await store.begin(length: 1) }
        await #expect(throws: PackError.self) { try await store.makeDurable() }
        await #expect(throws: PackError.self) { try await begun.append(ByteBuffer(bytes: [1])) }
        #expect(throws: PackError.self) { try store.checkHealth() }
        #expect(disk.calls == ["mkdir", "open", "write", "fdatasync"])
        let read = try await store.readAll(kept, of: first)
        #expect(read == first.bytes)
        try await store.close()

        let again = try await open(folder, LocalDisk())
        try again.checkHealth()
        _ = try await Block(5000, seed: 3).store(in: again)
        try await again.close()
    }

    @Test func manyWhoWaitShareFewSyncs() async throws {
        let disk = FaultyDisk(fault: nil)
        let folder = try TemporaryFolder()
        let store = try await open(folder, disk)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try await Block(4096, seed: UInt64(number)).store(in: store) }
            }
            try await group.waitForAll()
        }
        // How many meet at one is up to the machine; without sharing it is one each.
        #expect(disk.calls.filter { $0 == "fdatasync" }.count < 200)
        // One call for a block, and one for its pack's header.
        #expect(disk.calls.filter { $0 == "write" }.count == 201)
        try await store.close()
    }

    @Test func belowTheRoomToKeepFreeBlocksAreRefusedAndReadingWorks() async throws {
        let folder = try TemporaryFolder()
        let store = try await open(folder, LocalDisk())
        let block = Block(5000, seed: 1)
        let location = try await block.store(in: store)
        try await store.close()
        let full = try await FilesystemPackStore.open(
            folder: folder.file("packs"), minimumFreeBytes: .max / 2, logger: .silent)
        await #expect {
            _ = try await full.begin(length: 1)
        } throws: { error in
            if case PackError.diskFull = error { true } else { false }
        }
        let read = try await full.readAll(location, of: block)
        #expect(read == block.bytes)
        let mark = await full.reclaimMark()
        _ = try await full.reclaim(keeping: { _ in [] }, asOf: mark)
        try await full.close()
    }
}
