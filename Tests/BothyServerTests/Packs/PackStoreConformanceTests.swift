import BothyContent
import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// What the server relies on in every place where blocks lie.
@Suite struct PackStoreConformanceTests {
    /// Around the bounds of a page (64 KiB), of a gathering (512 KiB), and of what a block may be.
    static let lengths = [
        1, 4096, 65_535, 65_536, 65_537, 131_072, 524_287, 524_288, 524_289, 1_500_000,
        FilesystemPackStore.maximumBlockBytes,
    ]

    private func withStore(_ driver: PackStoreDriver, _ body: (any PackStore) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try await driver.open(folder)
        try await body(store)
        try await store.close()
    }

    @Test(arguments: PackStoreDriver.all, lengths)
    func everyRangeOfABlockComesBack(_ driver: PackStoreDriver, _ length: Int) async throws {
        try await withStore(driver) { store in
            let block = Block(length, seed: UInt64(length))
            let location = try await block.store(in: store, pieces: 50_021)
            #expect(location.length == length)
            let all = try await store.readAll(location, of: block)
            #expect(all == block.bytes)
            let edges = [0, 1, 65_535, 65_536, 65_537, length / 2, length - 1, length].filter {
                (0...length).contains($0)
            }
            for first in edges {
                for last in edges where last >= first {
                    let read = try await store.read(location, of: block.hash, range: first..<last)
                    #expect(
                        Array(read.readableBytesView) == Array(block.bytes[first..<last]), "bytes \(first)..<\(last)")
                }
            }
        }
    }

    @Test(arguments: PackStoreDriver.all, lengths)
    func aBlockKeptInOneStepIsThatOfManySteps(_ driver: PackStoreDriver, _ length: Int) async throws {
        try await withStore(driver) { store in
            let block = Block(length, seed: UInt64(length))
            let location = try await store.keep([WholeBlock(ByteBuffer(bytes: block.bytes))])[0]
            let read = try await store.readAll(location, of: block)
            #expect(location.length == length && read == block.bytes)
        }
    }

    @Test(arguments: PackStoreDriver.all, [130_000, 900_000])
    func blocksKeptTogetherAreReadEachByItself(_ driver: PackStoreDriver, _ longest: Int) async throws {
        try await withStore(driver) { store in
            let blocks = [1, 64, 4096, 65_536, 65_537, longest, 7].enumerated().map { Block($1, seed: UInt64($0)) }
            for _ in 0..<3 {
                let locations = try await store.keep(
                    blocks.map { WholeBlock(ByteBuffer(bytes: $0.bytes)) })
                #expect(Set(locations).count == blocks.count)
                for (block, location) in zip(blocks, locations) {
                    let read = try await store.readAll(location, of: block)
                    #expect(read == block.bytes)
                }
            }
            let none = try await store.keep([])
            #expect(none.isEmpty)
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func aPlaceIsReadOnlyAsTheBlockThatLiesThere(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let (block, other) = (Block(200_000, seed: 1), Block(200_000, seed: 2))
            let location = try await block.store(in: store)
            for range in [0..<10, 150_000..<200_000, 0..<200_000] {
                await #expect {
                    _ = try await store.read(location, of: other.hash, range: range)
                } throws: {
                    isDamage($0)
                }
            }
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func blocksWrittenSideBySideDoNotMix(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let blocks = (0..<40).map { Block($0 % 3 == 0 ? 4096 : 700_000 + $0 * 1000, seed: UInt64($0)) }
            let locations = try await withThrowingTaskGroup(of: (Int, BlockLocation).self) { group in
                for (index, block) in blocks.enumerated() {
                    group.addTask { (index, try await block.store(in: store, pieces: 10_000 + index)) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(Set(locations.values).count == blocks.count)
            for (index, location) in locations {
                let read = try await store.readAll(location, of: blocks[index])
                #expect(read == blocks[index].bytes)
            }
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func abandonedBlocksTakeNothingFromTheOthers(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let abandoned = try await store.begin(length: 2_000_000)
            try await abandoned.append(ByteBuffer(repeating: 1, count: 1_200_000))
            let block = Block(900_000, seed: 3)
            let location = try await block.store(in: store)
            await abandoned.abandon()
            let after = try await Block(100, seed: 4).store(in: store)
            let read = try await store.readAll(location, of: block)
            #expect(read == block.bytes)
            #expect(after.length == 100)
            await #expect(throws: PackError.self) { try await abandoned.append(ByteBuffer(bytes: [1])) }
            await #expect(throws: PackError.self) { _ = try await abandoned.finish(hash: block.hash) }
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func bytesThatAreTooManyOrTooFewAreNoBlock(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let block = Block(100, seed: 1)
            let short = try await store.begin(length: 101)
            try await short.append(ByteBuffer(bytes: block.bytes))
            await #expect(throws: PackError.self) { _ = try await short.finish(hash: block.hash) }
            let long = try await store.begin(length: 99)
            await #expect(throws: PackError.self) { try await long.append(ByteBuffer(bytes: block.bytes)) }
            await #expect(throws: PackError.self) { _ = try await long.finish(hash: block.hash) }
            for length in [0, -1, FilesystemPackStore.maximumBlockBytes + 1, .max] {
                await #expect(throws: PackError.self) { _ = try await store.begin(length: length) }
            }
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func placesThatAreNotThereAreRefused(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let block = Block(70_000, seed: 1)
            let location = try await block.store(in: store)
            for place in [
                BlockLocation(pack: location.pack + 7, offset: location.offset, length: 10),
                BlockLocation(pack: location.pack, offset: location.offset + 1, length: location.length),
                BlockLocation(pack: location.pack, offset: location.offset, length: location.length - 1),
                BlockLocation(pack: location.pack, offset: 1 << 40, length: 10),
            ] {
                await #expect(throws: PackError.self) { _ = try await store.read(place, of: block.hash, range: 0..<10) }
            }
            for range in [-1..<1, 0..<(location.length + 1)] {
                await #expect(throws: PackError.self) {
                    _ = try await store.read(location, of: block.hash, range: range)
                }
            }
            let empty = try await store.read(location, of: block.hash, range: 5..<5)
            #expect(empty.readableBytes == 0)
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func whatWasKeptIsThereAfterOpeningAgainAndNothingIsOverwritten(_ driver: PackStoreDriver) async throws {
        let folder = try TemporaryFolder()
        var kept = [(Block, BlockLocation)]()
        for round in 0..<4 {
            let store = try await driver.open(folder)
            for number in 0..<5 {
                let block = Block(number == 0 ? 1_500_000 : 5000, seed: UInt64(round * 10 + number))
                kept.append((block, try await block.store(in: store)))
            }
            for (block, location) in kept {
                let read = try await store.readAll(location, of: block)
                #expect(read == block.bytes)
            }
            try await store.close()
        }
        #expect(Set(kept.map(\.1)).count == kept.count)
    }

    @Test(arguments: PackStoreDriver.all)
    func reclaimingGivesBackTheDeadAndLeavesTheLiving(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            var living = [(Block, BlockLocation)]()
            for number in 0..<40 {
                let block = Block(500_000, seed: UInt64(number))
                let location = try await block.store(in: store)
                // The first packs die whole, of the others every second block.
                if number > 20, number % 2 == 0 { living.append((block, location)) }
            }
            let open = try await store.begin(length: 900_000)
            let openBlock = Block(900_000, seed: 99)
            try await open.append(ByteBuffer(bytes: openBlock.bytes[..<800_000]))
            let mark = await store.reclaimMark()
            let late = Block(600_000, seed: 100)
            let lateLocation = try await late.store(in: store)
            let before = try store.usage()
            let locations = living.map(\.1)
            let freed = try await store.reclaim(keeping: { pack in locations.filter { $0.pack == pack } }, asOf: mark)
            let after = try store.usage()
            #expect(freed > 10_000_000)
            #expect(before.usedBytes - after.usedBytes == freed)
            #expect(after.packs < before.packs)
            try await open.append(ByteBuffer(bytes: openBlock.bytes[800_000...]))
            let openLocation = try await open.finish(hash: openBlock.hash)
            for (block, location) in living + [(late, lateLocation), (openBlock, openLocation)] {
                let read = try await store.readAll(location, of: block)
                #expect(read == block.bytes)
            }
            let again = try await store.reclaim(keeping: { pack in locations.filter { $0.pack == pack } }, asOf: mark)
            #expect(again == 0)
        }
    }

    /// What is below the mark may be given back, so it must hold everything that is finished and nothing that is not.
    @Test(arguments: PackStoreDriver.all)
    func theMarkLiesAfterWhatIsFinishedAndBeforeWhatIsStillWritten(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let finished = try await Block(300_000, seed: 1).store(in: store)
            let quiet = await store.reclaimMark()
            #expect(quiet > ReclaimMark(pack: finished.pack, offset: finished.offset), "the mark is at the pack's head")
            let block = Block(400_000, seed: 2)
            let open = try await store.begin(length: block.bytes.count)
            try await open.append(ByteBuffer(bytes: block.bytes[..<100_000]))
            let late = try await Block(200_000, seed: 3).store(in: store)
            let busy = await store.reclaimMark()
            try await open.append(ByteBuffer(bytes: block.bytes[100_000...]))
            let ended = try await open.finish(hash: block.hash)
            #expect(busy <= ReclaimMark(pack: ended.pack, offset: ended.offset), "the mark passes an open block")
            #expect(busy > ReclaimMark(pack: finished.pack, offset: finished.offset))
            let after = await store.reclaimMark()
            for location in [late, ended] { #expect(after > ReclaimMark(pack: location.pack, offset: location.offset)) }
        }
    }

    @Test(arguments: PackStoreDriver.all)
    func aBackupIsNeverReclaimedUnder(_ driver: PackStoreDriver) async throws {
        try await withStore(driver) { store in
            let block = Block(5_000_000, seed: 1)
            let location = try await block.store(in: store)
            _ = try await Block(5_000_000, seed: 2).store(in: store)
            let mark = await store.reclaimMark()
            let reclaiming = try await store.withoutReclaim {
                let reclaiming = Task { try await store.reclaim(keeping: { _ in [] }, asOf: mark) }
                for _ in 0..<20 {
                    let read = try await store.readAll(location, of: block)
                    #expect(read == block.bytes)
                }
                return reclaiming
            }
            _ = try await reclaiming.value
            await #expect(throws: PackError.self) { _ = try await store.readAll(location, of: block) }
        }
    }
}
