import BothyContract
import Foundation
import Testing

@testable import BothyServer

/// Compaction that is broken off anywhere loses nothing, and the next one ends what it began.
@Suite struct CompactionCrashTests {
    /// Three files of three in the first pack, of which one is left, and more behind them.
    private func filled(_ house: DataHouse) async throws -> [String: [UInt8]] {
        try await house.addAccount(1, "a@example.org")
        var kept = [String: [UInt8]]()
        var gone = [String]()
        for number in 0..<5 {
            let bytes = Block(600_000, seed: UInt64(number)).bytes
            let id = try await house.put("file \(number)", bytes)
            if number % 2 == 1 { gone.append(id) } else { kept[id] = bytes }
        }
        try await house.deleteForGood(gone)
        return kept
    }

    private func compact(_ house: DataHouse) async throws {
        _ = try await house.compaction.empty(1)
        _ = try await house.collection.reclaim()
    }

    private func expectAll(_ kept: [String: [UInt8]], in house: DataHouse) async throws {
        for (id, bytes) in kept {
            let read = try await house.read(id)
            #expect(read == bytes)
        }
        #expect(try await house.verification.run().damaged.isEmpty)
    }

    /// - Returns: the calls of a compaction that meets no fault.
    private func calls() async throws -> Range<Int> {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        _ = try await filled(house)
        let before = disk.calls.count
        try await compact(house)
        #expect(disk.calls[before...].contains("unlink"))
        try await house.close()
        return before..<disk.calls.count
    }

    @Test func whicheverCallOfTheDiskFailsNothingIsLost() async throws {
        for call in try await calls() {
            let house = try await DataHouse(disk: FaultyDisk(fault: .init(call: call, code: EIO)))
            let kept = try await filled(house)
            // A call that only hastens or gives back room may fail unseen.
            do { try await compact(house) } catch is PackError {}
            try await expectAll(kept, in: house)
            do { try await house.close() } catch is PackError {}
            let again = try await DataHouse(at: house.data)
            try await expectAll(kept, in: again)
            try await compact(again)
            try await expectAll(kept, in: again)
            let left = try await again.packs.fullPacks().map(\.pack)
            #expect(!left.contains(1), "call \(call)")
            try await again.close()
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func aPowerCutAtAnyCallLosesNothing(_ seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let disk = ForgetfulDisk()
        let house = try await DataHouse(disk: disk)
        let kept = try await filled(house)
        disk.die(afterCalls: Int.random(in: 0...30, using: &dice))
        do { try await compact(house) } catch is PackError {}
        // A disk that is dead takes no last sync either.
        do { try await house.close() } catch is PackError {}
        let after = disk.afterPowerCut(&dice)
        let again = try await DataHouse(at: house.data, disk: after)
        try await expectAll(kept, in: again)
        try await compact(again)
        try await expectAll(kept, in: again)
        try await again.close()
    }
}
