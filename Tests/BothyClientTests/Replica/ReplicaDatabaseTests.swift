import BothyContract
import Foundation
import GRDB
import Testing

@testable import BothyClient

/// Bad days of the replica's file, and what reading it costs.
@Suite struct ReplicaDatabaseTests {
    private func replica(_ folder: TemporaryFolder) async throws -> (TestReplica, LUID) {
        let replica = try TestReplica(PaperDrive(), folder: folder)
        let file = try await replica.put("a", [1])
        _ = try await replica.push()
        try await replica.pull()
        try await replica.record(.star(true), on: file)
        _ = try await replica.put("waiting", [2])
        return (replica, file)
    }

    @Test func aNewerBothysFileIsSetAsideAndWhatWaitsComesAlong() async throws {
        let folder = try TemporaryFolder()
        let (old, file) = try await replica(folder)
        try await old.store.transact { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('900 of tomorrow')")
        }
        try await old.store.close()
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        #expect(opening.setAside != nil && opening.rescued == 2)
        let again = try TestReplica(old.drive, folder: folder)
        #expect(try await again.store.operations().map(\.kind) == ["star", "upload"])
        try await again.pull()
        #expect(try await again.luid("/a") == file)
        #expect(try await again.push() == .done)
        #expect(again.fetched().contains { $0.hasPrefix("/a ") && $0.hasSuffix("★") })
        #expect(again.fetched().count == 2)
    }

    @Test func whatWaitsForTheFeedComesAlongAsWhatWaitsOfFilesDoes() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        let (clock, store) = (old.clock, old.store)
        let feed = FeedStore(replica: { store }, settings: try .inMemory(), clock: clock)
        let post = try await feed.record(.publish(NewPostRequest(requestId: nil, content: "<p>a</p>")), requestId: "p")
        let like = try await feed.record(.interact(post: 7, .liked), requestId: "l")
        let comment = try await feed.record(
            .comment(post: 7, NewCommentRequest(requestId: nil, content: "<p>b</p>")), requestId: "c")
        try await old.store.close()
        try Data().write(to: URL(fileURLWithPath: folder.file("replica.sqlite.damaged")))
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: clock.now())
        #expect(opening.setAside != nil && opening.rescued == 5)
        let again = FeedStore(replica: { opening.store }, settings: try .inMemory(), clock: clock)
        #expect(try await again.operations() == [post, like, comment])
        #expect(try await opening.store.journal().map(\.kind) == ["star", "upload", "post", "interact", "comment"])
    }

    /// A table of yesterday's, without domains.
    @Test func theJournalOfAnEarlierBothyComesAlong() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try await old.store.transact { db in
            try db.execute(sql: "ALTER TABLE operations DROP COLUMN domain")
        }
        try await old.store.close()
        try Data().write(to: URL(fileURLWithPath: folder.file("replica.sqlite.damaged")))
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        #expect(opening.rescued == 2)
        #expect(try await opening.store.operations().map(\.kind) == ["star", "upload"])
    }

    @Test func somethingOfAKindThatIsNotKnownStopsTheRescueInWords() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try await old.store.transact { db in
            try db.execute(sql: "UPDATE operations SET domain = 'tomorrow' WHERE kind = 'star'")
        }
        try await old.store.close()
        try Data().write(to: URL(fileURLWithPath: folder.file("replica.sqlite.damaged")))
        let failure = #expect(throws: ClientFailure.self) {
            try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        }
        #expect(failure?.code == .homeUnusable && failure?.words.contains("1 of its unsent changes") == true)
    }

    @Test func aDamagedFileIsSetAsideAndRebuiltFromTheServer() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try await old.store.close()
        for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file("replica.sqlite\(log)")) }
        try Data(repeating: 0x5A, count: 40_000).write(to: URL(fileURLWithPath: folder.file("replica.sqlite")))
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        #expect(opening.setAside != nil && opening.rescued == 0)
        try await opening.store.close()
        let again = try TestReplica(old.drive, folder: folder)
        try await again.pull()
        #expect(try await again.shown().count == 1)
    }

    @Test func aFileThatTurnsOutDamagedIsSetAsideWhenItIsOpenedNext() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try await old.store.close()
        try Data().write(to: URL(fileURLWithPath: folder.file("replica.sqlite.damaged")))
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        #expect(opening.setAside != nil && opening.rescued == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.file("replica.sqlite.damaged")))
    }

    /// A full disk, or a crash: the rescue is begun again by whoever opens it next.
    @Test func aRescueThatDidNotComeToItsEndLosesNothing() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try await old.store.close()
        let path = folder.file("replica.sqlite")
        try Data().write(to: URL(fileURLWithPath: "\(path).damaged"))
        try FileManager.default.createDirectory(atPath: "\(path).rescued", withIntermediateDirectories: false)
        #expect(throws: ClientFailure.self) { try ReplicaDatabase.open(path: path, now: old.clock.now()) }
        #expect(FileManager.default.fileExists(atPath: path), "the old one stays until the new one is whole")
        try FileManager.default.removeItem(atPath: "\(path).rescued")
        try Data(repeating: 1, count: 5_000).write(to: URL(fileURLWithPath: "\(path).rescued"))
        let opening = try ReplicaDatabase.open(path: path, now: old.clock.now())
        #expect(opening.rescued == 2)
        try await opening.store.close()
        for left in [".rescued", ".damaged", ".rescue-lock"] {
            #expect(!FileManager.default.fileExists(atPath: path + left))
        }
    }

    @Test func aRescueThatOnlyLacksItsLastStepTakesIt() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        try old.store.closeWhole()
        let path = folder.file("replica.sqlite")
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).rescued-whole")
        try Data().write(to: URL(fileURLWithPath: "\(path).set-aside-7"))
        try Data("of the old one".utf8).write(to: URL(fileURLWithPath: "\(path)-wal"))
        try Data().write(to: URL(fileURLWithPath: "\(path).damaged"))
        let opening = try ReplicaDatabase.open(path: path, now: old.clock.now())
        #expect(opening.setAside == "\(path).set-aside-7" && opening.rescued == 2)
        #expect(try await opening.store.operations().map(\.kind) == ["star", "upload"])
        try await opening.store.close()
        for left in [".rescued", ".rescued-whole", ".damaged", ".rescue-lock"] {
            #expect(!FileManager.default.fileExists(atPath: path + left))
        }
    }

    /// Without what SQLite keeps beside its files.
    private func files(in folder: TemporaryFolder) throws -> [String] {
        try folder.names().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    /// It was dropped, and nobody was told.
    @Test func anOperationThatCannotBeReadStopsTheRescueInWords() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        _ = try await old.put("third", [3])
        try await old.store.transact { db in
            try db.execute(sql: "UPDATE operations SET payload = '{\"tomorrow\":{}}' WHERE kind = 'star'")
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('900 of tomorrow')")
        }
        try await old.store.close()
        let path = folder.file("replica.sqlite")
        let before = try files(in: folder)
        for _ in 0..<2 {
            let failure = #expect(throws: ClientFailure.self) {
                try ReplicaDatabase.open(path: path, now: old.clock.now())
            }
            #expect(failure?.code == .homeUnusable && failure?.words.contains("1 of its unsent changes") == true)
            #expect(failure?.remedy.contains("--leave-unreadable") == true)
        }
        #expect(try files(in: folder) == before, "and nothing was begun")
        let opening = try ReplicaDatabase.open(path: path, now: old.clock.now(), leavingUnreadable: true)
        #expect(opening.setAside != nil && opening.rescued == 2)
        #expect(try await opening.store.operations().map(\.kind) == ["upload", "upload"])
    }

    /// One LUID that could not be read took all the others with it.
    @Test func aLuidThatCannotBeReadTakesNoOtherWithIt() async throws {
        let folder = try TemporaryFolder()
        let (old, file) = try await replica(folder)
        _ = try await old.put("third", [3])
        let luids = try await old.store.operations().map(\.subject)
        try await old.store.close()
        let path = folder.file("replica.sqlite")
        let work = try RescuedWork.read(from: path, leavingUnreadable: false)
        #expect(work.operations.count == 3)
        // A row that SQLite refuses to give: a virtual machine of its own stands for a damaged page.
        let faulty = try DatabaseQueue(path: path)
        try await faulty.write { db in
            try db.execute(sql: "ALTER TABLE luids RENAME TO all_luids")
            try db.execute(
                sql: """
                    CREATE VIEW luids AS SELECT luid, kind, server_id, local_id, content_hash,
                        iif(luid = \(file.value), json('damaged'), same_as) AS same_as FROM all_luids
                    """)
        }
        try faulty.close()
        #expect(throws: ClientFailure.self) { try RescuedWork.read(from: path, leavingUnreadable: false) }
        let left = try RescuedWork.read(from: path, leavingUnreadable: true)
        #expect(left.operations.map(\.facts.subject) == luids.filter { $0 != file })
        let fresh = try ReplicaDatabase.inMemory()
        try fresh.takeOver(left)
        for luid in luids where luid != file {
            #expect(try await fresh.transact { db in try LuidTable.kind(of: luid, in: db) } == .file)
        }
    }

    /// Nothing is known of a file that cannot be opened: its name decided.
    @Test func aHomeWhoseNameSaysDamagedIsNotTakenForDamaged() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("damaged/replica.sqlite")
        #expect(throws: ClientFailure.self) { try ReplicaDatabase.open(path: path, now: Timestamp(seconds: 1)) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(throws: ClientFailure.self) { try ReplicaDatabase.open(path: path, now: Timestamp(seconds: 1)) }
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
    }

    /// Nobody knows what is in it: that is no damage, and nothing is begun without it.
    @Test func aFileThatCannotBeOpenedNowIsNotDoneWithout() throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: ClientFailure.self) {
            try RescuedWork.read(from: folder.path, leavingUnreadable: true)
        }
        #expect(failure != nil && failure?.isDamage == nil)
    }

    @Test func whatAPersonHasSetComesAlongToo() async throws {
        let folder = try TemporaryFolder()
        let drive = PaperDrive()
        let device = try TestEngine(drive, folder: folder)
        let file = try await device.put("a", [1])
        try await device.sync()
        try await device.engine.pin(file)
        try await device.engine.setConflictPolicy(.merge, of: file)
        try await device.engine.setConflictPolicy(.ask, of: .root)
        try await device.engine.close()
        try Data().write(to: URL(fileURLWithPath: folder.file("replica.sqlite.damaged")))
        let again = try TestEngine(drive, folder: folder)
        #expect(try await again.engine.setAside() != nil)
        try await again.sync()
        #expect(try await again.engine.pins() == [file])
        #expect(try await again.engine.conflictPolicy(of: file) == .merge)
        #expect(try await again.engine.conflictPolicy(of: .root) == .ask)
    }

    /// `bothy ls` from local state: among many files as among few, the same statements, each a search by an index. How long a
    /// command takes with a million stands in docs/performance.md.
    @Test func listingAFolderGoesThroughThatFolderAlone() async throws {
        var costs = [[String]]()
        for files in [1_000, 20_000] {
            let folder = try TemporaryFolder()
            let store = try ReplicaDatabase.open(path: folder.file("r.sqlite"), now: Timestamp(seconds: 0)).store
            try await store.fill(files: files, in: files / 100)
            let run = StatementsRun()
            let path = try RemotePath("/name-7")
            let (shown, scans) = try await store.view { view in
                run.follow(view.ground.db)
                let shown = try view.file(at: path).map { try view.children(of: $0.luid).count }
                run.end(on: view.ground.db)
                return (shown, try run.scans(in: view.ground.db))
            }
            try await store.close()
            #expect(shown == 100 && scans == [])
            costs.append(run.all)
        }
        #expect(costs[0] == costs[1] && costs[0].count <= 8, "\(costs[0])")
    }
}
