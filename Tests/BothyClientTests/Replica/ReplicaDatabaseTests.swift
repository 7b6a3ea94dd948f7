import BothyClient
import BothyContract
import Foundation
import GRDB
import Testing

/// Bad days of the replica's file, and how it bears a million rows.
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

    @Test func anOperationThatCannotBeReadDoesNotTakeTheOthersWithIt() async throws {
        let folder = try TemporaryFolder()
        let (old, _) = try await replica(folder)
        _ = try await old.put("third", [3])
        try await old.store.transact { db in
            try db.execute(sql: "UPDATE operations SET payload = '{\"tomorrow\":{}}' WHERE kind = 'star'")
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('900 of tomorrow')")
        }
        try await old.store.close()
        let opening = try ReplicaDatabase.open(path: folder.file("replica.sqlite"), now: old.clock.now())
        #expect(opening.rescued == 2)
        #expect(try await opening.store.operations().map(\.kind) == ["upload", "upload"])
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

    /// `bothy ls` from local state within 50 ms with a million known files: the reading itself, by index.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["BOTHY_LONG"] != nil))
    func aFolderIsListedAtOnceAmongAMillionFiles() async throws {
        let folder = try TemporaryFolder()
        let opening = try ReplicaDatabase.open(path: folder.file("r.sqlite"), now: Timestamp(seconds: 0))
        try await opening.store.transact { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000001)
                    INSERT INTO luids (luid, kind, server_id) SELECT i, 'file', 'id-' || i FROM n
                    """)
            try db.execute(
                sql: """
                    INSERT INTO remote_files (luid, parent, rank, name, size, version, created_ms, updated_ms,
                        modified_s, modified_ns, starred, hidden, executable, link)
                    SELECT luid, CASE WHEN luid <= 1001 THEN 1 ELSE luid % 1000 + 2 END,
                        CASE WHEN luid <= 1001 THEN 0 ELSE 1 END, 'name-' || luid, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1
                    FROM luids WHERE luid > 1
                    """)
        }
        try await opening.store.close()
        let clock = ContinuousClock()
        var shown = 0
        let time = try await clock.measure {
            let store = try ReplicaDatabase.open(path: folder.file("r.sqlite"), now: Timestamp(seconds: 0)).store
            let path = try RemotePath("/name-77")
            shown = try await store.view { view in
                try view.file(at: path).map { try view.children(of: $0.luid).count } ?? 0
            }
            try await store.close()
        }
        #expect(shown == 999 || shown == 1000)
        #expect(time < .milliseconds(50), "\(time)")
        print("ls of \(shown) among 1,000,001: \(time)")
    }
}
