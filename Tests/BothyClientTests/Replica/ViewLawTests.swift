import BothyContract
import GRDB
import Testing

@testable import BothyClient

/// The law: replaying operations over cached server state shows the same as performing them on the server and fetching
/// the result.
@Suite struct ViewLawTests {
    private static let seeds = PropertyCases.seeds(12)

    /// Something that a person might do next; nil where that makes no sense.
    private func step(_ random: inout SeededRandom, _ replica: TestReplica) async throws {
        let all = try await replica.store.view { view in
            var (all, waiting) = ([ReplicaFile](), [LUID.root])
            while let folder = waiting.popLast() {
                for file in try view.children(of: folder) {
                    all.append(file)
                    if file.isFolder { waiting.append(file.luid) }
                }
            }
            return all
        }
        let folders = [LUID.root] + all.filter(\.isFolder).map(\.luid)
        let parent = folders[random.below(folders.count)]
        let name = ["a", "b", "c.txt", "a (1)"][random.below(4)]
        let subject = all.isEmpty ? nil : all[random.below(all.count)]
        let kind = random.below(10)
        do {
            guard kind > 2, let subject else {
                if kind == 0 {
                    try await replica.record(.createFolder(parent: parent, name: name))
                } else {
                    try await replica.record(
                        .upload(
                            parent: parent, name: name, content: replica.content([UInt8(random.below(200))]),
                            conflict: ConflictPolicy.allCases[random.below(3)]))
                }
                return
            }
            switch kind {
            case 3: try await replica.record(.rename(name: name), on: subject.luid)
            case 4, 5: try await replica.record(.move(parent: parent, name: nil), on: subject.luid)
            case 6: try await replica.record(.trash(seen: .anything), on: subject.luid)
            case 7: try await replica.record(.star(!subject.starred), on: subject.luid)
            case 8: try await replica.record(.hide(!subject.hidden), on: subject.luid)
            default:
                if subject.isFolder {
                    try await replica.record(.trash(seen: .anything), on: subject.luid)
                    try await replica.record(.restore, on: subject.luid)
                } else {
                    try await replica.record(
                        .newRevision(
                            content: replica.content([UInt8(random.below(200)), 1]), base: subject.headRevisionId),
                        on: subject.luid)
                }
            }
        } catch is ClientFailure {
            // Refused at once, as the server would: nothing was recorded, and nothing may be shown of it.
        }
    }

    @Test func replayingOverTheCacheShowsWhatTheServerWouldShow() async throws {
        for seed in Self.seeds {
            var random = SeededRandom(seed)
            let replica = try TestReplica(PaperDrive())
            for _ in 0..<(3 + random.below(6)) { try await step(&random, replica) }
            _ = try await replica.push()
            try await replica.pull()
            #expect(try await replica.shown() == replica.fetched(), "seed \(seed): the base")
            for _ in 0..<(1 + random.below(8)) { try await step(&random, replica) }
            let shown = try await replica.shown()
            #expect(try await replica.push() == .done, "seed \(seed)")
            #expect(shown == replica.fetched(), "seed \(seed): replayed, and done")
            #expect(try await replica.shown() == shown, "seed \(seed): acknowledged, not fetched yet")
            try await replica.pull()
            #expect(try await replica.shown() == shown, "seed \(seed): fetched")
            #expect(try await replica.store.operations().isEmpty, "seed \(seed): the journal is empty")
        }
    }

    @Test func anOverlayMovedByDeltasIsTheOverlayMadeAnew() async throws {
        for seed in Self.seeds {
            var random = SeededRandom(1_000_000 + seed)
            let drive = PaperDrive()
            let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
            for _ in 0..<6 { try await step(&random, here) }
            _ = try await here.push()
            try await here.pull()
            try await there.pull()
            for _ in 0..<6 { try await step(&random, here) }
            let operations = try await here.store.operations()
            var overlay = try await here.store.overlay()
            for _ in 0..<4 { try await step(&random, there) }
            _ = try await there.push()
            for effect in try await here.pull() {
                overlay = try await here.store.rebased(overlay, effect)
            }
            let fresh = try await here.store.overlay()
            #expect(Set(overlay.touched) == Set(fresh.touched), "seed \(seed)")
            for operation in operations {
                #expect(overlay.refusal(of: operation.id) == fresh.refusal(of: operation.id), "seed \(seed)")
            }
        }
    }

    /// What is shown by an overlay that this process has kept, and by one that is made anew.
    private func expectTheSame(_ store: ReplicaStore, _ comment: Testing.Comment) async throws {
        let fresh = try await store.overlay()
        let things = fresh.touched.sorted()
        let anew = try await store.ground { ground in try things.map { try fresh.file($0, over: ground) } }
        let (touched, kept) = try await store.view { view in
            (view.overlay.touched.sorted(), try things.map { try view.file($0) })
        }
        #expect(touched == things && kept == anew, comment)
        for operation in try await store.operations() {
            let refusal = try await store.view { $0.overlay.refusal(of: operation.id) }
            #expect(refusal == fresh.refusal(of: operation.id), comment)
        }
    }

    /// An overlay is kept from one look to the next, and moved by what has changed since, whichever process changed it.
    @Test func whatIsKeptFromOneLookToTheNextShowsTheSameAsWhatIsMadeAnew() async throws {
        for seed in Self.seeds {
            var random = SeededRandom(2_000_000 + seed)
            let (drive, folder) = (PaperDrive(), try TemporaryFolder())
            let here = try TestReplica(drive, folder: folder)
            let beside = try TestReplica(drive, folder: folder)
            let phone = try TestReplica(drive, device: "phone")
            for round in 0..<12 {
                switch random.below(8) {
                case 0: _ = try await here.push()
                case 1: try await beside.pull()
                case 2:
                    try await phone.pull()
                    try await step(&random, phone)
                    _ = try await phone.push()
                case 3:
                    let ids = try await here.store.operations().map(\.id)
                    if let id = ids.first { _ = try await beside.recorder.discard(id) }
                case 4, 5: try await step(&random, beside)
                default: try await step(&random, here)
                }
                try await expectTheSame(here.store, "seed \(seed), round \(round): here")
                if random.below(2) == 0 {
                    try await expectTheSame(beside.store, "seed \(seed), round \(round): beside")
                }
            }
            try await expectTheSame(beside.store, "seed \(seed): beside, in the end")
        }
    }

    /// What was rolled back was shown from then on, where its place in the log was given again.
    @Test func whatIsRolledBackIsNotShown() async throws {
        struct Undone: Error {}
        let folder = try TemporaryFolder()
        let replica = try TestReplica(PaperDrive(), folder: folder)
        let beside = try TestReplica(replica.drive, folder: folder)
        try await replica.pull()
        let file = try await replica.put("a", [1])
        _ = try await replica.shown()
        await #expect(throws: Undone.self) {
            try await replica.store.transactOnView { db, shown in
                try db.execute(sql: "DELETE FROM operations")
                // Who looks within the transaction sees it, and the place in the log that it has there.
                try shown.catchUp(over: DatabaseGround(db: db))
                throw Undone()
            }
        }
        try await beside.record(.star(true), on: file)
        try await expectTheSame(replica.store, "rolled back")
        #expect(try await replica.shown().count == 1)
    }
}
