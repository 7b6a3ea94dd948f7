import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct ChangeTests {
    @Test func eachEntityComesOnceInAPageAtItsNewestState() async throws {
        let server = try await TestServer()
        let start = try await server.cursor()
        let a = try await server.createFile("a")
        let b = try await server.createFile("b")
        _ = try await server.update(a.id, UpdateFileRequest(name: "c"))
        let (changes, cursor) = try await server.changes(after: start)
        #expect(changes.map(\.id) == [b.id, a.id])
        #expect(changes.last?.file?.name == "c" && changes.last?.file?.version == 2)
        #expect(cursor == (try await server.cursor()))
        #expect(try await server.changes(after: cursor).changes.isEmpty)
        #expect(try await server.changes(after: start, limit: 1).changes.map(\.id) == [a.id, b.id, a.id])
    }

    @Test func theFirstLinkTellsEverythingParentsFirst() async throws {
        let server = try await TestServer()
        let file = try await server.commit("x", FilePlacement(name: "file")).file
        let young = try await server.createFolder("young")
        let younger = try await server.createFolder("younger")
        _ = try await server.update(file.id, UpdateFileRequest(parentId: young.id))
        _ = try await server.update(young.id, UpdateFileRequest(parentId: younger.id))
        let trashed = try await server.createFile("trashed")
        _ = try await server.send(.delete, "/v1/files/\(trashed.id)")
        let gone = try await server.createFile("gone")
        _ = try await server.send(.delete, "/v1/files/\(gone.id)?permanent=true")
        for limit in [1, 2, 3, 100] {
            let (changes, cursor) = try await server.changes(after: nil, limit: limit)
            var known = Set<String>()
            for change in changes {
                let file = try #require(change.file)
                if let parentId = file.parentId { #expect(known.contains(parentId), "\(file.name) by \(limit)") }
                known.insert(change.id)
            }
            #expect(known == [File.rootId, file.id, young.id, younger.id, trashed.id])
            #expect(changes.first { $0.id == trashed.id }?.file?.trashed == true)
            #expect(changes.first { $0.id == file.id }?.file?.downloadUrl != nil)
            #expect(cursor == (try await server.cursor()))
        }
    }

    @Test func theFirstLinkStaysRightWhileTheDriveChanges() async throws {
        let server = try await TestServer()
        let late = try await server.createFolder("late")
        for index in 0..<6 { _ = try await server.createFile("\(index)", in: late.id) }
        let early: GetChangesResponse = try await server.send(.get, "/v1/changes?limit=3").json()
        // What was still to come moves to where the link has been, goes, and is joined by something new.
        let fresh = try await server.createFolder("fresh")
        _ = try await server.update(late.id, UpdateFileRequest(parentId: fresh.id))
        let files = try await server.list("parentId=\(late.id)")
        _ = try await server.send(.delete, "/v1/files/\(files[5].id)?permanent=true")
        var replica = Replica()
        replica.apply(early.changes)
        let (rest, _) = try await server.changes(after: early.cursor, limit: 3)
        replica.apply(rest)
        #expect(replica.listing == (try await server.wholeListing()))
    }

    @Test(arguments: [
        "", "x", "c1", "c1.1", "c1.1.1", "c1.1.1.zzzzzzzzz", "c1.2.0.0", "c1.1.99.0", "c1.1.0.5", "c2.1.0.0",
        "c1.1.-1.0", "l1", "l1.1.0.0", "l1.2.0.0.0", "l1.1.0.0.-1", "l1.1.9.0.0", "c1.1.0.0.0", "%F0%9F%98%80",
        "c1.zzzzzzzzzzzzzzzzzzzzz.0.0",
    ])
    func aCursorThatNobodyMadeHasExpired(cursor: String) async throws {
        let server = try await TestServer()
        for path in ["/v1/changes?cursor=", "/v1/changes/wait?cursor="] {
            let answer = try await server.send(.get, path + cursor)
            #expect(answer.status == 410 && answer.code == .cursorExpired, "\(answer.text)")
        }
        let events = try await server.send(.get, "/v1/events?cursor=\(cursor)")
        #expect(events.code == .cursorExpired)
    }

    @Test func aCursorOfAnotherEpochOrAnotherPastHasExpired() async throws {
        let server = try await TestServer()
        _ = try await server.createFile("a")
        let text = try await server.cursor()
        var cursor = try #require(ChangeCursor(text: text))
        cursor.tag ^= 1
        #expect(try await server.send(.get, "/v1/changes?cursor=\(cursor.text)").code == .cursorExpired)
        try await server.database.write { db in
            try db.execute("INSERT INTO server_state (key, value) VALUES (?, '2')", [.text(ServerEpoch.key)])
        }
        #expect(try await server.send(.get, "/v1/changes?cursor=\(text)").code == .cursorExpired)
        #expect(try await server.cursor().hasPrefix("c1.2."))
        let file = try await server.list("parentId=root")[0]
        let answer = try await server.send(
            .patch, "/v1/files/\(file.id)", text: "{\"starred\": true}", headers: [.ifMatch: "\"1-1\""])
        #expect(answer.code == .versionMismatch)
    }

    @Test func whatIsForgottenExpiresTheCursorsBeforeItAndNoOther() async throws {
        let server = try await TestServer()
        let start = try await server.cursor()
        _ = try await server.createFile("a")
        let middle = try await server.cursor()
        server.clock.advance(seconds: 100)
        _ = try await server.createFile("b")
        let lived = Int64(server.clock.uptimeSeconds())
        let pruned = try await server.database.write {
            try ChangeLog($0, drive: 1).prune(livedBefore: lived, limit: 100)
        }
        #expect(pruned == 1)
        for cursor in [start, middle] {
            #expect(try await server.send(.get, "/v1/changes?cursor=\(cursor)").code == .cursorExpired)
        }
        #expect(try await server.changes(after: try await server.cursor()).changes.isEmpty)
        server.clock.advance(seconds: 100)
        let now = Int64(server.clock.uptimeSeconds())
        let more = try await server.database.write { try ChangeLog($0, drive: 1).prune(livedBefore: now, limit: 100) }
        #expect(more == 0, "the last change stays: a cursor «now» always holds")
    }

    /// A drive that is older than its history remembers no more of it for forgetting changes.
    @Test func whatIsForgottenBringsNoHistoryBack() async throws {
        let server = try await TestServer()
        for name in ["a", "b"] { _ = try await server.createFile(name) }
        server.clock.advance(seconds: 100)
        let lived = Int64(server.clock.uptimeSeconds())
        let from = try await server.database.write { db in
            try db.execute("UPDATE drives SET history_from = 1000 WHERE drive_id = 1")
            _ = try ChangeLog(db, drive: 1).prune(livedBefore: lived, limit: 100)
            return try db.first("SELECT history_from FROM drives WHERE drive_id = 1")?.int64(0)
        }
        #expect(from == 1000)
    }

    @Test func deletionsPageOldestFirstAndSinceATime() async throws {
        let server = try await TestServer()
        for name in ["a", "b", "c"] {
            let file = try await server.createFile(name)
            _ = try await server.send(.delete, "/v1/files/\(file.id)?permanent=true")
            server.clock.advance(seconds: 10)
        }
        #expect(try await server.deletions(limit: 1).map(\.path) == ["/a", "/b", "/c"])
        let since = server.clock.now().adding(seconds: -20)
        #expect(try await server.deletions("&since=\(since)").map(\.path) == ["/b", "/c"])
        #expect(try await server.send(.get, "/v1/changes/deletions?since=monday").code == .invalidParameter)
        let lived = Int64(server.clock.uptimeSeconds()) - 15
        let pruned = try await server.database.write { try DeletionTable.prune(livedBefore: lived, limit: 10, in: $0) }
        #expect(pruned == 2)
        #expect(try await server.deletions().map(\.path) == ["/c"])
    }
}
