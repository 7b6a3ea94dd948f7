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
        #expect(lines.first?.hasPrefix("z.txt: it was deleted on another device") == true)
        #expect(lines.first?.contains("“bothy resolve '/home/anna/my box/z.txt' --delete”") == true)
        #expect(lines.contains("… and 6 more; --json lists all"))
        #expect(
            lines.last
                == "15 left out by rules: a10.log, a11.log, a12.log and 12 more (“bothy why FILE” tells by which)")
    }

    /// It said only that “bothy why” would tell.
    @Test func whatIsHeldWithItsFolderNamesTheCommandThatTellsWhy() {
        let lines = lines(["docs": .held(.placeTaken), "docs/x": .held(.folderHeld), "docs/x/y": .held(.folderHeld)])
        for line in lines.dropFirst() { #expect(line.hasSuffix("; “bothy why '/home/anna/my box/docs'” tells why")) }
        #expect(lines.count == 3)
    }

    @Test func aNameThatTheServerDoesNotTakeIsToBeChangedByThatName() {
        #expect(
            lines(["odd/x": .held(.nameInvalidThere)])
                == ["odd/x: the server takes no such name; rename '/home/anna/my box/odd/x' here"])
    }

    @Test func aLostFolderOnTheServerIsBroughtBackByItsPath() {
        let remedy = SyncWords.remedy(.remoteRootLost, Self.binding)
        #expect(remedy.hasPrefix("Bring it back with “bothy trash put-back '/my box'”, or make it anew"))
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
        func make(_ place: Place) -> Action {
            Action(
                .trashRemote(RemoteFingerprint(RemoteFacts(id: "f", kind: .file)), at: place, count: 1), .deletedHere)
        }
        #expect(
            SyncWords.changes(from: [make("a")], to: [make("b")])
                == "it would not have put a into the server's trash any more, would also have put b into the server's trash"
        )
    }
}
