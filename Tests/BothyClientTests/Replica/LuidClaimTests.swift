import BothyClient
import BothyContract
import GRDB
import Testing

/// A LUID stands for one thing of the server's, for good, and a thing of the server's has one LUID.
@Suite struct LuidClaimTests {
    /// Which LUID each of the server's things has here.
    private func bound(_ replica: TestReplica) async throws -> [Int64: String] {
        try await replica.store.transact { db in
            var bound = [Int64: String]()
            for row in try Row.fetchAll(db, sql: "SELECT luid, server_id FROM luids WHERE server_id IS NOT NULL") {
                bound[row[0]] = row[1]
            }
            return bound
        }
    }

    @Test func theDatabaseRefusesToBindALuidAnew() async throws {
        let replica = try TestReplica(PaperDrive())
        let luid = try await replica.put("a", [1])
        _ = try await replica.push()
        try await replica.pull()
        await #expect(throws: (any Error).self) {
            try await replica.store.transact { db in
                try db.execute(sql: "UPDATE luids SET server_id = 'another' WHERE luid = ?", arguments: [luid.value])
            }
        }
        await #expect(throws: (any Error).self) {
            try await replica.store.transact { db in
                let id = try String.fetchOne(
                    db, sql: "SELECT server_id FROM luids WHERE luid = ?", arguments: [luid.value])
                try db.execute(sql: "INSERT INTO luids (kind, server_id) VALUES ('file', ?)", arguments: [id])
            }
        }
    }

    /// Devices that make the same names with the same contents, in any order, with answers that get lost: what a LUID
    /// stands for never changes, nothing of the server's has two, and what waited here was claimed at most once.
    @Test(arguments: PropertyCases.seeds(10))
    func noLuidIsClaimedTwice(_ seed: UInt64) async throws {
        var dice = SeededRandom(seed)
        let drive = PaperDrive()
        let replicas = try ["kitchen", "phone", "camera"].map { try TestReplica(drive, device: $0) }
        var (known, made) = (Array(repeating: [Int64: String](), count: 3), Array(repeating: Set<LUID>(), count: 3))
        for _ in 0..<24 {
            let number = dice.below(3)
            let replica = replicas[number]
            switch dice.below(6) {
            case 0, 1:
                let (kind, bytes): (LUIDKind, [UInt8]) = (dice.below(2) == 0 ? .photo : .file, [UInt8(dice.below(2))])
                made[number].insert(
                    try await replica.record(
                        .upload(
                            parent: .root, name: "n\(dice.below(2))", content: replica.content(bytes), conflict: .fork),
                        kind: kind))
            case 2:
                let name = "folder \(dice.below(2))"
                if let luid = try? await replica.record(.createFolder(parent: .root, name: name)) {
                    made[number].insert(luid)
                }
            case 3: drive.faults.lostAnswers = dice.below(3)
            case 4:
                try await replica.runner.wake()
                _ = try await replica.push()
            default: try await replica.pull()
            }
            let now = try await bound(replica)
            for (luid, id) in known[number] { #expect(now[luid] == id, "#\(luid) stood for \(id)") }
            #expect(Set(now.values).count == now.count)
            known[number] = now
        }
        drive.faults.lostAnswers = 0
        for _ in 0..<2 {
            for replica in replicas {
                try await replica.runner.wake()
                try await replica.pull()
                while try await replica.push() != .done { try await replica.runner.wake() }
                try await replica.pull()
            }
        }
        let shown = try await replicas[0].shown()
        for (number, replica) in replicas.enumerated() {
            #expect(try await replica.shown() == shown && shown == replica.fetched())
            #expect(Set(try await bound(replica).values).count == drive.files.count)
            // Each thing made here is one of the server's, and no two are the same one.
            let ids = try await replica.ids(of: made[number])
            #expect(ids.values.allSatisfy { $0.count == 1 }, "claimed by two: \(ids)")
        }
    }
}

extension TestReplica {
    /// The LUIDs that stand for each of the server's things, as far as they were not found to be the same as another.
    fileprivate func ids(of luids: Set<LUID>) async throws -> [String: [LUID]] {
        try await store.transact { db in
            var ids = [String: [LUID]]()
            for luid in luids {
                let id = try String.fetchOne(
                    db, sql: "SELECT server_id FROM luids WHERE luid = ?", arguments: [luid.value])
                if let id { ids[id, default: []].append(luid) }
            }
            return ids
        }
    }
}
