import BothyClient
import BothyContract
import BothySync
import Testing

@testable import BothyAgent

/// What `bothy status` says of one folder in step, by what its watch tells.
@Suite struct FolderStandingTests {
    private static let binding = Binding(
        id: "b1", localPath: "/home/anna/box", remoteId: "f0", remotePath: "/box", accountId: "a", mark: "m",
        root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
        createdAt: Timestamp(seconds: 5))
    private static let offline = ClientFailure(.offline, "The server cannot be reached.")

    private let standing = FolderStanding(Self.binding)

    private func take(_ event: BindingWatch.Event) {
        standing.take(event) { sighting, binding in ("\(binding.localPath): \(sighting.words)", "Confirm it.") }
    }

    private func report(failed: Int = 0, sighting: Guard.Sighting? = nil) -> PassReport {
        var report = PassReport()
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        report.failed = (0..<failed).map { _ in
            Decision(passId: 1, at: Timestamp(seconds: 1), action: action, trace: .init(failure: Self.offline))
        }
        report.plan.sighting = sighting
        return report
    }

    @Test func atFirstItIsBeingLookedAt() {
        #expect(standing.line.state == .working && standing.line.subject == "/home/anna/box")
        #expect(!standing.isResting)
    }

    @Test func aPassThatCameThroughIsInStep() {
        take(.passed(report()))
        #expect(standing.line == AgentStatusLine("folders", .idle, "Synced with “/box”.", subject: "/home/anna/box"))
    }

    @Test func whatIsBeingCarriedIsWorkUntilItsPassIsOver() {
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        take(.decided(Decision(passId: 1, at: Timestamp(seconds: 1), action: action, trace: .init())))
        #expect(standing.line.state == .working && standing.line.words.contains("“/box”"))
        take(.passed(report()))
        #expect(standing.line.state == .idle)
    }

    @Test func whatFailedIsCountedAndTriedAgain() {
        take(.passed(report(failed: 2)))
        #expect(standing.line.state == .waiting && standing.line.reason == "partly_done")
        #expect(standing.line.words == "2 could not be synced with “/box”.")
        #expect(standing.line.remedy?.contains("bothy why") == true)
    }

    @Test func aGuardIsToldBeforeWhatFailed() {
        take(.passed(report(failed: 1, sighting: .rootUnmounted)))
        #expect(standing.line.state == .held && standing.line.reason == "guard")
        #expect(standing.line.words == "/home/anna/box: \(Guard.Sighting.rootUnmounted.words)")
        #expect(standing.line.remedy == "Confirm it.")
    }

    /// It is not in step, and what a guard said before is not taken back by it.
    @Test func whatWasJustDeletedIsWork_andAGuardsWordStands() {
        var deleting = report()
        var lulls = DeletionLulls().at(10)
        lulls.note(3, .onTheServer)
        deleting.plan.lulls = lulls
        take(.passed(deleting))
        #expect(standing.line.state == .working && standing.watched.state == .working)
        take(.passed(report(sighting: .rootEmptied)))
        let held = standing.line
        take(.passed(deleting))
        #expect(standing.line == held && standing.watched.state == .held(.rootEmptied))
        take(.passed(report()))
        #expect(standing.line.state == .idle && standing.watched.state == .inStep)
    }

    @Test func whatWaitsForAPersonIsNotInStep() {
        var report = report()
        let hash = ContentHash.ofNothing
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: 3), hash: hash))
        let theirs = RemoteFingerprint(RemoteFacts(id: "f1", kind: .file, version: 2))
        report.plan.standing = [
            "a": .conflict(mine: mine, theirs: theirs), "b": .unsynced(.deletedElsewhere), "c": .unsynced(.takenBack),
            "d": .ignored(rule: "*.o", source: "--exclude"),
        ]
        take(.passed(report))
        #expect(standing.line.state == .held && standing.line.reason == "conflict")
        #expect(
            standing.line.words
                == "Synced with “/box”, but 1 file is in conflict; 1 file stays here unsynced; \(Self.takenBack)."
        )
        report.plan.standing["a"] = nil
        take(.passed(report))
        #expect(standing.line.state == .held && standing.line.reason == "unsynced")
        #expect(standing.watched.state == .lacking(1))
        report.plan.standing["b"] = nil
        take(.passed(report))
        #expect(standing.line.state == .idle && standing.watched.state == .inStep)
    }

    private static let takenBack = "1 file stays only here, as you undid its upload"

    /// Nobody is asked about it any more, and nobody is to think that it is on the server.
    @Test func whatSomebodyTookBackThatItWasSentIsToldAndIsNobodysToDo() {
        var report = report()
        report.plan.standing = ["c": .unsynced(.takenBack)]
        take(.passed(report))
        take(.watching(WatchCoverage()))
        #expect(standing.line.state == .idle && standing.line.reason == nil)
        #expect(standing.line.words == "Synced with “/box”, but \(Self.takenBack).")
        take(.passed(self.report()))
        #expect(standing.line.words == "Synced with “/box”.")
    }

    @Test(
        arguments: HoldReason.allCases.filter {
            ![
                .unreadable, .placeTaken, .nameNotText, .nameInvalidThere, .remoteNameInvalid, .remoteNameReserved,
                .remoteListedTwice, .nameNotHeldHere, .rulesLoosened, .unmounted, .nameReserved,
            ].contains($0)
        })
    func whatPassesByItselfOrIsNeverSyncedNeedsNobody(_ reason: HoldReason) {
        var report = report()
        report.plan.standing = ["a": .held(reason)]
        report.misfits = [Misfit(name: "b", reason: reason)]
        take(.passed(report))
        let aside =
            switch reason {
            case .beingWritten: ", but 1 file is still being written"
            case .inUse: ", but 1 file is open in a program"
            default: ""
            }
        let words = "Synced with “/box”\(aside)."
        #expect(standing.line == AgentStatusLine("folders", .idle, words, subject: "/home/anna/box"))
        #expect(standing.watched.state == .inStep)
    }

    /// It was called in step while a file in it never went anywhere.
    @Test(
        arguments: [
            .unreadable, .placeTaken, .nameNotText, .nameInvalidThere, .remoteNameInvalid, .remoteNameReserved,
            .remoteListedTwice, .nameNotHeldHere, .rulesLoosened, .unmounted, .nameReserved,
        ] as [HoldReason])
    func whatCannotBeSyncedAsItIsIsNotInStep(_ reason: HoldReason) throws {
        var report = report()
        report.plan.standing = ["a": .held(reason)]
        take(.passed(report))
        #expect(standing.line.state == .held && standing.line.reason == "cannot_be_synced")
        #expect(standing.line.words == "Synced with “/box”, but 1 item cannot be synced.")
        let remedy = try #require(standing.line.remedy)
        #expect(remedy.hasPrefix("“bothy sync /home/anna/box --dry-run” lists them"))
        #expect(standing.watched.state == .lacking(1))
        report.misfits = [Misfit(name: "b", reason: reason)]
        take(.passed(report))
        #expect(standing.line.words == "Synced with “/box”, but 2 items cannot be synced.")
        take(.passed(self.report()))
        #expect(standing.line.state == .idle && standing.watched.state == .inStep)
    }

    @Test func aFailureSaysWhetherAPersonIsNeeded() {
        take(.waiting(Self.offline))
        #expect(standing.line.state == .waiting && standing.line.reason == "offline")
        standing.met(ClientFailure(.signInNeeded, "Nobody is signed in."))
        #expect(standing.line.state == .held && standing.line.reason == "sign_in_needed")
    }

    /// Being watched is no word about what failed.
    @Test func whatStandsInTheWayIsToldUntilAPassComesThrough() {
        take(.passed(report(failed: 1)))
        take(.watching(WatchCoverage()))
        #expect(standing.line.reason == "partly_done")
        take(.passed(report()))
        #expect(standing.line.state == .idle)
    }

    @Test func foldersThatCannotBeWatchedAreToldForAsLongAsThatIsSo() {
        take(.passed(report()))
        take(.watching(WatchCoverage(unwatched: 3)))
        let words = "Synced with “/box”. 3 of its folders are only scanned now and then."
        #expect(standing.line.words == words)
        take(.passed(report()))
        #expect(standing.line.words == words)
        take(.watching(WatchCoverage()))
        #expect(standing.line.words == "Synced with “/box”.")
    }
}
