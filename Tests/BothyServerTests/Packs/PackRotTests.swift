import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

/// Bytes that change on the disk are noticed.
@Suite struct PackRotTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() async throws -> FilesystemPackStore {
        try await FilesystemPackStore.open(folder: folder.file("packs"), minimumFreeBytes: 0, logger: .silent)
    }

    private func change(_ offset: Int64, in pack: Int64, _ body: (UInt8) -> UInt8) throws {
        let path = folder.file("packs") + "/" + PackFormat.fileName(pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([body(byte)]))
        try file.close()
    }

    @Test func everyByteOfARecordIsGuarded() async throws {
        let store = try await open()
        let block = Block(700, seed: 1)
        let location = try await block.store(in: store)
        let start = location.offset - Int64(PackFormat.headerBytes)
        for offset in start..<(start + PackFormat.recordBytes(block.bytes.count)) {
            try change(offset, in: location.pack) { $0 ^ 0x10 }
            await #expect {
                _ = try await store.readAll(location, of: block)
            } throws: {
                isDamage($0)
            }
            try change(offset, in: location.pack) { $0 ^ 0x10 }
        }
        let read = try await store.readAll(location, of: block)
        #expect(read == block.bytes)
        try await store.close()
    }

    @Test func aRottenPageIsNeverServedAndTheOthersStillAre() async throws {
        let store = try await open()
        let block = Block(1_000_000, seed: 2)
        let location = try await block.store(in: store)
        try change(location.offset + 300_000, in: location.pack) { ~$0 }
        let page = 300_000 / PackFormat.pageBytes
        for index in 0..<PackFormat.pageCount(block.bytes.count) {
            let range = (index * PackFormat.pageBytes)..<min((index + 1) * PackFormat.pageBytes, block.bytes.count)
            if index == page {
                await #expect {
                    _ = try await store.read(location, of: block.hash, range: range)
                } throws: {
                    isDamage($0)
                }
            } else {
                let read = try await store.read(location, of: block.hash, range: range)
                #expect(Array(read.readableBytesView) == Array(block.bytes[range]))
            }
        }
        try await store.close()
    }

    @Test func aPageThatLandedInAnothersPlaceIsNoticed() async throws {
        let store = try await open()
        let block = Block(65_536, seed: 3)
        let first = try await block.store(in: store)
        let second = try await Block(65_536, seed: 4).store(in: store)
        try await store.close()
        // The second record whole, over the first: payload and checksums fit each other, the place does not.
        let path = folder.file("packs") + "/" + PackFormat.fileName(first.pack)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let length = Int(PackFormat.recordBytes(65_536))
        let (from, to) = (Int(second.offset) - 64, Int(first.offset) - 64)
        bytes.replaceSubrange(to..<(to + length), with: bytes[from..<(from + length)])
        try bytes.write(to: URL(fileURLWithPath: path))
        let again = try await open()
        await #expect {
            _ = try await again.readAll(first, of: block)
        } throws: {
            isDamage($0)
        }
        try await again.close()
    }

    /// As a pack does whose number was given twice.
    @Test(arguments: [700, 200_000]) func anotherBlocksRecordInTheSamePlaceIsNeverServed(_ length: Int) async throws {
        let lost = Block(length, seed: 8)
        let first = try await open()
        let location = try await lost.store(in: first)
        try await first.close()
        try FileManager.default.removeItem(atPath: folder.file("packs") + "/" + PackFormat.fileName(location.pack))
        let store = try await open()
        let other = Block(length, seed: 9)
        #expect(try await other.store(in: store) == location)
        for range in [0..<length, (length - 1)..<length] {
            await #expect {
                _ = try await store.read(location, of: lost.hash, range: range)
            } throws: {
                isDamage($0)
            }
            let read = try await store.read(location, of: other.hash, range: range)
            #expect(Array(read.readableBytesView) == Array(other.bytes[range]))
        }
        try await store.close()
    }

    @Test func aPackCutShortServesWhatIsWhole() async throws {
        let store = try await open()
        let first = Block(200_000, seed: 5)
        let whole = try await first.store(in: store)
        let last = Block(200_000, seed: 6)
        let torn = try await last.store(in: store)
        try await store.close()
        let path = folder.file("packs") + "/" + PackFormat.fileName(torn.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(torn.offset) + 150_000)
        try file.close()
        let again = try await open()
        let read = try await again.readAll(whole, of: first)
        #expect(read == first.bytes)
        await #expect {
            _ = try await again.readAll(torn, of: last)
        } throws: {
            isDamage($0)
        }
        // What comes next does not land in the torn record's place.
        let next = try await Block(1000, seed: 7).store(in: again)
        #expect(next.offset > torn.offset + 150_000)
        try await again.close()
    }
}
