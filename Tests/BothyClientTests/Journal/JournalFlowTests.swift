import BothyClient
import BothyContract
import Foundation
import Testing

/// The journal with a drive at its end: what is done without a connection, lost answers, crashes, conflicts.
@Suite struct JournalFlowTests {
    @Test func whatIsDoneWithoutAConnectionIsShownAtOnceAndArrivesWhenThereIsOne() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        drive.faults.offline = true
        let docs = try await replica.record(.createFolder(parent: .root, name: "docs"))
        let file = try await replica.put("a.txt", [1, 2, 3], in: docs)
        try await replica.record(.star(true), on: file)
        try await replica.record(.rename(name: "b.txt"), on: file)
        let shown = try await replica.shown()
        #expect(shown.contains { $0.hasPrefix("/docs/b.txt ") && $0.hasSuffix("★") })
        guard case .held(.until(_, let failure)) = try await replica.push() else {
            Issue.record("nothing can be sent")
            return
        }
        #expect(failure.code == .offline)
        #expect(drive.requests.isEmpty)
        drive.faults.offline = false
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(replica.fetched() == shown)
        try await replica.pull()
        #expect(try await replica.shown() == shown)
        #expect(try await replica.store.operations().isEmpty)
    }

    @Test func aLostAnswerIsAskedForAgainAndNothingHappensTwice() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.put("f", [1])
        drive.faults.lostAnswers = 2
        while try await replica.push() != .done { try await replica.runner.wake() }
        #expect(replica.fetched().count == 2)
        #expect(Set(drive.requests).count == 2 && drive.requests.count == 4)
    }

    @Test func aCrashAfterTheServerActedSendsTheSameRequestAgain() async throws {
        let drive = PaperDrive()
        let folder = try TemporaryFolder()
        let first = try TestReplica(drive, folder: folder)
        try await first.pull()
        let luid = try await first.record(.createFolder(parent: .root, name: "a"))
        drive.faults.lostAnswers = 1
        _ = try await first.push()
        try await first.store.close()
        // Another process, on what the first has written.
        let second = try TestReplica(drive, folder: folder)
        #expect(try await second.push() == .done)
        try await second.pull()
        #expect(second.fetched() == ["/a/"])
        #expect(try await second.luid("/a") == luid)
        #expect(Set(drive.requests).count == 1)
    }

    @Test func aCopyThatTheDiskHasDamagedIsNotSentAndSaysWhatToDo() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let there = try await replica.put("there.txt", Array("first".utf8))
        #expect(try await replica.push() == .done)
        try await replica.pull()
        let before = replica.fetched()

        let new = try await replica.put("new.txt", Array("waits".utf8))
        let edit = try replica.content(Array("second".utf8))
        let base = try await replica.store.view { view in try view.file(there)?.headRevisionId }
        try await replica.record(.newRevision(content: edit, base: base), on: there)
        for operation in try await replica.store.operations() {
            try flipABit(of: #require(operation.content).path, at: 2)
        }
        #expect(try await replica.push() == .done)
        #expect(replica.fetched() == before, "what a disk made of it is nobody's work")
        let parked = try await replica.store.operations()
        #expect(parked.map(\.state) == [.parked, .parked] && parked.map(\.subject) == [new, there])
        for (operation, name) in zip(parked, ["new.txt", "there.txt"]) {
            #expect(operation.lastError?.code == .sourceDamaged)
            #expect(
                operation.lastError?.words.contains("copy of “\(name)” that waits here to be sent is damaged") == true)
            #expect(operation.lastError?.remedy.contains("bothy journal discard \(operation.id)") == true)
        }

        // It was read wrong, or put right.
        try flipABit(of: #require(parked[0].content).path, at: 2)
        var again = parked[0]
        again.state = .queued
        try await replica.store.save([again])
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(replica.fetched().contains { $0.hasPrefix("/new.txt ") })
    }

    @Test func anObjectIsClaimedByTheRequestThatMadeItThoughItsAnswerNeverCame() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let luid = try await replica.record(.createFolder(parent: .root, name: "a"))
        drive.faults.lostAnswers = 1
        _ = try await replica.push()
        // The change comes down before the answer was asked for again.
        let effects = try await replica.pull()
        #expect(effects.flatMap(\.retired).count == 1)
        #expect(try await replica.luid("/a") == luid)
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(drive.requests.count == 1, "what is known to be done is not asked for again")
    }

    @Test func whatTwoDevicesMakeOfOneNameAndContentIsOneFile() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        try await here.pull()
        let mine = try await here.put("same.txt", [7, 7])
        _ = try await there.put("same.txt", [7, 7])
        _ = try await there.push()
        try await here.pull()
        _ = try await here.push()
        #expect(here.fetched().count == 1)
        #expect(try await here.luid("/same.txt") == mine)
    }

    @Test func twoUploadsOfOneNewNameGetACounter() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        _ = try await here.put("report.pdf", [1])
        _ = try await there.put("report.pdf", [2])
        _ = try await here.push()
        _ = try await there.push()
        #expect(Set(drive.files.map(\.name)) == ["", "report.pdf", "report (1).pdf"])
    }

    @Test func anEditOfARevisionThatIsNoLongerTheHeadIsAConflictAndLosesNothing() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        let file = try await here.put("a.txt", [1])
        _ = try await here.push()
        try await here.pull()
        try await there.pull()
        let base = try await here.store.cached(file)?.headRevisionId
        let theirs = try #require(try await there.luid("/a.txt"))
        try await there.record(.newRevision(content: there.content([2, 2]), base: base), on: theirs)
        _ = try await there.push()
        try await here.record(.newRevision(content: here.content([3, 3, 3]), base: base), on: file)
        _ = try await here.push()
        let operation = try #require(try await here.store.operations().first)
        #expect(operation.state == .conflict && operation.lastError?.code == .revisionConflict)
        #expect(FileManager.default.fileExists(atPath: try #require(operation.content?.path)))
        #expect(drive.files.first { $0.name == "a.txt" }?.size == 2, "theirs stays the head")
    }

    @Test func aDeleteOverAnEditThatWasNotSeenIsAConflictAndTheEditWins() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        let file = try await here.put("a.txt", [1])
        _ = try await here.push()
        try await here.pull()
        try await there.pull()
        let head = try #require(try await here.store.cached(file)?.headRevisionId)
        let theirs = try #require(try await there.luid("/a.txt"))
        try await there.record(.newRevision(content: there.content([2]), base: head), on: theirs)
        _ = try await there.push()
        try await here.record(.trash(seen: .head(revisionId: head)), on: file)
        _ = try await here.push()
        #expect(try await here.store.operations().map(\.state) == [.conflict])
        try await here.pull()
        #expect(try await here.luid("/a.txt") == file, "it is there again, and the journal says so")
    }

    @Test func aRenameAgainstAnEditIsNoConflict() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        let file = try await here.put("a.txt", [1])
        _ = try await here.push()
        try await here.pull()
        try await there.pull()
        let base = try await here.store.cached(file)?.headRevisionId
        try await here.record(.rename(name: "b.txt"), on: file)
        let theirs = try #require(try await there.luid("/a.txt"))
        try await there.record(.newRevision(content: there.content([2]), base: base), on: theirs)
        #expect(try await here.push() == .done)
        #expect(try await there.push() == .done)
        #expect(drive.files.contains { $0.name == "b.txt" && $0.version == 3 })
    }

    @Test func secondContentOfAFileThatWasNeverSentIsBasedOnTheFirst() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let file = try await replica.put("a.txt", [1])
        try await replica.record(.newRevision(content: replica.content([2]), base: nil), on: file)
        #expect(try await replica.push() == .done)
        try await replica.pull()
        #expect(drive.files.filter { $0.name == "a.txt" }.map(\.version) == [2])
        #expect(try await replica.store.operations().isEmpty)
    }

    @Test func makingAndTrashingWhatWasNeverSentLeavesNothingToSend() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.put("f", [1], in: folder)
        try await replica.record(.trash(seen: .anything), on: folder)
        #expect(try await replica.store.operations().isEmpty)
        #expect(try await replica.shown().isEmpty)
        _ = try await replica.push()
        #expect(drive.requests.isEmpty)
    }

    @Test func whatWasMovedOutOfAFolderThatWasNeverSentOutlivesIt() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let folder = try await replica.record(.createFolder(parent: .root, name: "b"))
        let kept = try await replica.record(.createFolder(parent: .root, name: "a"))
        let file = try await replica.put("f", [1], in: folder)
        try await replica.record(.move(parent: kept, name: nil), on: file)
        try await replica.record(.trash(seen: .anything), on: folder)
        #expect(try await replica.shown().map { $0.split(separator: " ")[0] } == ["/a/", "/a/f"])
        #expect(try await replica.push() == .done)
        #expect(drive.files.filter { !$0.trashed && $0.parentId != nil }.map(\.name).sorted() == ["a", "f"])
    }

    @Test func whatWasSentStaysShown_beforeAnythingWasHeardOfTheServer() async throws {
        let replica = try TestReplica(PaperDrive())
        _ = try await replica.record(.createFolder(parent: .root, name: "a"))
        #expect(try await replica.push() == .done)
        #expect(try await replica.shown() == ["/a/"])
        #expect(try await replica.store.operations().map(\.state) == [.acknowledged])
        try await replica.pull()
        #expect(try await replica.shown() == ["/a/"])
        #expect(try await replica.store.operations().isEmpty)
    }

    @Test func whatWasSentIsNeverCollapsed() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        drive.faults.lostAnswers = 1
        _ = try await replica.push()
        try await replica.record(.trash(seen: .anything), on: folder)
        #expect(try await replica.store.operations().count == 2)
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(drive.files.contains { $0.name == "a" && $0.trashed })
    }

    @Test func aDeletionBehindAnEditThatMetAnothersTakesNothingThatWasNotSeen() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        try await here.pull()
        let file = try await here.put("a.txt", [1])
        drive.faults.lostAnswers = 1
        _ = try await here.push()
        // Somebody else edits it before this device has heard of its own upload.
        try await there.pull()
        let theirs = try #require(try await there.luid("/a.txt"))
        let head = try await there.store.cached(theirs)?.headRevisionId
        try await there.record(.newRevision(content: there.content([2, 2]), base: head), on: theirs)
        _ = try await there.push()
        try await here.record(.newRevision(content: here.content([3, 3, 3]), base: nil), on: file)
        try await here.record(.trash(seen: .anything), on: file)
        try await here.runner.wake()
        _ = try await here.push()
        #expect(drive.files.first { $0.name == "a.txt" }.map { [$0.trashed ? 1 : 0, $0.size] } == [0, 2])
        #expect(try await here.store.operations().filter(\.waitsForAPerson).map(\.kind) == ["new_revision", "trash"])
    }

    @Test func trashingWhatSomebodyElseHasDeletedForGoodIsDone() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.push()
        try await replica.pull()
        let id = try #require(try await replica.store.serverId(of: folder))
        try await drive.from("phone").deletePermanently(id, seen: .anything, requestId: "purge")
        try await replica.record(.trash(seen: .anything), on: folder)
        #expect(try await replica.push() == .done)
        try await replica.pull()
        #expect(try await replica.store.operations().isEmpty)
    }

    @Test func whatIsMadeAndGoneBeforeTheCacheSawItLeavesTheJournal() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.push()
        let id = try #require(try await replica.store.serverId(of: folder))
        try await drive.from("phone").deletePermanently(id, seen: .anything, requestId: "purge")
        try await replica.pull()
        #expect(try await replica.store.operations().isEmpty)
        #expect(try await replica.shown().isEmpty)
    }

    @Test func discardingAFolderTakesWhatNeedsItAlong() async throws {
        let replica = try TestReplica(PaperDrive())
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.put("f", [1], in: folder)
        _ = try await replica.put("other", [2])
        let first = try #require(try await replica.store.operations().first)
        let gone = try await replica.recorder.discard(first.id)
        #expect(gone.count == 2)
        #expect(try await replica.shown().map { $0.split(separator: " ")[0] } == ["/other"])
    }
}
