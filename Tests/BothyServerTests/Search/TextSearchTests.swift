import BothyContract
import NIOCore
import Synchronization
import Testing

@testable import BothyServer

/// Searching finds what stands in texts, as they are now.
@Suite struct TextSearchTests {
    private func index(_ world: UploadWorld) async throws {
        let indexing = TextIndexing(database: world.server.database, packs: world.packs, answered: { 0 })
        while try await indexing.step() == .more {}
    }

    private func search(
        _ text: String, _ world: UploadWorld, as caller: TestCaller = .kitchen
    ) async throws -> SearchResponse {
        let query = text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let answer = try await world.server.send(.get, "/v1/search?q=\(query)", as: caller)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.json()
    }

    private func found(_ text: String, _ world: UploadWorld) async throws -> [String] {
        try await search(text, world).results.map(\.path)
    }

    private func words(_ world: UploadWorld) async throws -> Set<String> {
        try await world.server.database.read { db in
            let lists = Set(
                try db.query("SELECT word, contents FROM text_words").flatMap { row in
                    ContentList(bytes: row.bytes(1)).ids.map { "\($0) \(row.string(0))" }
                })
            let texts = Set(
                try db.query("SELECT content_id, words FROM texts").flatMap { row in
                    WordList(bytes: row.bytes(1)).words.map { "\(row.int64(0)) \($0)" }
                })
            #expect(lists == texts, "both say the same")
            return lists
        }
    }

    private func replace(_ file: File, _ text: String, _ world: UploadWorld) async throws {
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: file.name, size: Int64(text.utf8.count), fileId: file.id, conflict: .overwrite,
                plan: .fixed(chunkSize: Int64(UploadWorld.chunk)), finalize: .explicit))
        try await world.putAll(session.uploadId, Array(text.utf8))
        let answer = try await world.finalize(session.uploadId)
        try #require((200...201).contains(answer.status), "\(answer.text)")
    }

    @Test func aTextIsFoundByItsWordsWithAnExcerptThatMarksThem() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("salt.txt", Array("nothing of the kind".utf8))
        _ = try await world.upload("soup.md", Array("# Leek soup\n\nAdd a pinch of Salt, and stir.\n".utf8))
        try await index(world)
        let answer = try await search("salt", world)
        #expect(answer.isComplete)
        #expect(answer.results.map(\.path) == ["/salt.txt", "/soup.md"], "a name says more than a text")
        #expect(answer.results.map(\.match.known) == [.name, .text] && answer.results[0].excerpt == nil)
        let excerpt = try #require(answer.results[1].excerpt)
        #expect(excerpt.map(\.text).joined() == "# Leek soup Add a pinch of Salt, and stir.")
        #expect(excerpt.filter(\.isFound).map(\.text) == ["Salt"])
    }

    @Test func aWordMayBeInTheNameAndAnotherInTheText() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("recipes.txt", Array("leek, potato, cream".utf8))
        _ = try await world.upload("shopping.txt", Array("leek, bread".utf8))
        try await index(world)
        #expect(try await found("recip leek", world) == ["/recipes.txt"])
        #expect(try await found("leek potato", world) == ["/recipes.txt"])
        #expect(try await found("recip bread", world).isEmpty, "each word has to be there")
        #expect(try await Set(found("leek", world)) == ["/recipes.txt", "/shopping.txt"])
        #expect(try await found("eek", world).isEmpty)
    }

    @Test func whatWasNotLookedThroughYetIsSaid() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("soup.txt", Array("leek".utf8))
        #expect(try await search("leek", world) == SearchResponse(results: [], isComplete: false))
        try await index(world)
        #expect(try await search("leek", world).isComplete)
    }

    /// It passed for a text without words, for good.
    @Test func whatCannotBeReadForAWhileIsReadOnceItCan() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("soup.txt", Array("leek".utf8))
        world.packs.atEachRead { throw PackError.failed("too many open files") }
        try await index(world)
        world.packs.atEachRead(nil)
        try await index(world)
        #expect(try await found("leek", world) == ["/soup.txt"])
    }

    @Test func textsThatCannotBeReadForAWhileKeepNoOthersWaiting() async throws {
        let world = try await UploadWorld()
        let indexing = TextIndexing(database: world.server.database, packs: world.packs, answered: { 0 }, batch: 2)
        for name in ["one", "two", "three"] { _ = try await world.upload("\(name).txt", Array("text \(name)".utf8)) }
        let reads = Atomic(0)
        world.packs.atEachRead {
            if reads.add(1, ordering: .relaxed).newValue <= 2 { throw PackError.failed("too many open files") }
        }
        _ = try await indexing.step()
        _ = try await indexing.step()
        world.packs.atEachRead(nil)
        #expect(try await found("text", world) == ["/three.txt"])
        while try await indexing.step() == .more {}
        _ = try await indexing.step()
        #expect(try await Set(found("text", world)) == ["/one.txt", "/two.txt", "/three.txt"])
    }

    @Test func whileRequestsComeARoundIsOneStepAndNothingIsForgotten() async throws {
        let world = try await UploadWorld()
        // Three of them are more words than a step reads.
        for number in 0..<4 {
            let text = (0..<3000).map { "w\(number)x\($0)" }.joined(separator: " ")
            _ = try await world.upload("t\(number).txt", Array(text.utf8))
        }
        let answered = Atomic(0)
        let indexing = TextIndexing(
            database: world.server.database, packs: world.packs, answered: { answered.load(ordering: .relaxed) })
        world.packs.atEachRead { answered.add(1, ordering: .relaxed) }
        #expect(try await indexing.step() == .done, "others come first")
        #expect(try await found("w3x7", world).isEmpty)
        world.packs.atEachRead(nil)
        try await index(world)
        for number in 0..<4 { #expect(try await found("w\(number)x7", world) == ["/t\(number).txt"]) }
    }

    @Test func aNewVersionTakesTheOldOnesPlaceAndOneThatIsPutBackDoesAgain() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("soup.txt", Array("leek".utf8))
        try await index(world)
        try await replace(file, "onion", world)
        try await index(world)
        #expect(try await found("leek", world).isEmpty)
        #expect(try await found("onion", world) == ["/soup.txt"])
        #expect(try await words(world).count == 1, "what only an earlier version has takes no room")
        let old = try #require(file.headRevisionId)
        let answer = try await world.server.send(
            .post, "/v1/files/\(file.id)/revisions/\(old)/restore", json: ["requestId": String?.none])
        try #require(answer.status == 201, "\(answer.text)")
        try await index(world)
        #expect(try await found("leek", world) == ["/soup.txt"])
        #expect(try await found("onion", world).isEmpty)
    }

    @Test func whatIsTrashedIsNotFoundAndWhatIsDeletedLeavesNothing() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("soup.txt", Array("leek".utf8))
        let copied = try await world.server.send(
            .post, "/v1/files/\(file.id)/copy",
            json: CopyFileRequest(requestId: nil, name: "copy.txt", parentId: File.rootId))
        try #require(copied.status == 201, "\(copied.text)")
        try await index(world)
        #expect(try await Set(found("leek", world)) == ["/soup.txt", "/copy.txt"])
        _ = try await world.server.send(.delete, "/v1/files/\(file.id)")
        #expect(try await found("leek", world) == ["/copy.txt"])
        _ = try await world.server.send(.delete, "/v1/files/\(file.id)?permanent=true")
        try await world.server.drain()
        try await index(world)
        #expect(try await found("leek", world) == ["/copy.txt"], "what is equal is shared")
        _ = try await world.server.send(.delete, "/v1/files/\(try copied.file().id)?permanent=true")
        try await world.server.drain()
        try await index(world)
        #expect(try await words(world).isEmpty)
        let known = try await world.server.database.read { try $0.first("SELECT COUNT(*) FROM texts")?.int(0) }
        #expect(known == 0)
    }

    @Test func aNameThatSaysItIsATextMakesItOne() async throws {
        let world = try await UploadWorld()
        let file = try await world.upload("soup", Array("leek".utf8))
        try await index(world)
        #expect(try await found("leek", world).isEmpty)
        _ = try await world.server.update(file.id, UpdateFileRequest(name: "soup.txt"))
        try await index(world)
        #expect(try await found("leek", world) == ["/soup.txt"])
        _ = try await world.server.update(file.id, UpdateFileRequest(name: "soup.jpg"))
        try await index(world)
        #expect(try await words(world).isEmpty)
    }

    private static let encoded: [([UInt8], Bool)] = [
        (utf16("crème", mark: [0xFF, 0xFE], isBig: false), true),
        (utf16("crème", mark: [0xFE, 0xFF], isBig: true), true), ([0x63, 0x72, 0xE8, 0x6D, 0x65], true),
        (Array("\u{FEFF}crème".utf8), true), (Array("crème\0".utf8), false),
    ]

    private static func utf16(_ text: String, mark: [UInt8], isBig: Bool) -> [UInt8] {
        text.utf16.reduce(into: mark) { bytes, unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            bytes += isBig ? [high, low] : [low, high]
        }
    }

    @Test(arguments: encoded)
    func textsAreReadInTheEncodingsThatPeoplesFilesHave(_ bytes: [UInt8], _ isText: Bool) async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("a.txt", bytes)
        try await index(world)
        let answer = try await search("creme", world)
        #expect(answer.results.map(\.path) == (isText ? ["/a.txt"] : []) && answer.isComplete)
        if isText { #expect(answer.results[0].excerpt?.filter(\.isFound).map(\.text) == ["crème"]) }
    }

    @Test func onlyTheBeginningOfALongTextIsLookedThrough() async throws {
        let world = try await UploadWorld()
        let filling = String(repeating: "word ", count: NameWords.longestText / 5)
        _ = try await world.upload("long.txt", Array(("early " + filling + " late").utf8))
        try await index(world)
        #expect(try await found("early", world) == ["/long.txt"])
        #expect(try await found("late", world).isEmpty)
    }

    @Test func damageKeepsNobodyElsesTextFromBeingFound() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("a.txt", Array("leek and onion".utf8))
        try await index(world)
        _ = try await world.upload("b.txt", Array("broken leek".utf8))
        world.packs.damageEverything()
        _ = try await world.upload("c.txt", Array("garlic".utf8))
        try await index(world)
        #expect(try await found("garlic", world) == ["/c.txt"])
        let answer = try await search("onion", world)
        #expect(answer.results.map(\.path) == ["/a.txt"] && answer.results[0].excerpt == nil && answer.isComplete)
    }

    @Test func nothingOfAnothersIsFoundAndSignsOfQueriesAreWords() async throws {
        let world = try await UploadWorld()
        _ = try await world.upload("a.txt", Array("my \"secret\" NEAR* OR; DROP".utf8))
        try await index(world)
        let stranger = try await search("secret", world, as: .stranger)
        #expect(stranger == SearchResponse(results: [], isComplete: true))
        for query in ["\"secret\"", "secret*", "NEAR(secret)", "secret OR", "sec% '", "drop;--"] {
            #expect(try await found(query, world) == ["/a.txt"], "\(query)")
        }
        #expect(try await found("secret AND near", world).isEmpty, "“and” is a word like any other")
    }

    @Test func anExcerptIsShortHoweverTheTextIsMade() async throws {
        let world = try await UploadWorld()
        let zalgo = "e" + String(repeating: "\u{301}", count: 5000)
        let line = String(repeating: "x", count: 3000) + " \(zalgo) leek " + String(repeating: "y", count: 3000)
        _ = try await world.upload("a.txt", Array(line.utf8))
        try await index(world)
        let excerpt = try #require(try await search("leek", world).results.first?.excerpt)
        #expect(excerpt.map(\.text).joined().unicodeScalars.count < 250)
        #expect(excerpt.filter(\.isFound).map(\.text) == ["leek"])
    }

    /// The index is the words of the current texts, whatever was done to them, and whenever the job came by.
    @Test(arguments: [UInt64](1...6))
    func theIndexFollowsTheTexts(seed: UInt64) async throws {
        let world = try await UploadWorld()
        var random = SeededRandom(seed: seed)
        var files = [try await world.upload("start.txt", Array("alpha".utf8))]
        let texts = ["alpha beta", "beta gamma", "delta", "alpha"]
        for step in 0..<40 {
            let place = Int.random(in: 0..<files.count, using: &random)
            let (file, text) = (files[place], texts[Int.random(in: 0..<texts.count, using: &random)])
            switch Int.random(in: 0..<7, using: &random) {
            case 0: files.append(try await world.upload("f\(step).txt", Array(text.utf8)))
            case 1: try await replace(file, text, world)
            case 2:
                let answer = try await world.server.send(
                    .post, "/v1/files/\(file.id)/copy",
                    json: CopyFileRequest(requestId: nil, name: "c\(step).txt", parentId: File.rootId))
                files.append(try answer.file())
            case 3:
                let ending = step % 2 == 0 ? "txt" : "bin"
                _ = try await world.server.update(file.id, UpdateFileRequest(name: "r\(step).\(ending)"))
            case 4 where files.count > 1:
                _ = try await world.server.send(.delete, "/v1/files/\(file.id)?permanent=true")
                files.remove(at: place)
            case 5: try await world.server.drain()
            default: try await index(world)
            }
        }
        try await world.server.drain()
        try await index(world)
        let wanted = try await world.server.database.read { db in
            let heads = try db.query(
                """
                SELECT r.content_id, n.name, r.checksum FROM nodes n
                JOIN revisions r ON r.drive_id = n.drive_id AND r.revision_id = n.head_revision_id
                """)
            let byHash = Dictionary(
                uniqueKeysWithValues: texts.map { (UploadWorld.reference(Array($0.utf8)).sha256, $0) })
            return Set(
                heads.filter { MediaType.isText("", named: $0.string(1)) }.flatMap { head in
                    NameWords.places(in: byHash[head.hash(2)] ?? "").keys.map { "\(head.int64(0)) \($0)" }
                })
        }
        #expect(try await words(world) == wanted, "seed \(seed)")
    }
}
