import BothyContent
import BothyContract
import Foundation
import RealServing
import Testing

@testable import BothyClient

/// A large file that changes a little, between two devices and the server itself: what is moved for it.
@Suite struct PatchFlowTests {
    private let size = 7 << 20

    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(count)
    }

    /// Some bytes inserted, some written over, far from each other.
    private func edited(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var edited = bytes
        edited.replaceSubrange(5_000_000..<5_004_096, with: self.bytes(4_096, seed: seed))
        edited.insert(contentsOf: [1, 2, 3], at: 2_000_001)
        return edited
    }

    private struct World {
        var server: RealServer
        var folder: TemporaryFolder
        var kitchen: DeviceHome
        var phone: DeviceHome

        /// - Parameter ancestor: the revision that it is a change of.
        func put(
            _ bytes: [UInt8], replacing fileId: String? = nil, ancestor: String? = nil, onPhone: Bool = false
        ) async throws -> TransferSnapshot {
            let home = onPhone ? phone : kitchen
            let path = try folder.write("source", bytes)
            var order = UploadOrder(
                localPath: path, name: "film", parentId: File.rootId, fileId: fileId, conflict: .overwrite)
            order.ancestor = ancestor
            return try await rest(of: home.transfers.upload([order])[0], in: home)
        }

        /// Into the place of what came before.
        func get(_ fileId: String) async throws -> (TransferSnapshot, [UInt8]) {
            let order = DownloadOrder(
                fileId: fileId, name: "film", destination: folder.file("fetched"), replacing: true)
            let end = try await rest(of: phone.transfers.download([order])[0], in: phone)
            return (end, try folder.read("fetched"))
        }

        private func rest(of id: String, in home: DeviceHome) async throws -> TransferSnapshot {
            var last: TransferSnapshot?
            for await snapshot in await home.transfers.observe([id]) { last = snapshot }
            return try #require(last)
        }
    }

    private func inWorld(_ body: (World) async throws -> Void) async throws {
        let server = try await RealServer()
        let world = World(
            server: server, folder: try TemporaryFolder(),
            kitchen: try await server.device("kitchen", register: true),
            phone: try await server.device("phone", register: false))
        try await body(world)
        try await world.kitchen.close()
        try await world.phone.close()
        await server.stop()
    }

    @Test func anEditGoesUpAndComesDownAsWhatChanged() async throws {
        try await inWorld { world in
            let old = bytes(size, seed: 1)
            let first = try await world.put(old)
            let id = try #require(first.remoteFileId)
            _ = try await world.get(id)
            var content = old
            for seed in 2..<4 as Range<UInt64> {
                content = edited(content, seed: seed)
                let up = try await world.put(content, replacing: id)
                #expect(up.state == .completed)
                // 4 KiB are new; of each place where something changed, fragments of 4 KiB go.
                #expect(try #require(up.bytesCarried) < 48 << 10)
                let (down, arrived) = try await world.get(id)
                #expect(arrived == content)
                // The server knows both versions to the byte.
                #expect(try #require(down.bytesCarried) < 6 << 10)
            }
        }
    }

    /// Of the blocks that lie across both its ends only the changed parts go.
    @Test func aLargeEditCostsLittleMoreThanItself() async throws {
        try await inWorld { world in
            var content = bytes(size, seed: 1)
            let id = try #require(try await world.put(content).remoteFileId)
            content.replaceSubrange(2_000_000..<3_000_000, with: bytes(1_000_000, seed: 2))
            let up = try await world.put(content, replacing: id)
            #expect(try #require(up.bytesCarried) < 1_000_000 + 48_000)
            #expect(try await world.get(id).1 == content)
        }
    }

    @Test func whatIsNewInAKnownFileGoesCompressed() async throws {
        try await inWorld { world in
            let id = try #require(try await world.put(bytes(size, seed: 1)).remoteFileId)
            let log = (0..<200_000).flatMap { "line \($0) of a log that was begun anew\n".utf8 }
            let up = try await world.put(log, replacing: id)
            #expect(up.state == .completed)
            #expect(try #require(up.bytesCarried) < Int64(log.count / 3))
            #expect(try await world.get(id).1 == log)
        }
    }

    @Test func whatWasFetchedGoesUpAsWhatChangedToo() async throws {
        try await inWorld { world in
            let old = bytes(size, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            _ = try await world.get(id)
            let up = try await world.put(edited(old, seed: 2), replacing: id, onPhone: true)
            #expect(try #require(up.bytesCarried) < 48 << 10)
            #expect(try await world.get(id).1 == edited(old, seed: 2))
        }
    }

    /// It went up in one request, and lies at the server in one piece that no device has.
    @Test(arguments: [70 << 10, 300 << 10, 3 << 20, 5_000_000]) func theFirstChangeOfASmallerFileComesAsWhatChanged(
        size: Int
    ) async throws {
        try await inWorld { world in
            let old = bytes(size, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            _ = try await world.get(id)
            var content = old
            content.replaceSubrange(100..<300, with: bytes(350, seed: 2))
            _ = try await world.put(content, replacing: id)
            let (down, arrived) = try await world.get(id)
            #expect(arrived == content)
            // What goes along with others comes whole, where nobody said that it is a change.
            if size > UploadLimits.batchContent { #expect(try #require(down.bytesCarried) < 1 << 10) }
        }
    }

    @Test func aFileThatWasChangedHereAloneIsNoSourceOfAnything() async throws {
        try await inWorld { world in
            let old = bytes(300 << 10, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            var here = old
            here[1_000] ^= 1
            try world.folder.write("fetched", here)
            let (down, arrived) = try await world.get(id)
            #expect(arrived == old)
            #expect(down.bytesCarried == Int64(old.count))
        }
    }

    /// Nothing was kept here of the first version: the server tells what that is like.
    @Test(arguments: [64 << 10, 300 << 10, 3 << 20, 5 << 20]) func theFirstChangeOfASmallerFileGoesUpAsWhatChanged(
        size: Int
    ) async throws {
        try await inWorld { world in
            var content = bytes(size, seed: 1)
            let first = try await world.put(content)
            let id = try #require(first.remoteFileId)
            var ancestor = first.remoteRevisionId
            for seed in 2..<4 as Range<UInt64> {
                content.replaceSubrange(20_000..<20_200, with: bytes(300, seed: seed))
                let up = try await world.put(content, replacing: id, ancestor: ancestor)
                #expect(up.state == .completed)
                #expect(try #require(up.bytesCarried) < 9 << 10)
                #expect(try await world.get(id).1 == content)
                ancestor = up.remoteRevisionId
            }
        }
    }

    @Test func aVersionThatTheServerKnowsNothingOfCostsBytesAndNothingElse() async throws {
        try await inWorld { world in
            let old = bytes(300 << 10, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            var content = old
            content[20_000] ^= 1
            let up = try await world.put(content, replacing: id, ancestor: "019a0000-0000-7000-8000-000000000000")
            #expect(up.state == .completed)
            #expect(up.bytesCarried == Int64(content.count))
            #expect(try await world.get(id).1 == content)
        }
    }

    /// Photos by the thousand never change, and leave nothing but themselves.
    @Test func whatIsNewLeavesNoSketch() async throws {
        try await inWorld { world in
            let id = try #require(try await world.put(bytes(3 << 20, seed: 1)).remoteFileId)
            _ = try await world.get(id)
            #expect(try await world.kitchen.transfers.store.sketch(of: id) == nil)
            #expect(try await world.phone.transfers.store.sketch(of: id) == nil)
        }
    }

    /// Where it is not said what it is a change of, the first new version goes whole; from then on it is a file that changes.
    @Test func aSmallerFileThatChangesAgainGoesAsWhatChanged() async throws {
        try await inWorld { world in
            var content = bytes(2 << 20, seed: 1)
            let id = try #require(try await world.put(content).remoteFileId)
            for (seed, most) in [(2, 3 << 20), (3, 64 << 10), (4, 64 << 10)] as [(UInt64, Int64)] {
                content.replaceSubrange(900_000..<900_100, with: bytes(150, seed: seed))
                let up = try await world.put(content, replacing: id)
                #expect(up.state == .completed)
                let carried = try #require(up.bytesCarried)
                #expect(carried < most, "\(seed): \(carried)")
                #expect(try await world.get(id).1 == content)
            }
        }
    }

    @Test func whatIsRememberedWronglyCostsBytesAndNothingElse() async throws {
        try await inWorld { world in
            let old = bytes(size, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            let store = await world.kitchen.transfers.store
            var sketch = try #require(try await store.sketch(of: id))
            // Each fragment is said to lie where the next one does.
            sketch.fragments = FragmentSketch(
                fragmentSize: sketch.fragments.fragmentSize,
                anchors: [0] + sketch.fragments.anchors.dropLast(), hashes: [0] + sketch.fragments.hashes.dropLast())
            try await store.keep(sketch, of: id)
            let content = edited(old, seed: 2)
            let up = try await world.put(content, replacing: id)
            #expect(up.state == .completed)
            #expect(try #require(up.bytesCarried) > 64 << 10)
            #expect(try await world.get(id).1 == content)
            // A revision that the server never had.
            sketch = try #require(try await store.sketch(of: id))
            sketch.revisionId = "019a0000-0000-7000-8000-000000000000"
            try await store.keep(sketch, of: id)
            let again = edited(content, seed: 3)
            #expect(try await world.put(again, replacing: id).state == .completed)
            #expect(try await world.get(id).1 == again)
        }
    }

    @Test func aFileThatIsHereWithBlocksThatNoOtherHasIsFetchedAllTheSame() async throws {
        try await inWorld { world in
            let old = bytes(size, seed: 1)
            let id = try #require(try await world.put(old).remoteFileId)
            // What lies here was changed on this device alone, at the place of the edit too.
            var here = old
            here.replaceSubrange(5_002_000..<5_002_500, with: bytes(500, seed: 7))
            try world.folder.write("fetched", here)
            let content = edited(old, seed: 2)
            _ = try await world.put(content, replacing: id)
            let (down, arrived) = try await world.get(id)
            #expect(arrived == content)
            #expect(try #require(down.bytesCarried) < 1 << 20)
        }
    }
}
