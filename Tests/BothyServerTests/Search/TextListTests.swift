import BothyContract
import Testing

@testable import BothyServer

/// What is kept of the words of texts is read as it was written, and damage finds nothing that is not there.
@Suite struct TextListTests {
    @Test(arguments: [UInt64](1...20))
    func contentsAreReadAsTheyWereWritten(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ids = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            Int64.random(in: 1...(Bool.random(using: &random) ? 500 : .max), using: &random)
        }
        var list = ContentList(ids)
        #expect(ContentList(bytes: list.bytes).ids == Set(ids).sorted())
        for id in ids.shuffled(using: &random) {
            list.remove(id)
            #expect(!ContentList(bytes: list.bytes).ids.contains(id))
        }
        #expect(list.bytes.isEmpty)
    }

    @Test(arguments: [UInt64](1...20))
    func wordsAreReadAsTheyWereWritten(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let signs = Array("abcß会")
        var words = [String: Int]()
        for _ in 0..<Int.random(in: 0...400, using: &random) {
            let word = String(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in signs.randomElement(using: &random)! })
            words[word] = Int.random(in: 0..<NameWords.longestText, using: &random)
        }
        let list = WordList(bytes: WordList(words).bytes)
        let inOrder = words.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(list.words == inOrder)
        for term in inOrder.map({ String($0.prefix(2)) }) + ["a", "会", "zz", "b\u{DF}", ""] {
            let first = inOrder.first { $0.utf8.starts(with: term.utf8) }
            #expect(list.place(ofBeginning: term) == first.flatMap { words[$0] }, "\(term)")
        }
    }

    @Test func fewContentsAreNeighboursAndTakeAByteEach() {
        #expect(ContentList(1000..<1200).bytes.count == 201)
        #expect(
            WordList(["reading": 3, "readings": 200]).bytes == [0, 7] + Array("reading".utf8) + [3, 7, 1, 115, 0xC8, 1])
    }

    @Test(arguments: [UInt64](1...20))
    func damageEndsWhatIsRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(WordList(bytes: bytes).words.count <= bytes.count)
            _ = WordList(bytes: bytes).place(ofBeginning: "a")
            let ids = ContentList(bytes: bytes).ids
            #expect(ids == ids.sorted() && ids.allSatisfy { $0 >= 0 })
        }
    }

    /// One account that sent a hundred thousand texts kept those of all others out for hours.
    @Test func theDrivesHaveTheirTurns() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"), migrations: Migration.all)
        try await database.write { db in
            try db.execute(
                "INSERT INTO texts_to_index (drive_id, content_id) VALUES (1, 1), (1, 2), (1, 3), (2, 4), (3, 5)")
        }
        func next(after drive: Int64, _ limit: Int) async throws -> [Int64] {
            try await database.read { try TextQueue.next(in: $0, after: drive, limit: limit).map(\.contentId) }
        }
        #expect(try await next(after: .min, 2) == [1, 2])
        #expect(try await next(after: 1, 3) == [4, 5, 1])
        #expect(try await next(after: 2, 9) == [5, 1, 2, 3, 4])
        #expect(try await next(after: 3, 2) == [1, 2])
        try await database.close()
    }

    @Test func whatAnEarlierReleaseIndexedIsLookedThroughOnceMore() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let before = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 13 })
        try await before.write { db in
            try db.execute("INSERT INTO texts (drive_id, content_id) VALUES (1, 5), (1, 6)")
            try db.execute("INSERT INTO texts_to_index (drive_id, content_id) VALUES (1, 6), (1, 7)")
            try db.execute("INSERT INTO text_words (drive_id, content_id, word, place) VALUES (1, 5, 'leek', 0)")
        }
        try await before.close()
        let now = try await SQLiteDatabase.open(path: path)
        let waiting = try await now.read { try TextQueue.next(in: $0, limit: 10).map(\.contentId) }
        #expect(waiting == [5, 6, 7])
        #expect(try await now.read { try TextTable($0, drive: 1).isKnown(5) } == false)
        try await now.close()
    }
}
