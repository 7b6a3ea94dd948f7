import BothyContract
import Foundation
import Testing

@testable import BothyServer

@Suite struct MediaTidyingTests {
    @Test func theLongestUnusedGoUntilTheRestHasRoom() {
        var ages = MediaAges()
        #expect(ages.mostDays(for: 0) == .max)
        for (days, bytes) in [(0, 50), (3, 30), (9, 20), (9, 10)] { ages.add(Int64(bytes), days: days) }
        #expect(ages.mostDays(for: 110) == .max)
        #expect(ages.mostDays(for: 109) == 8)
        #expect(ages.mostDays(for: 79) == 2)
        // What was used today stays, whatever room it takes.
        #expect(ages.mostDays(for: 10) == 0)
    }

    private struct World {
        let uploads: UploadWorld
        let folder: MediaFolder
        let tidying: MediaTidying

        init(room: Int64 = MediaTidying.room) async throws {
            uploads = try await UploadWorld()
            let parts = uploads.server.parts
            folder = MediaFolder(path: parts.folder.file("media"))
            tidying = MediaTidying(folder: folder, database: parts.database, room: room, clock: parts.clock)
        }

        func keep(_ checksum: ContentHash, of drive: Int64 = 1, bytes: Int = 10) throws -> MediaKey {
            let key = MediaKey(drive: drive, checksum: checksum, quality: .low)
            let work = try folder.beginWork()
            try folder.keep([UInt8](repeating: 1, count: bytes), as: key, in: work)
            folder.endWork(work)
            return key
        }

        func isThere(_ key: MediaKey) -> Bool {
            if case .picture = folder.find(key, now: uploads.server.clock.now()) { true } else { false }
        }

        func round() async throws {
            while try await tidying.step() == .more {}
        }
    }

    @Test func whatIsGoneIsNotShownSmall() async throws {
        let world = try await World()
        let file = try await world.uploads.upload("a", UploadWorld.bytes(100))
        let (there, gone) = (
            try world.keep(try #require(file.checksum)),
            try world.keep(ContentHash(bytes: [UInt8](repeating: 7, count: 32))!)
        )
        // The same content of another drive is another matter.
        let others = try world.keep(try #require(file.checksum), of: 2)
        try await world.round()
        #expect(world.isThere(there) && !world.isThere(gone) && !world.isThere(others))
        #expect(!FileManager.default.fileExists(atPath: world.folder.path + "/2"))
    }

    @Test func aRoundSaysWhatTheNextTakesAway() async throws {
        let world = try await World(room: 15)
        let (old, new) = (UploadWorld.bytes(100), UploadWorld.bytes(101))
        let kept = try await (
            world.keep(try #require(world.uploads.upload("old", old).checksum)),
            world.keep(try #require(world.uploads.upload("new", new).checksum))
        )
        let now = Date(timeIntervalSince1970: Double(world.uploads.server.clock.now().seconds))
        for (key, days) in [(kept.0, 5.0), (kept.1, 0.0)] {
            let hex = key.checksum.hex
            try FileManager.default.setAttributes(
                [.modificationDate: now.addingTimeInterval(-days * 86_400)],
                ofItemAtPath: "\(world.folder.path)/1/\(hex.prefix(2))/\(hex)-low.webp")
        }
        try await world.round()
        #expect(try world.folder.shelves().count == 2)
        try await world.round()
        #expect(!world.isThere(kept.0) && world.isThere(kept.1))
    }

    @Test func whereNoneCouldBeMadeItIsTriedAgainTheNextDay() async throws {
        let world = try await World()
        let key = MediaKey(drive: 1, checksum: ContentHash(bytes: [UInt8](repeating: 7, count: 32))!, quality: .high)
        try world.folder.refuse(key, "a test")
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        if case .refused = world.folder.find(key, now: now) {} else { Issue.record("it was not refused") }
        #expect(world.folder.find(key, now: Timestamp(seconds: now.seconds + 2 * 86_400)) == nil)
    }
}
