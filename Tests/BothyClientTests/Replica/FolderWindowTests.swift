import BothyClient
import BothyContract
import Foundation
import Testing

/// A window that the database answers is cut out of the folder as it is shown, sorted: whatever waits in the journal.
@Suite struct FolderWindowTests {
    private static let seeds = PropertyCases.seeds(30)
    private static let names = ["a", "B", "b", "a2", "A10", "Äpfel", "apfel", "c.txt", "10", "9", "ß", "z 007", "z 7"]

    private func step(_ random: inout SeededRandom, _ replica: TestReplica) async throws {
        let all = try await files(of: replica)
        let parents = [LUID.root] + all.filter(\.isFolder).map(\.luid).prefix(2)
        let parent = parents[random.below(parents.count)]
        let name = Self.names[random.below(Self.names.count)] + ["", " \(random.below(4))"][random.below(2)]
        replica.clock.jump(seconds: Int64(random.below(3)))
        do {
            guard random.below(3) > 0, !all.isEmpty else {
                if random.below(3) == 0 {
                    try await replica.record(.createFolder(parent: parent, name: name))
                } else {
                    let bytes = [UInt8](repeating: 1, count: random.below(4))
                    _ = try await replica.put(name, bytes, in: parent)
                }
                return
            }
            let subject = all[random.below(all.count)]
            switch random.below(6) {
            case 0, 1: try await replica.record(.rename(name: name), on: subject.luid)
            case 2: try await replica.record(.move(parent: parent, name: nil), on: subject.luid)
            case 3: try await replica.record(.trash(seen: .anything), on: subject.luid)
            case 4: try await replica.record(.hide(!subject.hidden), on: subject.luid)
            default:
                guard !subject.isFolder else { return }
                let content = try replica.content([UInt8](repeating: 2, count: random.below(4)))
                try await replica.record(.newRevision(content: content, base: nil), on: subject.luid)
            }
        } catch is ClientFailure {
            // Refused at once, as the server would.
        }
    }

    private func files(of replica: TestReplica) async throws -> [ReplicaFile] {
        try await replica.store.view { view in
            var (all, waiting) = ([ReplicaFile](), [LUID.root])
            while let folder = waiting.popLast() {
                let children = try view.children(of: folder)
                all += children
                waiting += children.filter(\.isFolder).map(\.luid)
            }
            return all
        }
    }

    private func expectWindows(_ replica: TestReplica, _ random: inout SeededRandom, _ seed: UInt64) async throws {
        for folder in [LUID.root] + (try await files(of: replica)).filter(\.isFolder).map(\.luid) {
            let from = random.below(12)
            let ranges = [0..<100, from..<(from + random.below(6)), 3..<4, 200..<201]
            for order in FileOrder.allCases {
                try await replica.store.view { view in
                    let items = try view.children(of: folder).filter { !$0.hidden }.map { FolderItem($0) }
                    let sorted = SortedFolder(items, order: order)
                    for range in ranges {
                        let window = try view.window(of: folder, order: order, range)
                        #expect(
                            window.files.map { FolderItem($0) } == sorted.items(range), "seed \(seed) \(order) \(range)"
                        )
                        #expect(window.total == sorted.count, "seed \(seed)")
                    }
                    #expect(Set(try view.shown(in: folder).map(\.item)) == Set(items.map(\.id)))
                }
            }
        }
    }

    @Test func aWindowIsTheFolderSortedAndCutUp() async throws {
        for seed in Self.seeds {
            var random = SeededRandom(seed)
            let replica = try TestReplica(PaperDrive())
            for _ in 0..<random.below(25) { try await step(&random, replica) }
            _ = try await replica.push()
            try await replica.pull()
            try await expectWindows(replica, &random, seed)
            for _ in 0..<random.below(12) { try await step(&random, replica) }
            try await expectWindows(replica, &random, seed)
        }
    }

    @Test func whatComesFromElsewhereIsCountedToo() async throws {
        for seed in Self.seeds.prefix(10) {
            var random = SeededRandom(100 + seed)
            let drive = PaperDrive()
            let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
            for _ in 0..<4 {
                for _ in 0..<random.below(8) { try await step(&random, there) }
                _ = try await there.push()
                try await there.pull()
                try await here.pull()
                try await expectWindows(here, &random, 100 + seed)
            }
        }
    }

    @Test func aReplicaOfAnOlderBothyIsPutInOrder() async throws {
        var random = SeededRandom(5)
        let drive = PaperDrive()
        let folder = try TemporaryFolder()
        let old = try TestReplica(drive, folder: folder)
        for name in Self.names { _ = try await old.put(name, [1]) }
        _ = try await old.push()
        try await old.pull()
        try await old.store.transact { db in
            try db.execute(
                sql: """
                    DROP INDEX remote_files_by_name;
                    DROP TRIGGER folder_counts_insert; DROP TRIGGER folder_counts_update;
                    DROP TRIGGER folder_counts_delete; DROP TABLE folder_counts;
                    ALTER TABLE remote_files DROP COLUMN name_key;
                    DELETE FROM grdb_migrations WHERE identifier = '006 folders in order';
                    """)
        }
        try await old.store.close()
        let new = try TestReplica(drive, folder: folder)
        try await expectWindows(new, &random, 5)
        #expect(try await new.store.view { try $0.window(of: .root, order: .name, 0..<99).total } == Self.names.count)
    }
}
