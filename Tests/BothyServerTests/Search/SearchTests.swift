import BothyContract
import BothyServer
import Synchronization
import Testing

/// Searching finds what is there, and nothing else.
@Suite struct SearchTests {
    private func found(_ text: String, _ server: TestServer, _ more: String = "") async throws -> [String] {
        let query = text.replacing(" ", with: "+")
        let answer = try await server.send(.get, "/v1/search?q=\(query)\(more)")
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.json(SearchResponse.self).results.map(\.path)
    }

    @Test func aNameIsFoundByBeginningsOfItsWords() async throws {
        let server = try await TestServer()
        let docs = try await server.createFolder("Taxes")
        _ = try await server.createFile("Report 2024.pdf", in: docs.id)
        _ = try await server.createFile("Report 2023.pdf")
        #expect(try await found("rep 2024", server) == ["/Taxes/Report 2024.pdf"])
        #expect(try await Set(found("report", server)) == ["/Taxes/Report 2024.pdf", "/Report 2023.pdf"])
        #expect(try await found("tax", server) == ["/Taxes"])
        #expect(try await found("port", server).isEmpty)
        #expect(try await found("2024 2023", server).isEmpty)
    }

    @Test func theLikeliestComesFirst() async throws {
        let server = try await TestServer()
        for name in ["my notes.txt", "notes.txt", "notes of last year.txt"] { _ = try await server.createFile(name) }
        let paths = try await found("notes", server)
        #expect(paths.first == "/notes.txt" && paths.last == "/my notes.txt", "\(paths)")
    }

    @Test func whatIsRenamedMovedTrashedAndDeletedIsFoundAsItIsNow() async throws {
        let server = try await TestServer()
        let docs = try await server.createFolder("docs")
        let file = try await server.createFile("apple.txt", in: docs.id)
        _ = try await server.update(file.id, UpdateFileRequest(name: "pear.txt"))
        #expect(try await found("apple", server).isEmpty)
        #expect(try await found("pear", server) == ["/docs/pear.txt"])
        _ = try await server.update(docs.id, UpdateFileRequest(trashed: true))
        #expect(try await found("pear", server).isEmpty)
        #expect(try await found("docs", server).isEmpty)
        _ = try await server.update(docs.id, UpdateFileRequest(trashed: false))
        #expect(try await found("pear", server) == ["/docs/pear.txt"])
        _ = try await server.update(file.id, UpdateFileRequest(hidden: true))
        #expect(try await found("pear", server).isEmpty)
        _ = try await server.send(.delete, "/v1/files/\(docs.id)?permanent=true")
        #expect(try await found("docs", server).isEmpty)
    }

    @Test func anAccountFindsNothingOfAnothers() async throws {
        let server = try await TestServer()
        _ = try await server.createFile("secret.txt")
        let answer = try await server.send(.get, "/v1/search?q=secret", as: .stranger)
        #expect(try answer.json(SearchResponse.self) == SearchResponse(results: [], isComplete: true))
    }

    /// Each time that it is looked at, twenty milliseconds are gone.
    @Test func whatTakesTooLongTellsWhatItHasAndThatThereMayBeMore() async throws {
        let server = try await TestServer()
        for number in 0..<9 { _ = try await server.createFile("note \(number)") }
        let looks = Mutex(0)
        let search = FileSearch("note", limit: 50) {
            looks.withLock { looks in
                looks += 1
                return .milliseconds(20 * looks)
            }
        }
        let drive = TestCaller.kitchen.driveId
        let outcome = try await server.database.read { try search.run(in: $0, drive: drive) }
        #expect(outcome.found.count == 2 && !outcome.isComplete)
    }

    @Test func moreThanFitsSaysSo() async throws {
        let server = try await TestServer()
        for number in 0..<5 { _ = try await server.createFile("note \(number)") }
        let cut = try await server.send(.get, "/v1/search?q=note&limit=3").json(SearchResponse.self)
        #expect(cut.results.count == 3 && !cut.isComplete)
        let whole = try await server.send(.get, "/v1/search?q=note&limit=5").json(SearchResponse.self)
        #expect(whole.results.count == 5 && whole.isComplete)
        #expect(try await server.send(.get, "/v1/search").code == .invalidParameter)
        #expect(try await server.send(.get, "/v1/search?q=a&limit=0").code == .invalidParameter)
    }

    /// The index is the words of the names that there are, whatever was done to them.
    @Test func theIndexFollowsTheNames() async throws {
        let server = try await TestServer()
        var random = SystemRandomNumberGenerator()
        var ids = [try await server.createFolder("start")].map(\.id)
        for step in 0..<120 {
            let id = ids.randomElement(using: &random)!
            let name = "\(["alpha", "Beta", "gamma7", "Élan"].randomElement(using: &random)!) \(step)"
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: ids.append(try await server.createFolder(name).id)
            case 2: _ = try await server.update(id, UpdateFileRequest(name: name))
            case 3:
                _ = try await server.send(
                    .post, "/v1/files/\(id)/copy",
                    json: CopyFileRequest(
                        requestId: nil, name: name, parentId: File.rootId))
            default:
                guard ids.count > 2 else { continue }
                _ = try await server.send(.delete, "/v1/files/\(id)?permanent=true")
                ids.removeAll { $0 == id }
            }
        }
        let stamps = server.parts.stamps
        while try await server.database.write({ try Purge.drain(in: $0, stamps: stamps) }) {}
        let (kept, wanted) = try await server.database.read { db in
            let kept = try db.query("SELECT drive_id, word, node_id FROM name_words").map {
                "\($0.int64(0)) \($0.string(1)) \($0.string(2))"
            }
            let nodes = try db.query("SELECT drive_id, name, node_id FROM nodes WHERE parent_id IS NOT NULL")
            let wanted = nodes.flatMap { row in
                NameWords.words(of: row.string(1)).map { "\(row.int64(0)) \($0) \(row.string(2))" }
            }
            return (kept, wanted)
        }
        #expect(Set(kept) == Set(wanted) && kept.count == wanted.count)
    }

    @Test func namesFromBeforeThereWasASearchAreFoundOnceTheJobHasRun() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("old.txt")
        try await server.database.write { db in
            try db.execute("DELETE FROM name_words")
            try db.execute("INSERT INTO names_to_index (drive_id, node_id) SELECT drive_id, node_id FROM nodes")
        }
        let early = try await server.send(.get, "/v1/search?q=old").json(SearchResponse.self)
        #expect(early == SearchResponse(results: [], isComplete: false))
        #expect(try await server.database.write { try NameWordTable.addOld(in: $0, limit: 100) } > 0)
        #expect(try await server.database.write { try NameWordTable.addOld(in: $0, limit: 100) } == 0)
        #expect(try await found("old", server) == ["/old.txt"])
        _ = file
    }
}
