import BothyClient
import BothyContract
import BothySync
import Testing

@testable import bothy

/// What a pass of folder sync tells on a terminal.
@Suite struct SyncWordsTests {
    private static let binding = Binding(
        id: "b1", localPath: "/home/anna/my box", remoteId: "f0", remotePath: "/my box", accountId: "a", mark: "m",
        root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
        createdAt: Timestamp(seconds: 5))

    private func lines(_ standing: [Place: Standing]) -> [String] {
        var plan = Plan()
        plan.standing = standing
        return SyncWords.standing(plan, misfits: [], in: Self.binding)
    }

    @Test func whatWaitsForAPersonIsToldBeforeWhatIsLeftOut() {
        var standing = [Place: Standing]()
        for number in 10..<25 { standing[Place(text: "a\(number).log")] = .ignored(rule: "*.log", source: "--exclude") }
        for number in 10..<25 { standing[Place(text: "link\(number)")] = .held(.symbolicLink) }
        standing["z.txt"] = .unsynced(.deletedElsewhere)
        let lines = lines(standing)
        #expect(lines.first?.hasPrefix("z.txt: it was deleted elsewhere") == true)
        #expect(lines.first?.contains("“bothy resolve '/home/anna/my box/z.txt' --delete”") == true)
        #expect(lines.contains("… and 6 more; --json lists all"))
        #expect(
            lines.last
                == "15 excluded by rules: a10.log, a11.log, a12.log and 12 more (“bothy why FILE” shows which)")
    }

    /// What stopped it is said once, with what to type, and not once more for each file.
    @Test func whatAGuardHoldsBackIsToldInOneLine() {
        var standing: [Place: Standing] = ["z.txt": .unsynced(.deletedElsewhere)]
        for number in 10..<40 { standing[Place(text: "\(number)")] = .held(.guarded) }
        let lines = lines(standing)
        #expect(lines.count == 2 && lines[0].hasPrefix("z.txt: "))
        #expect(lines[1] == "30 held back: 10, 11, 12 and 27 more (“bothy why FILE” explains each)")
    }

    /// It said only that “bothy why” would tell.
    @Test func whatIsHeldWithItsFolderNamesTheCommandThatTellsWhy() {
        let lines = lines(["docs": .held(.placeTaken), "docs/x": .held(.folderHeld), "docs/x/y": .held(.folderHeld)])
        for line in lines.dropFirst() { #expect(line.hasSuffix("; “bothy why '/home/anna/my box/docs'” says why")) }
        #expect(lines.count == 3)
    }

    @Test func aNameThatTheServerDoesNotTakeIsToBeChangedByThatName() {
        #expect(
            lines(["odd/x": .held(.nameInvalidThere)])
                == ["odd/x: the server does not accept this name; rename '/home/anna/my box/odd/x' here"])
    }

    /// Under the path that it is tied to here it may never have been in the trash: somebody renamed it before.
    @Test func aLostFolderOnTheServerIsBroughtBackByTheNameThatItHadLast() {
        let remedy = SyncWords.remedy(.remoteRootLost, Self.binding)
        #expect(remedy.hasPrefix("Restore it: “bothy trash” lists it by its last name"))
        #expect(remedy.contains("or create it again from here with “bothy sync '/home/anna/my box' --confirm”"))
    }

    @Test func whoLooksFirstIsToldOfAllThatIsLeftOutAndByWhichRule() {
        var plan = Plan()
        for number in 100..<620 {
            plan.standing[Place(text: "a\(number).log")] = .ignored(rule: "*.log", source: ".bothyignore")
        }
        let lines = SyncWords.listed(plan, misfits: [], in: Self.binding)
        #expect(lines.count == 501 && lines.last == "… and 20 more excluded; --json lists all")
        #expect(lines[7].hasPrefix("excluded: a107.log: ") && lines[7].contains("*.log"))
        #expect(lines[7].contains(".bothyignore"))
    }

    @Test func aGuardNamesAWayForWhatWasNotMeant() {
        let tally = Guard.Tally(planned: 60, lately: 1, known: 68)
        func remedy(_ sighting: Guard.Sighting, _ remote: String) -> String {
            RemedyWords.filled(sighting.remedy, folder: "/home/anna/box", remote: remote)
        }
        let here = Guard.Sighting.manyDeletions(.onTheServer, tally)
        #expect(
            SyncWords.stopped(here)
                == "60 of 68 files and folders would be deleted on the server (1 more in the last 24 hours). Bothy asks "
                + "above 50 a day, or from a quarter of a folder. Nothing of that is done until you confirm.")
        #expect(
            remedy(here, "/my box").contains(
                "Not intended: “bothy sync /home/anna/box --bring-back” restores all of them, "
                    + "“bothy get '/my box'/NAME /home/anna/box” only NAME"))
        #expect(remedy(here, "/").contains("“bothy get /NAME /home/anna/box”"))
        let both = remedy(.manyDeletions(.here, tally, other: tally), "/box")
        #expect(both.contains("“bothy get /box/NAME ") && both.contains("“bothy undo NUMBER” restores them"))
        #expect(both.contains("“bothy trash put-back NAME”"))
        #expect(SyncWords.stopped(.rootVanished) == "The folder does not exist, so nothing was done.")
        #expect(remedy(.rootVanished, "/box").contains("“bothy sync NEW /box --confirm”"))
    }

    @Test func whoTookBackThatSomethingWasSentIsNotToldAtEveryPass() {
        #expect(lines(["n": .unsynced(.takenBack)]).isEmpty)
    }

    @Test func commandsNameTheFolderAndTheFileAsAShellTakesThem() {
        let filled = RemedyWords.filled(
            "“bothy sync DIR --confirm”; “bothy resolve FILE --keep”", folder: "/it's FILE", file: "/it's FILE/a b")
        #expect(filled == "“bothy sync '/it'\\''s FILE' --confirm”; “bothy resolve '/it'\\''s FILE/a b' --keep”")
        #expect(RemedyWords.filled("“bothy sync DIR”", folder: "/home/änna/box_1") == "“bothy sync /home/änna/box_1”")
    }

    @Test func whatIsDifferentInAPlanIsASentence() {
        func make(_ place: Place, version: Int64 = 1) -> Action {
            let facts = RemoteFacts(id: "f", kind: .file, version: version)
            return Action(.trashRemote(RemoteFingerprint(facts), at: place, count: 1), .deletedHere)
        }
        #expect(
            SyncWords.changes(from: [make("a")], to: [make("b")])
                == "it would no longer have put a into the server's trash, would also have put b into the server's trash"
        )
        #expect(
            SyncWords.changes(from: [make("a")], to: [make("a", version: 2)])
                == "it would have put a into the server's trash in its current state")
    }
}
