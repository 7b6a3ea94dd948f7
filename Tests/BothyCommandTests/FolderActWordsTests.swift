import BothyClient
import BothyContract
import BothySync
import Testing

@testable import bothy

/// What is said of what was done to folders in step, and of what could not be.
@Suite struct FolderActWordsTests {
    private static let kinds: [FolderAct.Kind] =
        [
            .agreed, .agreedAnew, .forgot, .keptUnsynced, .sent, .sentNewVersion, .fetched, .fetchedNewVersion, .merged,
            .madeFolderHere, .madeFolderThere, .movedHere(from: "b"), .movedThere(from: "b"), .placedThere,
            .setAside(from: "b"), .trashedHere(count: 1), .trashedHere(count: 3), .trashedThere(count: 1),
            .trashedThere(count: 3), .touchedHere, .touchedThere,
        ]
        + [
            .removedEmptiedFolder, .remadeFolder, .untrashed, .moved(from: "b"), .touched, .broughtBackOverTrashed,
            .broughtBackOverKept, .withdrew, .trashedCopy, .trashedAgain, .untrashedThere, .setOlderContent,
            .movedThere(name: nil), .movedThere(name: "b"), .touchedThere,
        ].map(FolderAct.Kind.tookBack)

    /// A log said «could not have fetched a.txt».
    @Test(arguments: kinds.indices)
    func whatCouldNotBeDoneIsSaidByItsVerb(_ number: Int) {
        let act = FolderAct(Self.kinds[number], at: "a.txt")
        #expect(!act.attempt.hasPrefix("have "))
    }

    @Test func aDecisionThatFailedSaysWhatItWas() {
        let facts = RemoteFacts(id: "f", kind: .file)
        let spot = Spot("a.txt", folderId: "root", remoteName: "a.txt")
        let step = Step.download(at: spot, theirs: RemoteFingerprint(facts), over: nil)
        var decision = Decision(
            passId: 1, at: Timestamp(seconds: 1), action: Action(step, .createdThere), trace: Decision.Trace())
        #expect(decision.told == "fetched a.txt: it is new on the server")
        decision.trace.failure = ClientFailure(.diskFull, "There is no room.")
        #expect(decision.told == "could not fetch a.txt: it is new on the server. There is no room.")
    }

    /// One conflict was three rows.
    @Test func aConflictThatTookSeveralStepsIsOne() {
        let theirs = RemoteFingerprint(RemoteFacts(id: "f", kind: .file))
        let mine = LocalFingerprint(LocalFacts(kind: .file))
        func spot(_ place: Place) -> Spot { Spot(place, folderId: "root", remoteName: place.name) }
        let steps: [Step] = [
            .setAside(mine, remoteId: "f", from: "a.txt", to: "a (mine).txt"),
            .download(at: spot("a.txt"), theirs: theirs, over: nil),
            .download(at: spot("b.txt"), theirs: theirs, over: nil),
            .upload(at: spot("a (mine).txt"), mine: mine, over: nil, insteadOf: nil),
        ]
        let decisions = steps.map {
            Decision(
                passId: 1, at: Timestamp(seconds: 1), action: Action($0, .conflictForked), trace: Decision.Trace())
        }
        let found = DecidedConflict.all(in: decisions)
        #expect(found.map(\.place) == ["a.txt", "b.txt"])
        #expect(found[0].decision == decisions[0])
    }

    @Test func theEarliestMomentIsToldAsEveryOtherIs() {
        var problem = Problem(.momentForgotten, "What was before 2026-11-24T22:42:11.459Z is not remembered.")
        problem.earliest = Timestamp(seconds: 60)
        let failure = ClientFailure(.refused, problem.detail).with { $0.problem = problem }
        #expect(
            Complaint(failure).message == "This drive remembers back to \(MomentText.text(Timestamp(seconds: 60))).")
    }
}
