import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// The power is cut at a random moment, over and over, on one and the same disk.
@Suite struct PackCrashTests {
    private struct Kept: Sendable {
        var block: Block
        var location: BlockLocation
    }

    private func open(_ disk: ForgetfulDisk) async throws -> FilesystemPackStore {
        try await FilesystemPackStore.open(
            folder: "/packs", minimumFreeBytes: 0, logger: .silent, disk: disk, maximumPackBytes: 3 << 20)
    }

    /// Writes side by side, some blocks to the end, some abandoned half way.
    private func work(_ store: FilesystemPackStore, _ dice: inout SeededGenerator) async throws -> (
        durable: [Kept], lost: [Kept]
    ) {
        var durable = [Kept]()
        var lost = [Kept]()
        for _ in 0..<Int.random(in: 1...6, using: &dice) {
            let block = Block(Int.random(in: 1...900_000, using: &dice), seed: dice.next())
            if Bool.random(using: &dice) {
                durable.append(Kept(block: block, location: try await block.store(in: store)))
            } else {
                lost.append(Kept(block: block, location: try await block.write(to: store)))
            }
            let small = Block(Int.random(in: 1...200_000, using: &dice), seed: dice.next())
            let location = try await store.keep([WholeBlock(ByteBuffer(bytes: small.bytes))])[0]
            durable.append(Kept(block: small, location: location))
            let open = try await store.begin(length: 1_000_000)
            try await open.append(ByteBuffer(repeating: 7, count: Int.random(in: 1...1_000_000, using: &dice)))
            if Bool.random(using: &dice) { await open.abandon() }
        }
        return (durable, lost)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func whatWasAcknowledgedSurvivesAndATornTailIsNeverServed(_ seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        var disk = ForgetfulDisk()
        var durable = [Kept]()
        var lost = [Kept]()
        for _ in 0..<4 {
            let store = try await open(disk)
            let done = try await work(store, &dice)
            // A block that waited for no fdatasync may be covered by another's: whether it is there is luck.
            durable += done.durable
            lost += done.lost
            disk = disk.afterPowerCut(&dice)
            try await store.close()
        }
        let store = try await open(disk)
        for kept in durable {
            let read = try await store.readAll(kept.location, of: kept.block)
            #expect(read == kept.block.bytes)
        }
        for kept in lost {
            do {
                let read = try await store.readAll(kept.location, of: kept.block)
                #expect(read == kept.block.bytes)
            } catch {
                #expect(isDamage(error), "\(error)")
            }
        }
        try await store.close()
    }

    /// The suite notices a store that does not sync.
    @Test func aDiskThatSyncsNothingLosesWhatWasAcknowledged() async throws {
        var losses = 0
        for seed in 0..<10 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            let disk = ForgetfulDisk(syncs: false)
            let store = try await open(disk)
            let block = Block(seed % 2 == 0 ? 500_000 : 50_000, seed: seed)
            let location =
                seed % 2 == 0
                ? try await block.store(in: store)
                : try await store.keep([WholeBlock(ByteBuffer(bytes: block.bytes))])[0]
            let after = try await open(disk.afterPowerCut(&dice))
            do { _ = try await after.readAll(location, of: block) } catch { losses += 1 }
            try await after.close()
            try await store.close()
        }
        #expect(losses == 10)
    }
}
