import BothyClient
import BothyContract
@testable import BothySync
import Foundation
import Testing

/// What a device keeps of its folders in step.
@Suite struct BindingStoreTests {
    let folder: TemporaryFolder
    let store: BindingStore
    let binding = Binding(
        id: "b1", localPath: "/home/anna/box", remoteId: "f0", remotePath: "/box", accountId: "a",
        mark: "m", root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: ["*.o"],
        createdAt: Timestamp(seconds: 5))

    init() throws {
        folder = try TemporaryFolder()
        store = BindingStore(database: try ClientDatabase(path: folder.file("client.sqlite")))
    }

    private func bound(
        _ id: String, inode: UInt64 = 2, to remoteId: String = "f0", of account: String = "a",
        at createdAt: Timestamp = Timestamp(seconds: 5)
    ) -> Binding {
        Binding(
            id: id, localPath: "/home/anna/box", remoteId: remoteId, remotePath: "/box", accountId: account, mark: "m",
            root: LocalStamp(inode: inode), deletions: .mirror, conflicts: .fork, exclude: [], createdAt: createdAt)
    }

    private func tieAndAgree() async throws {
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f1", "a"), named: "a", under: "f0")
        try await store.tie(binding)
        try await settle(tree, written: ["f1"])
    }

    private func facts(_ id: String, _ name: NodeName, _ kind: NodeKind = .file) -> SyncedFacts {
        SyncedFacts(
            remoteId: id, kind: kind, remoteName: name,
            local: LocalStamp(
                inode: .max, size: 9, modifiedAt: Timestamp(seconds: -5, nanoseconds: 123_456_789),
                changedAt: Timestamp(seconds: 7), bornAt: Timestamp(seconds: 8, nanoseconds: 1)),
            baseRevisionId: "r", checksum: ContentHash(bytes: [UInt8](repeating: 3, count: 32)), size: 9,
            remoteModifiedAt: Timestamp(seconds: 1, nanoseconds: 999_999_999), version: 4,
            mark: .unsynced(.deletedElsewhere))
    }

    private func settle(_ tree: SyncedTree, written: [String] = [], removed: [String] = []) async throws {
        let pass = try await store.beginPass(
            of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        let decision = Decision(passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace())
        let rows = SettledRows(written: written, removed: removed)
        try await store.settle([SettledStep(decision, rows, of: tree, answered: nil)], binding: binding.id)
    }

    @Test func whatIsAgreedOnIsReadAsItWasWritten() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f9", "docs", .folder), named: "docs", under: "f0")
        tree.put(facts("f1", "server name"), named: "name here", under: "f9")
        // The file is written before its folder: a tree is read in any order.
        try await settle(tree, written: ["f1"])
        try await settle(tree, written: ["f9"])
        let read = try await store.syncedTree(of: binding)
        #expect(read.facts(at: "docs/name here") == facts("f1", "server name"))
        #expect(read.facts("f9") == facts("f9", "docs", .folder))
        #expect(try await store.find("b1") == binding)
    }

    /// Its files stayed here unsynced where a pass ended after the first step.
    @Test func thatAFolderIsSentAgainIsKnownUntilAllInItIsSent() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f9", "docs", .folder), named: "docs", under: "f0")
        tree.put(facts("f8", "deep", .folder), named: "deep", under: "f9")
        tree.put(facts("f1", "server name"), named: "name here", under: "f9")
        tree.put(facts("f2", "b"), named: "b", under: "f8")
        tree.put(facts("f3", "c"), named: "c", under: "f8")
        try await settle(tree, written: ["f9", "f8", "f1", "f2", "f3"])
        try await store.choose(.sendAgain, at: "docs", of: binding.id)
        try await store.choose(.confirmDeletion, at: "docs/deep/c", of: binding.id)
        let pass = try await store.beginPass(
            of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let folder = LocalFingerprint(LocalFacts(kind: .folder, stamp: LocalStamp(inode: 3)))
        let sent: [(step: Step, id: String, left: [Place: Choice])] = [
            (
                .makeRemoteFolder(
                    at: Spot("docs", folderId: "f0", remoteName: "docs"), mine: folder, insteadOf: "f9"), "n9",
                ["docs/deep": .sendAgain, "docs/name here": .sendAgain, "docs/deep/c": .confirmDeletion]
            ),
            (
                .makeRemoteFolder(
                    at: Spot("docs/deep", folderId: "n9", remoteName: "deep"), mine: folder, insteadOf: "f8"), "n8",
                ["docs/deep/b": .sendAgain, "docs/name here": .sendAgain, "docs/deep/c": .confirmDeletion]
            ),
            (
                .upload(
                    at: Spot("docs/deep/b", folderId: "n8", remoteName: "b"), mine: mine, over: nil, insteadOf: "f2"),
                "n2", ["docs/name here": .sendAgain, "docs/deep/c": .confirmDeletion]
            ),
        ]
        for (step, id, left) in sent {
            let action = Action(step, .keptByChoice)
            let decision = Decision(
                passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: Decision.Trace(remoteId: id))
            let isFolder = step.makesFolder
            let remote = RemoteFacts(
                id: id, kind: isFolder ? .folder : .file, checksum: isFolder ? nil : .ofNothing)
            let rows = tree.settle(action, Outcome(remote: remote))
            try await store.settle([SettledStep(decision, rows, of: tree, answered: nil)], binding: binding.id)
            #expect(try await store.choices(of: binding.id) == left)
        }
    }

    @Test func aConflictThatIsOpenAgainIsKnownUntilBothSidesHaveOneContent() async throws {
        try await store.save(binding)
        let pass = try await store.beginPass(of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: true)
        let there = RemoteFingerprint(
            RemoteFacts(
                id: "f1", kind: .file, checksum: .ofNothing, size: 0, modifiedAt: Timestamp(seconds: 1), version: 2))
        let spot = Spot("a", folderId: "f0", remoteName: "a")
        func settle(_ step: Step, _ change: (inout Decision.Trace) -> Void = { _ in }) async throws -> [String] {
            var trace = Decision.Trace(remoteId: "f1")
            change(&trace)
            let decision = Decision(
                passId: pass.id, at: Timestamp(seconds: 1), action: Action(step, .editedThere), trace: trace)
            let tree = SyncedTree(rootId: "f0", root: binding.root)
            let step = SettledStep(decision, SettledRows(), of: tree, answered: nil)
            try await store.settle([step], binding: binding.id)
            return try await store.reopened(of: binding.id)
        }
        let download = Step.download(at: spot, theirs: there, over: nil)
        let reopened = try await settle(download) {
            $0.reversal = .exchangeHere(at: "a", taking: .nothing, bringing: "k")
            $0.reopened = Reopened(id: "f1", agreed: nil)
        }
        #expect(reopened == ["f1"])
        let move = Step.moveRemote(there, at: "a", to: spot, settles: true)
        #expect(try await settle(move) == ["f1"])
        let unmerged = try await settle(.merge(at: "a", base: nil, mine: mine, theirs: there)) {
            $0.couldNotMerge = true
        }
        #expect(unmerged == ["f1"])
        #expect(try await settle(download) == [])
        _ = try await settle(download) { $0.reopened = Reopened(id: "f1", agreed: nil) }
        try await store.untie(binding, at: Timestamp(seconds: 9))
        #expect(try await store.reopened(of: binding.id) == [])
    }

    private var mine: LocalFingerprint { LocalFingerprint(LocalFacts(kind: .file, hash: .ofNothing)) }

    @Test func ofAPassThatOneConflictWasTakenBackOfTheRestStands() async throws {
        try await store.save(binding)
        func begin(undoing: Int64? = nil, conflict: Int64? = nil) async throws -> SyncPass {
            try await store.beginPass(
                of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: true, undoing: undoing,
                conflict: conflict)
        }
        func note(_ id: String, in pass: SyncPass, _ change: (inout Decision.Trace) -> Void = { _ in }) async throws {
            let spot = Spot(Place(text: id), folderId: "f0", remoteName: "a")
            let there = RemoteFingerprint(RemoteFacts(id: id, kind: .file))
            var trace = Decision.Trace(remoteId: id)
            change(&trace)
            let reason = trace.reversal == nil ? Reason.conflictTheirsChosen : .takenBack
            let action = Action(.download(at: spot, theirs: there, over: mine), reason)
            let decision = Decision(passId: pass.id, at: Timestamp(seconds: 1), action: action, trace: trace)
            try await store.note(decision, of: binding.id)
        }
        let before = try await begin()
        let pass = try await begin()
        for id in ["f1", "f2"] { try await note(id, in: pass) }
        let decisions = try await store.decisions(of: pass.id)
        #expect(try await store.decided(since: before) == ["f1", "f2"])
        #expect(try await store.undoing(ofConflict: decisions[0].id, in: pass.id) == nil)

        let undoing = try await begin(undoing: pass.id, conflict: decisions[0].id)
        try await note("f1", in: undoing) {
            $0.reversal = .exchangeHere(at: "f1", taking: .nothing, bringing: "k")
            $0.reversed = decisions[0].id
            $0.reopened = Reopened(id: "f1", agreed: nil)
        }
        #expect(try await store.undoing(ofConflict: decisions[0].id, in: pass.id) == undoing)
        #expect(try await store.standing(of: pass.id) == [decisions[1]])
        #expect(try await store.standing(of: pass.id, but: undoing.id) == decisions)
        #expect(try await store.decided(since: before) == ["f2"])
        #expect(try await store.pass(pass.id)?.undoneBy == nil, "all of it can be taken back still")
    }

    /// What failed by itself waits for another try; what others have changed since waits for nobody.
    @Test func anUndoingIsUnfinishedWhileSomethingOfItMayGoWellAnotherTime() async throws {
        try await store.save(binding)
        func begin(undoing: Int64? = nil) async throws -> SyncPass {
            try await store.beginPass(
                of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: true, undoing: undoing)
        }
        let pass = try await begin()
        let undoing = try await begin(undoing: pass.id)
        func tried(_ step: Int64, _ failure: ClientFailure?, mayGoWell: Bool? = nil) async throws {
            var trace = Decision.Trace(failure: failure, reversal: .untrashThere(id: "f\(step)", at: "f"))
            (trace.reversed, trace.mayGoWell) = (step, mayGoWell)
            let action = Action(.forget(remoteId: "f\(step)", at: "f"), .takenBack)
            let decision = Decision(passId: undoing.id, at: Timestamp(seconds: 1), action: action, trace: trace)
            try await store.note(decision, of: binding.id)
        }
        func expect(inPart: Bool, unfinished: Bool) async throws {
            let found = try await store.pass(pass.id)
            #expect(found?.undoneBy == undoing.id && found?.isUndoneInPart == inPart && found?.isUnfinished == false)
            #expect(try await store.pass(undoing.id)?.isUnfinished == unfinished)
        }
        try await expect(inPart: true, unfinished: true)
        try await tried(1, nil)
        try await tried(2, ClientFailure(.permissionDenied, "No."), mayGoWell: true)
        try await tried(3, ClientFailure(.changedMeanwhile, "Another."))
        try await store.endPass(undoing, at: Timestamp(seconds: 2))
        try await expect(inPart: true, unfinished: true)
        try await store.reopen(undoing)
        try await tried(2, nil)
        try await store.endPass(undoing, at: Timestamp(seconds: 3))
        try await expect(inPart: true, unfinished: false)
        #expect(try await store.failedLast(of: binding.id) == ["f"])
        try await tried(3, nil)
        try await expect(inPart: false, unfinished: false)
        #expect(try await store.failedLast(of: binding.id) == [])
    }

    @Test func aFileInTheTrashIsFoundByItsContent() async throws {
        let content = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        func trashed(_ keep: String, _ checksum: ContentHash?, of binding: String, at moment: Int64) -> TrashedHere {
            TrashedHere(
                keep: keep, bindingId: binding, place: "app.log", isFolder: false, size: 9, checksum: checksum,
                reason: .editedThere, takenAt: Timestamp(seconds: moment), livedAt: 1)
        }
        let items = [
            trashed("old", content, of: "b1", at: 1), trashed("new", content, of: "b1", at: 2),
            trashed("unread", nil, of: "b1", at: 3), trashed("elsewhere", content, of: "b2", at: 4),
        ]
        for item in items { try await store.addToTrash(item) }
        #expect(try await store.trash(of: nil) == Array(items.reversed()))
        #expect(try await store.trashed(content, of: "b1", most: 9) == ["new", "old"])
        #expect(try await store.trashed(content, of: "b1", most: 1) == ["new"])
        try await store.removeFromTrash("new")
        #expect(try await store.trashed(content, of: "b1", most: 9) == ["old"])
    }

    /// A folder with a file goes to the local trash as `k1`.
    private func trashAFolder() async throws -> [AgreedRow] {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f9", "docs", .folder), named: "docs", under: "f0")
        tree.put(facts("f1", "server name"), named: "name here", under: "f9")
        try await settle(tree, written: ["f9", "f1"])
        let agreed = tree.rows(of: "f9")
        let pass = try await store.beginPass(
            of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let mine = LocalFingerprint(LocalFacts(kind: .folder, stamp: LocalStamp(inode: 3)))
        let action = Action(.trashLocal(mine, remoteId: "f9", at: "docs", count: 2), .deletedThere)
        try await store.addToTrash(
            TrashedHere(
                keep: "k1", bindingId: binding.id, place: "docs", isFolder: true, size: 0, reason: .deletedThere,
                takenAt: Timestamp(seconds: 2), livedAt: 10))
        let decision = Decision(
            passId: pass.id, at: Timestamp(seconds: 2), action: action, trace: Decision.Trace(keep: "k1"))
        let rows = tree.settle(action, Outcome())
        try await store.settle([SettledStep(decision, rows, of: tree, answered: nil)], binding: binding.id)
        #expect(try await store.syncedTree(of: binding).node("f9") == nil)
        return agreed
    }

    private func agreedOnTrashed() async throws -> [AgreedRow] {
        try await store.agreed(onTrashed: "k1").sorted { $0.facts.remoteId > $1.facts.remoteId }
    }

    @Test func whatWasAgreedOnOfAFolderIsKnownForAsLongAsItLiesInTheTrash() async throws {
        let agreed = try await trashAFolder()
        #expect(try await agreedOnTrashed() == agreed && agreed.count == 2)
        try await store.removeFromTrash("k1")
        #expect(try await agreedOnTrashed().isEmpty)
    }

    @Test func whatWasAgreedOnOfAFolderThatAnUndoingBroughtBackIsKnownUntilItEnds() async throws {
        let agreed = try await trashAFolder()
        try await store.forgetAgreed(onTrashed: ["k1"])
        #expect(try await agreedOnTrashed() == agreed, "it lies in the trash still")
        try await store.takeFromTrash("k1")
        #expect(try await agreedOnTrashed() == agreed)
        #expect(try await store.trash(of: nil).isEmpty)
        try await store.forgetAgreed(onTrashed: ["k1"])
        #expect(try await agreedOnTrashed().isEmpty)
    }

    @Test func aFolderThatIsAnotherOnTheServerNow_keepsAllBelowIt() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        tree.put(facts("f9", "docs", .folder), named: "docs", under: "f0")
        tree.put(facts("f8", "old", .folder), named: "old", under: "f9")
        tree.put(facts("f1", "a"), named: "a", under: "f8")
        try await settle(tree, written: ["f9", "f8", "f1"])
        let another = RemoteFingerprint(RemoteFacts(id: "f7", kind: .folder))
        let rows = tree.settle(Action(.rebind(remoteId: "f9", to: another, at: "docs"), .recreatedThere), Outcome())
        try await settle(tree, written: rows.written, removed: rows.removed)
        let read = try await store.syncedTree(of: binding)
        #expect(read.facts(at: "docs")?.remoteId == "f7")
        #expect(read.facts(at: "docs/old/a")?.remoteId == "f1")
    }

    @Test func whatHasGivenItsPlaceAway_isReadSo() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        for id in ["f1", "f2", "f3"] { tree.put(facts(id, "a"), named: "a", under: "f0") }
        try await settle(tree, written: ["f1", "f2", "f3"])
        let read = try await store.syncedTree(of: binding)
        for id in ["f1", "f2", "f3"] {
            let (there, here) = (try #require(tree.node(id)), try #require(read.node(id)))
            #expect(tree.tree.name(of: there) == read.tree.name(of: here) && read[here] == tree[there])
        }
    }

    @Test func aForgottenFolderTakesWhatIsInItAlong() async throws {
        var tree = SyncedTree(rootId: "f0")
        tree.put(facts("f9", "docs", .folder), named: "docs", under: "f0")
        tree.put(facts("f1", "a"), named: "a", under: "f9")
        try await settle(tree, written: ["f9", "f1"])
        tree.remove("f9")
        try await settle(tree, removed: ["f9"])
        #expect(try await store.syncedTree(of: binding).tree.count == 1)
    }

    @Test func anActionIsSentUnderOneIdUntilItIsAnswered() async throws {
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        func id(_ fresh: String) async throws -> String {
            let beginning = BindingStore.Beginning(action: try JSONColumn.text(action), key: "k", fresh: fresh)
            return try await store.requestIds(of: [beginning], binding: "b1")[0]
        }
        #expect(try await id("one") == "one")
        #expect(try await id("two") == "one")
        #expect(
            try await store.unanswered(binding: "b1") == [Unanswered(key: "k", requestId: "one", action: action)])
        try await store.forgetRequest("k", binding: "b1")
        #expect(try await id("three") == "three")
    }

    @Test func aDeviceLivesByItsUptimeAlone() async throws {
        #expect(try await store.livedSeconds(uptime: 100) == 100)
        #expect(try await store.livedSeconds(uptime: 250) == 250)
        // Started anew.
        #expect(try await store.livedSeconds(uptime: 30) == 280)
    }

    @Test func untyingForgetsEverythingOfABinding() async throws {
        try await store.save(binding)
        var tree = SyncedTree(rootId: "f0")
        tree.put(facts("f1", "a"), named: "a", under: "f0")
        try await settle(tree, written: ["f1"])
        try await store.untie(binding, at: Timestamp(seconds: 9))
        #expect(try await store.all().isEmpty)
        #expect(try await store.passes(of: "b1", limit: 5).isEmpty)
    }

    /// What was edited on one side while a folder was untied came beside the other side's as “(1)” when it was tied again.
    @Test func whatWasAgreedOnIsAgreedOnAgainWhereTheSameTwoAreTied() async throws {
        try await tieAndAgree()
        try await store.untie(binding, at: Timestamp(seconds: 9))
        let again = bound("b2")
        #expect(try await store.treeToTie(again).facts(at: "a") == facts("f1", "a"))
        for other in [bound("b2", inode: 3), bound("b2", to: "f8"), bound("b2", of: "b")] {
            #expect(try await store.treeToTie(other).tree.count == 1)
        }
        try await store.tie(again)
        #expect(try await store.syncedTree(of: again).facts(at: "a") == facts("f1", "a"))
        #expect(try await store.treeToTie(bound("b3")).tree.count == 1, "it is another's now")
    }

    /// What the undoing had put back here would count as edits, and go over what others have done since.
    @Test func whereTyingWasTakenBackNothingIsAgreedOnAgain() async throws {
        var bound = binding
        try await tieAndAgree()
        bound.isLinkTakenBack = true
        try await store.write(.link, of: bound)
        try await store.untie(binding, at: Timestamp(seconds: 9))
        #expect(try await store.treeToTie(binding).tree.count == 1)
    }

    @Test func whatWasAgreedOnOfAnUntiedFolderIsForgottenAfterAWhile() async throws {
        try await tieAndAgree()
        try await store.untie(binding, at: Timestamp(seconds: 9))
        let late = bound("b3", at: Timestamp(seconds: 10 + UntiedFolderTable.lifetime))
        #expect(try await store.treeToTie(late).tree.count == 1, "whether or not anything was untied since")
        let other = bound("b2", to: "f8")
        try await store.untie(other, at: Timestamp(seconds: 9 + UntiedFolderTable.lifetime))
        #expect(try await store.treeToTie(binding).tree.count == 2)
        try await store.untie(other, at: Timestamp(seconds: 10 + UntiedFolderTable.lifetime))
        #expect(try await store.treeToTie(binding).tree.count == 1)
    }

    /// `bothy why` looks while the agent makes a pass, and writes down what it found out: the words of a pass before the last
    /// do not come back by that, nor a policy that was changed meanwhile.
    @Test func whoChangesOneThingOfABindingOverwritesNothingElse() async throws {
        var agent = binding
        agent.failure = ClientFailure(.offline, "There is no connection.")
        try await store.save(agent)
        var why = try #require(await store.find("b1"))
        var command = why
        agent.failure = nil
        agent.passedAt = Timestamp(seconds: 50)
        agent.isLinking = false
        try await store.write(.link, .outcome, of: agent)
        command.deletions = .documents
        try await store.write(.choices, of: command)
        why.remotePath = "/moved"
        why.disk = .exact
        try await store.write(.remotePath, .disk, of: why)
        var expected = agent
        (expected.deletions, expected.remotePath, expected.disk) = (.documents, "/moved", .exact)
        #expect(try await store.find("b1") == expected)
    }

    /// All that can change is in one of the parts.
    @Test func thePartsAreTheWhole() async throws {
        try await store.save(binding)
        var other = binding
        (other.deletions, other.conflicts) = (.documents, .ask)
        other.leavesOut = LeftOut(patterns: ["x"], largestFile: 9, endings: ["iso"])
        (other.link, other.isLinking, other.isLinkTakenBack) = (7, false, true)
        (other.remotePath, other.disk, other.passedAt) = ("/other", .exact, Timestamp(seconds: 9))
        other.failure = ClientFailure(.offline, "There is no connection.")
        (other.waits.conflicts, other.diskNumber) = (2, .max)
        for part in BindingPart.allCases { try await store.write(part, of: other) }
        #expect(try await store.find("b1") == other)
    }
}
