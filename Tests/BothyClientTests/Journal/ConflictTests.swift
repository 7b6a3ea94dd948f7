import BothyClient
import BothyContract
import Foundation
import Testing

/// Two who changed the same thing: what each policy makes of it, what a person decides, and taking that back.
@Suite struct ConflictTests {
    private static let base = "one\ntwo\nthree\nfour\nfive\n"
    private static let theirs = "one\ntwo\nthree\nfour\nFIVE\n"
    private static let mine = "ONE\ntwo\nthree\nfour\nfive\n"
    private static let merged = "ONE\ntwo\nthree\nfour\nFIVE\n"
    private static let beside = "a (kitchen's conflict 2023-11-14).txt"

    /// A file that both devices know, changed on both.
    private func bothEdited(
        _ policy: ConflictResolution?, mine: String = mine, theirs: String = theirs
    ) async throws -> (here: TestEngine, there: TestEngine, file: LUID) {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        let file = try await here.put("a.txt", Array(Self.base.utf8))
        try await here.sync()
        try await there.sync()
        if let policy { try await here.engine.setConflictPolicy(policy, of: .root) }
        try await there.edit(
            try #require(try await there.engine.file(at: RemotePath("/a.txt"))).luid, Array(theirs.utf8))
        try await there.sync()
        try await here.edit(file, Array(mine.utf8))
        return (here, there, file)
    }

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    // MARK: - Policies

    @Test func unlessSomethingElseIsChosenBothAreKept() async throws {
        let (here, _, file) = try await bothEdited(nil)
        try await here.sync()
        #expect(try await here.names() == [Self.beside, "a.txt"])
        #expect(text(here.drive.bytes("a.txt")) == Self.theirs)
        #expect(text(here.drive.bytes(Self.beside)) == Self.mine)
        #expect(try await here.engine.operations().isEmpty)
        #expect(try await here.engine.file(file)?.name == "a.txt")
        let news = try await here.engine.takeNews()
        guard case .decided(let decision) = news.first else {
            Issue.record("nobody is told")
            return
        }
        #expect(decision.isAutomatic && decision.choice == .both && decision.path == "/a.txt")
    }

    @Test func toAskWaitsAndLosesNothing() async throws {
        let (here, _, file) = try await bothEdited(.ask)
        try await here.sync()
        let waiting = try #require(try await here.engine.conflicts().first)
        #expect(waiting.subject == file && text(here.drive.bytes("a.txt")) == Self.theirs)
        let path = try #require(waiting.content?.path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.mine)
        #expect(try await here.engine.takeNews() == [.waits(waiting)])
    }

    @Test func theLastWriteWinsAndTheOtherStaysInTheHistory() async throws {
        let (here, _, _) = try await bothEdited(.lastWriteWins)
        try await here.sync()
        #expect(try await here.names() == ["a.txt"])
        #expect(text(here.drive.bytes("a.txt")) == Self.mine)
        let revisions = here.drive.state.withLock { $0.revisions.values.map { text($0) } }
        #expect(revisions.contains(Self.theirs) && revisions.contains(Self.base))
    }

    @Test func textsAreMergedFromTheVersionThatBothHad() async throws {
        let (here, _, _) = try await bothEdited(.merge)
        try await here.sync()
        #expect(try await here.names() == ["a.txt"])
        #expect(text(here.drive.bytes("a.txt")) == Self.merged)
    }

    @Test func whatCannotBeMergedIsKeptBesideAndNeverMarked() async throws {
        let (here, _, _) = try await bothEdited(.merge, mine: "mine\n", theirs: "theirs\n")
        try await here.sync()
        #expect(try await here.names() == [Self.beside, "a.txt"])
        #expect(text(here.drive.bytes("a.txt")) == "theirs\n" && text(here.drive.bytes(Self.beside)) == "mine\n")
    }

    @Test func thePolicyOfTheNearestFolderHolds() async throws {
        let here = try TestEngine(PaperDrive())
        let folder = try await here.makeFolder("notes")
        let file = try await here.put("a", [1], in: folder)
        let other = try await here.put("b", [1])
        #expect(try await here.engine.conflictPolicy(of: file) == .fork)
        try await here.engine.setConflictPolicy(.ask, of: .root)
        try await here.engine.setConflictPolicy(.merge, of: folder)
        #expect(try await here.engine.conflictPolicy(of: file) == .merge)
        #expect(try await here.engine.conflictPolicy(of: other) == .ask)
        try await here.engine.setConflictPolicy(.lastWriteWins, of: file)
        #expect(try await here.engine.conflictPolicy(of: file) == .lastWriteWins)
        try await here.engine.setConflictPolicy(nil, of: file)
        #expect(try await here.engine.conflictPolicy(of: file) == .merge)
    }

    @Test(arguments: ConflictResolution.allCases)
    func everyPolicyMeansSomethingForEveryAction(_ policy: ConflictResolution) throws {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 1, count: 32)))
        let content = PendingContent(
            path: "/x", size: 1, checksum: hash, modifiedAt: Timestamp(seconds: 0), owned: true)
        let trash = PolicyRule.verdict(on: .trash(seen: .anything), policy)
        #expect(trash == (policy == .ask ? .wait : .theirs), "an edit wins over a deletion that had not seen it")
        let edit = PolicyRule.verdict(on: .newRevision(content: content, base: nil), policy)
        let expected: [ConflictResolution: PolicyRule.Verdict] = [
            .ask: .wait, .fork: .both, .lastWriteWins: .mine, .merge: .merge,
        ]
        #expect(edit == expected[policy])
        for action: JournalOperation.Action in [.rename(name: "x"), .createFolder(parent: .root, name: "x")] {
            #expect(PolicyRule.verdict(on: action, policy) == (policy == .ask ? .wait : .both))
        }
        let new = JournalOperation.Action.upload(parent: .root, name: "x", content: content, conflict: .fail)
        #expect(PolicyRule.verdict(on: new, policy, isFolderThere: true) == (policy == .ask ? .wait : .both))
    }

    /// It was asked about three times, and the older edit was the newest version at last.
    @Test func whoKeepsTheirOwnVersionKeepsWhatTheyMadeOfItSince() async throws {
        let (here, _, file) = try await bothEdited(.ask)
        try await here.edit(file, Array("later\n".utf8))
        try await here.sync()
        let met = try #require(try await here.engine.conflicts().first)
        try await here.engine.resolve(met.id, .mine)
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(text(here.drive.bytes("a.txt")) == "later\n")
        let revisions = here.drive.state.withLock { $0.revisions.values.map { text($0) } }
        #expect(revisions.contains(Self.theirs) && revisions.contains(Self.mine))
    }

    @Test func whoKeepsTheirNewFileKeepsWhatTheyMadeOfItSince() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        try await here.sync()
        try await here.engine.setConflictPolicy(.ask, of: .root)
        let source = try here.folder.write("source", Array(Self.mine.utf8))
        let made = try #require(
            try await here.engine.record(
                .upload(
                    parent: .root, name: "a.txt", content: try await here.engine.keep(source), conflict: .fail)))
        try await here.edit(made.subject, Array("later\n".utf8))
        try await there.put("a.txt", Array(Self.theirs.utf8))
        try await there.sync()
        try await here.sync()
        let met = try #require(try await here.engine.conflicts().first)
        try await here.engine.resolve(met.id, .mine)
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(text(drive.bytes("a.txt")) == "later\n")
        let revisions = drive.state.withLock { $0.revisions.values.map { text($0) } }
        #expect(revisions.contains(Self.theirs) && revisions.contains(Self.mine))
    }

    /// A sender that knew what had been decided in its place would have sent what was put back.
    @Test func whatWaitsForAPersonIsSentByNobodyWhoKnewItOtherwise() async throws {
        let (here, _, _) = try await bothEdited(.ask)
        try await here.sync()
        let met = try #require(try await here.engine.conflicts().first)
        var known = met
        (known.state, known.sent) = (.sending, true)
        #expect(try await here.engine.store().begin([known]).isEmpty)
        #expect(try await here.engine.conflicts() == [met])
    }

    // MARK: - What is no conflict

    @Test func whatWasMadeOfTheSameEditIsNoConflictEither() async throws {
        let (here, _, file) = try await bothEdited(.ask, mine: Self.theirs, theirs: Self.theirs)
        try await here.edit(file, Array("later\n".utf8))
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(text(here.drive.bytes("a.txt")) == "later\n")
    }

    @Test func theSameEditOnBothSidesIsNoConflict() async throws {
        let (here, _, _) = try await bothEdited(.ask, mine: Self.theirs, theirs: Self.theirs)
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(try await here.names() == ["a.txt"])
        #expect(try await here.engine.takeNews().isEmpty)
    }

    @Test func aRenameAgainstAnEditMergesSilently() async throws {
        let (here, there, file) = try await bothEdited(.ask)
        try await here.engine.discard(try #require(try await here.engine.operations().first).id)
        try await here.engine.record(.rename(name: "b.txt"), on: file)
        try await here.sync()
        #expect(text(here.drive.bytes("b.txt")) == Self.theirs)
        #expect(try await here.engine.takeNews().isEmpty)
        try await there.sync()
        #expect(try await there.names() == ["b.txt"])
    }

    @Test func aDeletionThatHadNotSeenAnEditKeepsTheEditAndSaysSo() async throws {
        let (here, _, file) = try await bothEdited(nil)
        try await here.engine.discard(try #require(try await here.engine.operations().first).id)
        let seen = try #require(try await here.engine.file(file)?.headRevisionId)
        try await here.engine.record(.trash(seen: .head(revisionId: seen)), on: file)
        #expect(try await here.names().isEmpty)
        try await here.sync()
        #expect(try await here.names() == ["a.txt"])
        #expect(text(here.drive.bytes("a.txt")) == Self.theirs)
        let decision = try #require(try await here.engine.decisions().first)
        #expect(decision.choice == .theirs && decision.operation.kind == "trash")
        #expect(try await here.engine.takeNews() == [.decided(decision)])
    }

    @Test func twoFoldersOfOneNameAreOneFolder() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        try await here.engine.pull()
        let mine = try await here.makeFolder("trip")
        try await here.put("a", [1], in: mine)
        let other = try await there.makeFolder("trip")
        try await there.put("b", [2], in: other)
        try await there.sync()
        // The race is lost: it is sent before the other's is heard of.
        _ = try await here.engine.push()
        try await here.sync()
        #expect(try await here.names() == ["trip"])
        #expect(try await here.names(mine) == ["a", "b"])
        #expect(try await here.engine.takeNews().isEmpty)
    }

    // MARK: - Deciding, and taking it back

    private func choice(
        _ kind: ConflictDecision.Choice, _ operation: JournalOperation, _ here: TestEngine
    ) async throws -> ConflictChoice? {
        switch kind {
        case .mine: .mine
        case .theirs: .theirs
        case .both: .both(name: try await here.engine.nameBeside(operation))
        case .merged: try await here.engine.merged(operation).map(ConflictChoice.merged)
        }
    }

    @Test(arguments: ConflictDecision.Choice.allCases, [true, false])
    func everyChoiceCanBeTakenBack(_ kind: ConflictDecision.Choice, sent: Bool) async throws {
        let (here, _, _) = try await bothEdited(.ask)
        try await here.sync()
        let waiting = try #require(try await here.engine.conflicts().first)
        let chosen = try #require(try await choice(kind, waiting, here))
        let decision = try await here.engine.resolve(waiting.id, chosen)
        #expect(try await here.engine.conflicts().isEmpty)
        if sent {
            try await here.sync()
            #expect(try await here.engine.operations().isEmpty)
        }
        let reopened = try await here.engine.undo(decision.id)
        #expect(reopened.state == .conflict)
        #expect(try String(contentsOfFile: try #require(reopened.content?.path), encoding: .utf8) == Self.mine)
        try await here.sync()
        #expect(text(here.drive.bytes("a.txt")) == Self.theirs, "as before it was decided")
        #expect(try await here.names() == ["a.txt"])
        #expect(try await here.engine.conflicts().map(\.id) == [reopened.id], "and it waits again, for a person")
        // Deciding anew goes as the first time.
        try await here.engine.resolve(reopened.id, try #require(try await choice(.merged, reopened, here)))
        try await here.sync()
        #expect(text(here.drive.bytes("a.txt")) == Self.merged)
        await #expect(throws: ClientFailure.self, "once") { try await here.engine.undo(decision.id) }
    }

    @Test func whatThePolicyDecidedCanBeTakenBackToo() async throws {
        let (here, _, _) = try await bothEdited(.fork)
        try await here.sync()
        let decision = try #require(try await here.engine.decisions().first)
        try await here.engine.undo(decision.id)
        try await here.sync()
        #expect(try await here.names() == ["a.txt"])
        #expect(try await here.engine.conflicts().count == 1, "the policy does not decide it again")
    }

    @Test func aDeletionThatWasDecidedCanBeTakenBack() async throws {
        let (here, _, file) = try await bothEdited(.ask)
        try await here.engine.discard(try #require(try await here.engine.operations().first).id)
        let seen = try #require(try await here.engine.file(file)?.headRevisionId)
        try await here.engine.record(.trash(seen: .head(revisionId: seen)), on: file)
        try await here.sync()
        let waiting = try #require(try await here.engine.conflicts().first)
        let decision = try await here.engine.resolve(waiting.id, .mine)
        try await here.sync()
        #expect(try await here.names().isEmpty)
        try await here.engine.undo(decision.id)
        try await here.sync()
        #expect(try await here.names() == ["a.txt"])
    }

    @Test func whatSomebodyHasGoneOnFromIsNotTakenBack() async throws {
        let (here, there, _) = try await bothEdited(.ask)
        try await here.sync()
        let waiting = try #require(try await here.engine.conflicts().first)
        let decision = try await here.engine.resolve(waiting.id, .mine)
        try await here.sync()
        try await there.sync()
        try await there.edit(try #require(try await there.engine.file(at: RemotePath("/a.txt"))).luid, [1])
        try await there.sync()
        try await here.sync()
        let failure = await #expect(throws: ClientFailure.self) { try await here.engine.undo(decision.id) }
        #expect(failure?.code == .changedMeanwhile)
        #expect(here.drive.bytes("a.txt") == [1])
    }

    /// Whatever two devices do to some texts, and whatever is chosen: every content that anybody wrote is still somewhere.
    @Test(arguments: PropertyCases.seeds(6))
    func noChoiceLosesBytes(_ seed: UInt64) async throws {
        var dice = SeededRandom(seed)
        let drive = PaperDrive()
        let devices = [try TestEngine(drive), try TestEngine(drive, device: "phone")]
        _ = try await devices[0].put("a.txt", Array(Self.base.utf8))
        for device in devices {
            try await device.sync()
            try await device.engine.setConflictPolicy(
                ConflictResolution.allCases[dice.below(4)], of: .root)
        }
        var written = Set<String>()
        for step in 0..<30 {
            let device = devices[dice.below(2)]
            let files = try await device.engine.children(of: .root)
            switch dice.below(5) {
            case 0, 1:
                guard let file = files.first else { continue }
                let text = "\(seed) \(step)\ntwo\nthree\nfour\n\(dice.below(3))\n"
                written.insert(text)
                try await device.edit(file.luid, Array(text.utf8))
            case 2: try await device.sync()
            case 3:
                if let one = try await device.engine.conflicts().first {
                    let kind = ConflictDecision.Choice.allCases[dice.below(4)]
                    if let choice = try await choice(kind, one, device) {
                        _ = try? await device.engine.resolve(one.id, choice)
                    }
                }
            default:
                if let one = try await device.engine.decisions().first(where: { $0.undoneAt == nil }) {
                    _ = try? await device.engine.undo(one.id)
                }
            }
        }
        for _ in 0..<2 { for device in devices { try await device.sync() } }
        var found = Set(drive.state.withLock { $0.revisions.values.compactMap { text($0) } })
        for device in devices {
            for folder in [device.content.pendingFolder, device.content.trashFolder, device.content.heldFolder] {
                for name in try device.entries(folder) {
                    found.insert(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
                }
            }
        }
        // A merge has both in it.
        let lost = written.filter { text in
            !found.contains(text) && !found.contains { $0.contains(text.prefix { $0 != "\n" }) }
        }
        #expect(lost.isEmpty, "seed \(seed)")
    }
}
