import BothyContract
import GRDB
import Testing

@testable import BothyClient

/// The law: replaying operations over cached server state shows the same as performing them on the server and fetching
/// the result.
@Suite struct ViewLawTests {
    private static let seeds = PropertyCases.seeds(12)

    @Test(arguments: LawfulDomain.allCases)
    func replayingOverTheCacheShowsWhatTheServerWouldShow(_ domain: LawfulDomain) async throws {
        for seed in Self.seeds {
            var random = SeededRandom(seed)
            let world = try domain.world()
            for _ in 0..<(3 + random.below(6)) { try await world.step(&random) }
            _ = try await world.send()
            try await world.fetch()
            #expect(try await world.shown() == world.served(), "seed \(seed): the base")
            for _ in 0..<(1 + random.below(8)) { try await world.step(&random) }
            let shown = try await world.shown()
            #expect(try await world.send() == .done, "seed \(seed)")
            #expect(shown == world.served(), "seed \(seed): replayed, and done")
            #expect(try await world.shown() == shown, "seed \(seed): acknowledged, not fetched yet")
            try await world.fetch()
            #expect(try await world.shown() == shown, "seed \(seed): fetched")
            #expect(try await world.journalIsEmpty(), "seed \(seed): the journal is empty")
        }
    }

    @Test func anOverlayMovedByDeltasIsTheOverlayMadeAnew() async throws {
        for seed in Self.seeds {
            var random = SeededRandom(1_000_000 + seed)
            let drive = PaperDrive()
            let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
            for _ in 0..<6 { try await here.step(&random) }
            _ = try await here.push()
            try await here.pull()
            try await there.pull()
            for _ in 0..<6 { try await here.step(&random) }
            let operations = try await here.store.operations()
            var overlay = try await here.store.overlay()
            for _ in 0..<4 { try await there.step(&random) }
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
                    try await phone.step(&random)
                    _ = try await phone.push()
                case 3:
                    let ids = try await here.store.operations().map(\.id)
                    if let id = ids.first { _ = try await beside.recorder.discard(id) }
                case 4, 5: try await beside.step(&random)
                default: try await here.step(&random)
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
