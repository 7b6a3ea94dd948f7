import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What passes took away counts for a guard, until it is there again or a person was told of it.
@Suite struct LossCountTests {
    let folder: TemporaryFolder
    let store: BindingStore
    let binding = Binding(
        id: "b1", localPath: "/home/anna/box", remoteId: "f0", remotePath: "/box", accountId: "a",
        mark: "m", root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
        createdAt: Timestamp(seconds: 5))

    init() throws {
        folder = try TemporaryFolder()
        store = BindingStore(database: try ClientDatabase(path: folder.file("client.sqlite")))
    }

    private func facts(_ id: String, _ kind: NodeKind = .file) -> SyncedFacts {
        SyncedFacts(remoteId: id, kind: kind, remoteName: NodeName(id), local: LocalStamp(inode: .max, size: 9))
    }

    private func settle(_ tree: SyncedTree, written: [String] = [], removed: [String] = []) async throws {
        let pass = try await store.beginPass(
            of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        let decision = Decision(passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace())
        let rows = SettledRows(written: written, removed: removed)
        try await store.settle([SettledStep(decision, rows, of: tree, answered: nil)], binding: binding.id)
    }

    @Test func whatAPassTookAwayIsCountedForADay() async throws {
        let theirs = RemoteFingerprint(RemoteFacts(id: "f1", kind: .folder))
        let action = Action(.trashRemote(theirs, at: "docs", count: 7), .deletedHere)
        for (lived, isConfirmed) in [(1000, false), (2000, true), (100_000, false)] as [(Int64, Bool)] {
            let pass = try await store.beginPass(
                of: "b1", at: Timestamp(seconds: 1), lived: lived, isConfirmed: isConfirmed)
            let decision = Decision(
                passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace())
            try await store.settle(
                [SettledStep(decision, SettledRows(), of: SyncedTree(rootId: "f0"), answered: nil)], binding: "b1")
        }
        #expect(try await store.lostLately(of: "b1", lived: 3000)[.onTheServer] == 14)
        #expect(try await store.lostLately(of: "b1", lived: 100_000)[.onTheServer] == 7)
        #expect(try await store.lostLately(of: "b1", lived: 100_000)[.here] == 0)
    }

    private func lose(_ action: Action, isConfirmed: Bool = false) async throws -> Decision {
        let pass = try await store.beginPass(
            of: "b1", at: Timestamp(seconds: 1), lived: 1000, isConfirmed: isConfirmed)
        let decision = Decision(passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace())
        let step = SettledStep(decision, SettledRows(), of: SyncedTree(rootId: "f0"), answered: nil)
        try await store.settle([step], binding: "b1")
        return decision
    }

    private func takenAway(_ count: Int) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .folder, stamp: LocalStamp(inode: 5)))
        return Action(.trashLocal(mine, remoteId: "f1", at: "docs", count: count), .deletedThere)
    }

    private var lost: [Guard.Direction: Int] {
        get async throws { try await store.lostLately(of: "b1", lived: 1000) }
    }

    @Test func whatIsBroughtBackIsCountedNoMore() async throws {
        _ = try await lose(takenAway(3))
        let lost = try await lose(takenAway(7))
        let undoing = try await store.beginPass(
            of: "b1", at: Timestamp(seconds: 1), lived: 1000, isConfirmed: true, undoing: lost.passId)
        #expect(try await self.lost[.here] == 10, "an undoing that has brought nothing back yet gives nothing back")
        let reversal = Reversal.exchangeHere(at: "docs", taking: .nothing, bringing: "keep")
        let back = Decision(
            passId: undoing.id, at: Timestamp(seconds: 1), action: Action(lost.action.step, .takenBack),
            trace: Decision.Trace(reversal: reversal))
        for _ in 0..<2 {
            let step = SettledStep(
                back, SettledRows(), of: SyncedTree(rootId: "f0"), answered: nil, reversing: lost)
            try await store.settle([step], binding: "b1")
        }
        #expect(try await self.lost[.here] == 3, "and never more than was lost")
    }

    /// Another device, or somebody in a browser, has taken the deletion back: it says nothing of what goes next.
    @Test func whatIsThereAgainIsCountedNoMore_whoeverBroughtItBack() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f1", .folder), named: "docs", under: "f0")
        for id in ["f2", "f3"] { tree.put(facts(id), named: NodeName(id), under: "f1") }
        try await settle(tree, written: ["f1", "f2", "f3"])
        _ = try await lose(takenAway(3))
        var gone = tree
        gone.remove("f1")
        try await settle(gone, removed: ["f1"])
        #expect(try await lost == [.here: 3, .onTheServer: 0])
        try await settle(tree, written: ["f1", "f2"])
        #expect(try await lost[.here] == 1, "one of the files is still gone")
        try await settle(tree, written: ["f1", "f2"])
        #expect(try await lost[.here] == 1, "an edit brings nothing back")
        try await settle(tree, written: ["f3"])
        #expect(try await lost[.here] == 0)
        _ = try await lose(takenAway(3), isConfirmed: true)
        try await settle(tree, written: ["f1", "f2", "f3"])
        _ = try await lose(takenAway(3))
        #expect(try await lost[.here] == 3)
    }

    /// Taken away and brought back by steps that are written down together, where nothing was lost before.
    @Test func whatIsLostAndBroughtBackAtOnceIsNotCounted() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f1", .folder), named: "docs", under: "f0")
        try await settle(tree, written: ["f1"])
        let pass = try await store.beginPass(of: "b1", at: Timestamp(seconds: 1), lived: 1000, isConfirmed: false)
        func step(_ action: Action, _ rows: SettledRows, _ synced: SyncedTree) -> SettledStep {
            let decision = Decision(
                passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace())
            return SettledStep(decision, rows, of: synced, answered: nil)
        }
        var gone = tree
        gone.remove("f1")
        let theirs = RemoteFingerprint(RemoteFacts(id: "f1", kind: .folder))
        let made = Action(
            .makeLocalFolder(at: Spot("docs", folderId: "f0", remoteName: "docs"), theirs: theirs), .createdThere)
        try await store.settle(
            [
                step(takenAway(1), SettledRows(removed: ["f1"]), gone),
                step(made, SettledRows(written: ["f1"]), tree),
            ], binding: "b1")
        #expect(try await lost[.here] == 0)
    }

    @Test func whatAPersonWasToldBeforeSayingYesIsCountedNoMore() async throws {
        let there = RemoteFingerprint(RemoteFacts(id: "f1", kind: .folder))
        _ = try await lose(takenAway(3))
        _ = try await lose(Action(.trashRemote(there, at: "docs", count: 5), .deletedHere))
        _ = try await store.beginPass(
            of: "b1", at: Timestamp(seconds: 1), lived: 1000, isConfirmed: true, covering: [.here])
        #expect(try await lost == [.here: 0, .onTheServer: 5])
        _ = try await lose(takenAway(2))
        #expect(try await lost[.here] == 2)
    }
}
