import BothyContent
import BothyContract
import Foundation
import GRDB
import NIOCore
import Testing

@testable import BothyClient

@Suite struct RevisionSketchTests {
    private func block(_ number: UInt8, size: Int64 = 70_000) -> BlockReference {
        BlockReference(sha256: ContentHash(bytes: [UInt8](repeating: number, count: 32))!, size: size)
    }

    private func sketch(_ revisionId: String = "r1", fragments: Int = 3) -> RevisionSketch {
        RevisionSketch(
            revisionId: revisionId, blocks: [block(1), block(2), block(3, size: 5)],
            fragments: FragmentSketch(
                fragmentSize: 8192, anchors: (0..<fragments).map { UInt32($0) },
                hashes: (0..<fragments).map { UInt64($0) << 40 }))
    }

    @Test func aSketchComesBackAsItWasWritten() {
        #expect(RevisionSketch(revisionId: "r1", sketch().bytes) == sketch())
    }

    @Test func whatIsNoSketchIsNone() {
        let bytes = sketch().bytes
        for end in 0..<bytes.readableBytes where end % 12 != 0 || end < 12 + 3 * 36 {
            #expect(RevisionSketch(revisionId: "r1", bytes.getSlice(at: 0, length: end)!) == nil, "\(end)")
        }
        var older = bytes
        older.setInteger(0 as UInt32, at: 0)
        #expect(RevisionSketch(revisionId: "r1", older) == nil)
    }

    /// What changed least recently goes first, and never more than has to.
    @Test func sketchesHaveSoMuchRoomAndNoMore() throws {
        let queue = try DatabaseQueue()
        try ClientMigrations.migrator.migrate(queue)
        let room = 3 * sketch().bytes.readableBytes
        try queue.write { db in
            for file in ["a", "b", "c"] { try SketchTable.save(sketch(file), of: file, most: room, in: db) }
            try SketchTable.save(sketch("a2"), of: "a", most: room, in: db)
            #expect(try SketchTable.find("b", in: db) == sketch("b"))
            try SketchTable.save(sketch("d"), of: "d", most: room, in: db)
            #expect(try SketchTable.find("b", in: db) == nil)
            #expect(try ["a", "c", "d"].map { try SketchTable.find($0, in: db)?.revisionId } == ["a2", "c", "d"])
            // One that is too large for all of the room leaves none.
            try SketchTable.save(sketch("e", fragments: 200), of: "e", most: room, in: db)
            #expect(try SketchTable.find("e", in: db) == nil)
        }
    }

    /// Of a copy, and of files that were swapped, no file of that name tells what the drive has.
    @Test func aSketchIsFoundByWhatItBeginsWith() throws {
        let queue = try DatabaseQueue()
        try ClientMigrations.migrator.migrate(queue)
        try queue.write { db in
            try SketchTable.save(sketch("a1"), of: "a", in: db)
            try SketchTable.save(sketch("b1"), of: "b", in: db)
            #expect(try SketchTable.find(beginningWith: block(1), in: db) == sketch("b1"))
            #expect(try SketchTable.find(beginningWith: block(2), in: db) == nil)
            var fetched = sketch("b2")
            fetched.blocks = []
            try SketchTable.save(fetched, of: "b", in: db)
            #expect(try SketchTable.find(beginningWith: block(1), in: db) == sketch("a1"))
        }
    }

    @Test func whatWasSentBeforeTheUpdateIsFoundByWhatItBeginsWith() throws {
        let queue = try DatabaseQueue()
        try ClientMigrations.migrator.migrate(queue, upTo: "011 what content is in the local trash")
        var fetched = sketch("fetched")
        fetched.blocks = []
        try queue.write { db in
            for (file, sketch) in [("a", sketch("a1")), ("b", fetched)] {
                let bytes = sketch.bytes
                try db.execute(
                    sql: "INSERT INTO sketches VALUES (?, ?, 1, ?, ?)",
                    arguments: [
                        file, sketch.revisionId, bytes.readableBytes, Data(bytes.readableBytesView),
                    ])
            }
        }
        try ClientMigrations.migrator.migrate(queue)
        let found = try queue.read { db in try SketchTable.find(beginningWith: block(1), in: db) }
        let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(first_block) FROM sketches") }
        #expect(found == sketch("a1") && count == 1)
    }

    @Test func neighboursAreNamedAsOneRun() {
        let basis = UploadBasis(
            RevisionSketch(
                revisionId: "r1", blocks: [1, 2, 1, 3, 4].map { block($0) }, fragments: FragmentSketch(fragmentSize: 64)
            ))
        #expect(
            basis.names([1, 2, 1, 3, 9, 3, 4, 2, 4].map { block($0) }) == [
                .base(ChunkRun(first: 0, last: 3)), .block(block(9)), .base(ChunkRun(first: 3, last: 4)),
                .base(ChunkRun(first: 1, last: 1)), .base(ChunkRun(first: 4, last: 4)),
            ])
        #expect(basis.patch(making: ByteBuffer(repeating: 0, count: 100)) == nil)
    }
}
