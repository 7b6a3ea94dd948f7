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
                _ = try await store.readAll(location)
            } throws: {
                isDamage($0)
            }
            try change(offset, in: location.pack) { $0 ^ 0x10 }
        }
        let read = try await store.readAll(location)
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
                    _ = try await store.read(location, range: range)
                } throws: {
                    isDamage($0)
                }
            } else {
                let read = try await store.read(location, range: range)
                #expect(Array(read.readableBytesView) == Array(block.bytes[range]))
            }
        }
        try await store.close()
    }

    @Test func aPageThatLandedInAnothersPlaceIsNoticed() async throws {
        let store = try await open()
        let first = try await Block(65_536, seed: 3).store(in: store)
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
            _ = try await again.readAll(first)
        } throws: {
            isDamage($0)
        }
        try await again.close()
    }

    @Test func aPackCutShortServesWhatIsWhole() async throws {
        let store = try await open()
        let first = Block(200_000, seed: 5)
        let whole = try await first.store(in: store)
        let torn = try await Block(200_000, seed: 6).store(in: store)
        try await store.close()
        let path = folder.file("packs") + "/" + PackFormat.fileName(torn.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(torn.offset) + 150_000)
        try file.close()
        let again = try await open()
        let read = try await again.readAll(whole)
        #expect(read == first.bytes)
        await #expect {
            _ = try await again.readAll(torn)
        } throws: {
            isDamage($0)
        }
        // What comes next does not land in the torn record's place.
        let next = try await Block(1000, seed: 7).store(in: again)
        #expect(next.offset > torn.offset + 150_000)
        try await again.close()
    }
}
