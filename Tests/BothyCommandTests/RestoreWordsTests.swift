import BothyContract
import Testing

@testable import bothy

@Suite struct RestoreWordsTests {
    private func restore(_ counts: RestoreCounts, _ state: DriveRestore.State = .finished) -> DriveRestore {
        DriveRestore(
            restoreId: "r1", fileId: "root", at: Timestamp(seconds: 0), cursor: "c1.1.0.0", state: state,
            counts: counts, before: "c1.1.5.a", createdAt: Timestamp(seconds: 0))
    }

    @Test func aPlanSaysWhatWouldHappenAndHowToDoIt() {
        let text = RestoreWords.planned(
            restore(RestoreCounts(putBack: 1, trashed: 2, lost: 1), .planned), path: "/docs"
        ).joined(separator: "\n")
        #expect(text.contains("1 thing goes back, 2 things go to the trash."))
        #expect(text.contains("1 thing was deleted for good since and cannot come back."))
        #expect(text.contains("Nothing has changed yet."))
        #expect(text.contains("bothy restore --plan r1"))
    }

    @Test func aRunSaysWhatHappenedAndHowToUndoIt() {
        let text = RestoreWords.finished(restore(RestoreCounts(putBack: 312, trashed: 1)), path: "/my docs")
            .joined(separator: "\n")
        #expect(text.contains("“/my docs” is again as it was on "))
        #expect(text.contains("312 things are back, 1 thing is in the trash."))
        #expect(text.contains("bothy restore '/my docs' --at c1.1.5.a"))
    }

    @Test func whereAnotherMomentThanTheOneNamedIsKeptItIsSaid() {
        func nearest(_ counts: RestoreCounts, _ state: DriveRestore.State) -> DriveRestore {
            var restore = restore(counts, state)
            restore.askedAt = Timestamp(seconds: 86_400)
            return restore
        }
        let kept =
            MomentText.text(Timestamp(seconds: 0)) + ", the last moment before "
            + MomentText.text(Timestamp(seconds: 86_400)) + " that is kept"
        let counts = RestoreCounts(putBack: 1)
        #expect(
            RestoreWords.planned(nearest(counts, .planned), path: "/docs").first
                == "As it was on \(kept): 1 thing goes back. Nothing has changed yet.")
        #expect(
            RestoreWords.finished(nearest(counts, .finished), path: "/docs").first
                == "“/docs” is again as it was on \(kept). 1 thing is back.")
        #expect(
            RestoreWords.finished(nearest(RestoreCounts(), .finished), path: "/docs")
                == ["“/docs” is as it was on \(kept) already."])
        #expect(RestoreWords.planned(restore(counts, .planned), path: "/docs").first?.hasPrefix("1 thing") == true)
    }

    @Test func nothingToDoIsSaid() {
        #expect(RestoreWords.finished(restore(RestoreCounts()), path: "/docs").first?.contains("already") == true)
    }

    @Test(arguments: [
        (
            RestoreChange(
                fileId: "f", isFolder: false, action: .putBack, aspects: [.content, .name], path: "/d/new.txt",
                pastPath: "/d/old.txt"), "back   /d/old.txt  (its content, is “new.txt” now)"
        ),
        (
            RestoreChange(
                fileId: "f", isFolder: true, action: .putBack, aspects: [.untrashed], path: "/d/x", pastPath: "/d/x"),
            "back   /d/x/  (from the trash)"
        ),
        (
            RestoreChange(fileId: "f", isFolder: false, action: .trash, path: "/d/note"),
            "trash  /d/note  (was not there)"
        ),
        (
            RestoreChange(fileId: "f", isFolder: false, action: .lost, pastPath: "/d/gone"),
            "lost   /d/gone  (deleted for good; cannot come back)"
        ),
    ])
    func aLineSaysWhatBecomesOfOneThing(change: RestoreChange, line: String) {
        #expect(RestoreWords.line(change) == line)
    }
}
