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
            .leftOut,
            .madeFolderHere, .madeFolderThere, .movedHere(from: "b"), .movedThere(from: "b"), .placedThere,
            .setAside(from: "b"), .trashedHere(count: 1), .trashedHere(count: 3), .trashedThere(count: 1),
            .trashedThere(count: 3), .untrashedThere, .touchedHere, .touchedThere,
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

    /// A download of “a.txt”, in the pass of a minute.
    private func decision(_ minute: Int64, _ failure: ClientFailure?) -> Decision {
        let facts = RemoteFacts(id: "f", kind: .file)
        let step = Step.download(
            at: Spot("a.txt", folderId: "root", remoteName: "a.txt"), theirs: RemoteFingerprint(facts), over: nil)
        var trace = Decision.Trace()
        trace.failure = failure
        return Decision(
            passId: minute, at: Timestamp(seconds: minute * 60), action: Action(step, .createdThere), trace: trace)
    }

    /// Ten tries that failed alike were ten lines, and nothing else was told.
    @Test func whatWasDecidedAgainAndAgainIsOneLine() {
        let full = ClientFailure(.diskFull, "There is no room.")
        let away = ClientFailure(.offline, "There is no connection.")
        let newestFirst = [
            decision(9, nil), decision(8, full), decision(6, full), decision(5, full), decision(4, away),
            decision(3, full),
        ]
        let could = "could not fetch a.txt: it is new on the server."
        #expect(
            RepeatedDecision.all(in: newestFirst).map { $0.words(in: .gmt) } == [
                "1970-01-01 00:09  fetched a.txt: it is new on the server",
                "1970-01-01 00:08  \(could) There is no room. (3 times since 1970-01-01 00:05)",
                "1970-01-01 00:04  \(could) There is no connection.",
                "1970-01-01 00:03  \(could) There is no room.",
            ])
    }

    /// `bothy log FILE` listed each try; what was done stands by itself there, with the pass that takes it back.
    @Test func whatFailedAlikeIsOneLineOfALogAndWhatWasDoneIsNot() throws {
        let full = ClientFailure(.diskFull, "There is no room.")
        let later = full.with { $0.retryAfter = 30 }
        let listed = RepeatedDecision.failures(
            in: [decision(9, nil), decision(8, nil), decision(7, full), decision(6, later), decision(5, full)])
        #expect(listed.map(\.decision.passId) == [9, 8, 7])
        #expect(listed.map { $0.times(in: .gmt) } == ["", "", " (3 times since 1970-01-01 00:05)"])
        let (first, last) = (try #require(listed.first), try #require(listed.last))
        let earlier = try #require(SyncEventDocument(last).earlier)
        #expect(earlier.map(\.pass) == [6, 5] && earlier.map(\.at) == [6, 5].map { Timestamp(seconds: $0 * 60) })
        #expect(earlier.map(\.error) == [later, nil], "nothing is lost that one of them has and the others have not")
        #expect(SyncEventDocument(first).earlier == nil)
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
        let decisions = steps.enumerated().map {
            Decision(
                id: Int64($0 + 7), passId: 23, at: Timestamp(seconds: 1), action: Action($1, .conflictForked),
                trace: Decision.Trace())
        }
        let found = PassConflict.all(in: decisions)
        #expect(found.map(\.place) == ["a.txt", "b.txt"])
        #expect(found[0].decision == decisions[0])
        #expect(found.map(\.id) == [7, 9] && found.map(\.number.description) == ["23.1", "23.2"])
        for number in found.map(\.number) { #expect(PassConflict.Number(number.description) == number) }
        for text in ["23", "23.", ".1", "23.1.2", "a.1", ""] { #expect(PassConflict.Number(text) == nil) }
    }

    @Test func theEarliestMomentIsToldAsEveryOtherIs() {
        var problem = Problem(.momentForgotten, "What was before 2026-11-24T22:42:11.459Z is not remembered.")
        problem.earliest = Timestamp(seconds: 60)
        let failure = ClientFailure(.refused, problem.detail).with { $0.problem = problem }
        #expect(
            Complaint(failure).message
                == "The history of this account goes back to \(MomentText.text(Timestamp(seconds: 60))).")
    }
}
