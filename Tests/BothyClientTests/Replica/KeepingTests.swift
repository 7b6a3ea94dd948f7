import BothyClient
import BothyContract
import Foundation
import Testing

/// A replica within its bounds: what is let go, what never is, and how it comes back.
@Suite struct KeepingTests {
    /// A drive with folders of files that another device made, and a replica that knows them all.
    private func replica(folders: Int = 4, files: Int = 60) async throws -> (TestEngine, [LUID]) {
        let drive = PaperDrive()
        let writer = drive.from("writer")
        var ids = [String]()
        for folder in 0..<folders {
            let made = try await writer.createFolder(
                named: "folder-\(folder)", in: File.rootId, requestId: "folder \(folder)")
            ids.append(made.id)
            drive.fill(made.id, count: files)
        }
        let here = try TestEngine(drive)
        try await here.engine.pull()
        var luids = [LUID]()
        for id in ids { luids.append(try #require(try await here.engine.luid(ofServerId: id))) }
        return (here, luids)
    }

    /// Lets go of everything that may go.
    private func squeeze(_ here: TestEngine, bound: Set<String> = []) async throws {
        try await here.engine.letGoOfMetadata(bound: bound, cap: 1)
    }

    private func known(_ here: TestEngine, _ folder: LUID) async throws -> Bool {
        here.drive.faults.offline = true
        defer { here.drive.faults.offline = false }
        do {
            return try await here.names(folder).count > 1
        } catch let failure as ClientFailure where failure.code == .offline {
            return false
        }
    }

    @Test func withinTheCapNothingIsLetGo() async throws {
        let (here, folders) = try await replica()
        try await here.engine.letGoOfMetadata(bound: [], cap: 100_000_000)
        #expect(try await here.engine.kept().thinnedFolders == 0)
        #expect(try await known(here, folders[0]))
    }

    @Test func theFilesOfTheLongestUnusedFoldersGoAndTheFoldersStay() async throws {
        let (here, folders) = try await replica(folders: 6, files: 400)
        let before = try await here.engine.kept().metadata
        let cap = before / 10 * 7
        // From here on the cap is known, and uses are written down.
        try await here.engine.keepWithinBounds(bound: [], lived: 0) { before }
        for folder in [5, 3] {
            await here.engine.noteUse(ofFolder: try #require(try await here.engine.serverId(of: folders[folder])))
            try await here.engine.keepWithinBounds(bound: [], lived: 0) { before }
        }
        try await here.engine.letGoOfMetadata(bound: [], cap: cap)
        let kept = try await here.engine.kept()
        #expect(kept.metadata <= cap && kept.thinnedFolders > 0, "\(kept)")
        for used in [3, 5] { #expect(try await known(here, folders[used]), "what was looked at is still known") }
        #expect(try await known(here, folders[0]) == false)
        #expect(try await here.names().count == 6, "every path to a folder still leads there")
    }

    @Test func lookingAtTheRootKeepsTheRootAndNotEverythingBelow() async throws {
        let (here, folders) = try await replica()
        await here.engine.noteUse(ofFolder: File.rootId)
        try await here.engine.keepWithinBounds(bound: [], lived: 0) { 1 }
        #expect(try await known(here, folders[0]) == false)
        #expect(try await here.names().count == 4)
    }

    @Test func whatIsPinnedBoundPendingInTheTrashOrInAConflictIsNeverLetGo() async throws {
        let (here, folders) = try await replica(folders: 7)
        try await here.engine.pin(folders[0])
        let bound = try #require(try await here.engine.serverId(of: folders[1]))
        let trashed = try #require(try await here.engine.serverId(of: folders[5]))
        _ = try await here.drive.from("writer").trash(trashed, seen: .anything, requestId: "trash")
        try await here.engine.pull()
        let pending = try await here.engine.children(of: folders[2])[0]
        try await here.engine.record(.star(true), on: pending.luid)
        try await here.put("new", [1], in: folders[3])
        let clash = try await here.engine.children(of: folders[4])[0]
        try await here.edit(clash.luid, [1, 2, 3])
        here.drive.faults.refusals = Array(repeating: ClientFailure(.revisionConflict, "Newer."), count: 3)
        _ = try await here.engine.push()
        #expect(try await here.engine.operations().contains { $0.state == .conflict })
        try await squeeze(here, bound: [bound])
        #expect(try await here.engine.trashedTrees().count == 61, "what is in the trash is known in full")
        for folder in folders[0..<5] { #expect(try await known(here, folder)) }
        #expect(try await known(here, folders[6]) == false)
    }

    @Test func whatHasAStarIsListedThoughItsFolderIsLetGo() async throws {
        let (here, folders) = try await replica()
        let names = try await here.names(folders[0])
        let folder = try #require(try await here.engine.serverId(of: folders[0]))
        let file = try #require(try await here.engine.files(in: folder, order: nil).first)
        _ = try await here.drive.from("writer").update(
            file.id, UpdateFileRequest(starred: true), seen: nil, requestId: "star")
        try await here.engine.pull()
        for _ in 0..<2 { try await squeeze(here) }
        #expect(try await known(here, folders[0]) == false, "one star keeps no folder")
        #expect(try await here.engine.starred(from: 0, limit: 9).items.map(\.item.name) == [file.name])
        #expect(try await here.names(folders[0]) == names)
    }

    @Test func aThinnedFolderSaysSoWithoutAConnectionAndComesBackWithOne() async throws {
        let (here, folders) = try await replica()
        try await squeeze(here)
        here.drive.faults.offline = true
        let failure = await #expect(throws: ClientFailure.self) { try await here.names(folders[1]) }
        #expect(failure?.code == .offline && failure?.words.contains("folder-1") == true, "\(failure?.words ?? "")")
        let path = try RemotePath("/folder-1/file-3")
        await #expect(throws: ClientFailure.self, "it may be there: nothing says that it is not") {
            try await here.engine.file(at: path)
        }
        here.drive.faults.offline = false
        #expect(try await here.names(folders[1]).count == 60)
        here.drive.faults.offline = true
        #expect(try await here.engine.file(at: path) != nil, "from now on it is known again")
    }

    @Test func whatChangesInAThinnedFolderIsRightWhenItComesBack() async throws {
        let (here, folders) = try await replica()
        try await squeeze(here)
        let writer = here.drive.from("writer")
        let ids = here.drive.files.filter { $0.name == "file-1" || $0.name == "file-2" }.map(\.id)
        for (number, id) in ids.enumerated() {
            _ = try await writer.update(id, UpdateFileRequest(name: "renamed"), seen: nil, requestId: "r\(number)")
            if number % 2 == 0 { _ = try await writer.trash(id, seen: .anything, requestId: "t\(number)") }
        }
        try await here.engine.pull()
        for folder in folders {
            let id = try await here.engine.serverId(of: folder)
            let there = here.drive.files.filter { $0.parentId == id && !$0.trashed }.map(\.name).sorted()
            #expect(try await here.names(folder).sorted() == there)
        }
    }

    /// A list that is older than the cursor would bring back what was deleted in between.
    @Test func aListThatTheLogHasOvertakenIsNotTaken() async throws {
        let (here, folders) = try await replica()
        try await squeeze(here)
        let id = try #require(try await here.engine.serverId(of: folders[0]))
        let stale = try here.drive.listed(id).files
        let cursor = try await here.engine.state().cursor
        try await here.drive.from("writer").deletePermanently(stale[0].id, seen: .anything, requestId: "purge")
        try await here.engine.pull()
        #expect(try await here.engine.store().fill(folders[0], with: stale, asOf: cursor) == nil)
        #expect(try await here.names(folders[0]).count == 59)
    }

    @Test func aFolderThatIsBoundLaterIsCompleteBeforeItIsCompared() async throws {
        let (here, folders) = try await replica()
        try await squeeze(here)
        let id = try #require(try await here.engine.serverId(of: folders[2]))
        #expect(try await here.engine.remoteTree(below: id)?.below.count == 60)
        try await squeeze(here)
        here.drive.faults.offline = true
        await #expect(throws: ClientFailure.self, "absence is never taken for a deletion") {
            try await here.engine.remoteTree(below: id)
        }
    }

    @Test func whatIsPinnedLaterIsCompleteBeforeItIsFetched() async throws {
        let (here, folders) = try await replica(folders: 2, files: 3)
        try await squeeze(here)
        try await here.engine.pin(folders[0])
        #expect(try await here.engine.pinnedFiles().count == 3)
    }

    @Test func aNewLinkTellsEverythingAgain() async throws {
        let (here, folders) = try await replica()
        try await squeeze(here)
        here.drive.beginEpoch()
        try await here.engine.pull()
        #expect(try await here.engine.kept().thinnedFolders == 0)
        #expect(try await known(here, folders[0]))
    }

    // MARK: - Content

    @Test func whatWasSentIsAtHandUntilThereIsTooMuchOfIt() async throws {
        let here = try TestEngine(PaperDrive())
        let old = try await here.put("old", Array(repeating: 1, count: 20_000))
        let new = try await here.put("new", Array(repeating: 2, count: 20_000))
        let pinned = try await here.put("pinned", Array(repeating: 3, count: 20_000))
        try await here.sync()
        #expect(try here.entries(here.content.pendingFolder).isEmpty)
        try await here.engine.pin(pinned)
        // Looked at in this order.
        for luid in [old, new] {
            #expect(try await here.bytes(luid)?.count == 20_000, "what was put can be read without a connection")
            try await here.engine.keepWithinBounds(bound: [], lived: 0) { 100_000_000 }
        }
        try await here.engine.letGoOfContent(cap: 30_000)
        #expect(try await here.bytes(old) == nil)
        for kept in [new, pinned] { #expect(try await here.bytes(kept) != nil) }
        try await here.engine.letGoOfContent(cap: 0)
        #expect(try await here.bytes(new) == nil)
        #expect(try await here.bytes(pinned) != nil)
        let kept = try await here.engine.kept()
        #expect(kept.freeable == 0 && kept.pinned > 0)
    }

    @Test func whatMayBeKeptIsWhatItsPersonSaidAndNeverMoreThanTheServer() async throws {
        #expect(RoomLimits().mostMetadata(allowed: 200) == 200)
        #expect(RoomLimits(metadata: 100).mostMetadata(allowed: 200) == 100)
        #expect(RoomLimits(metadata: 300).mostMetadata(allowed: 200) == 200)
        let here = try TestEngine(PaperDrive())
        let files = [
            try await here.put("a", Array(repeating: 1, count: 20_000)),
            try await here.put("b", Array(repeating: 2, count: 20_000)),
        ]
        try await here.sync()
        try await here.engine.keepWithinBounds(bound: [], lived: 0) { 100_000_000 }
        for file in files { #expect(try await here.bytes(file) != nil) }
        try await here.engine.keepWithinBounds(bound: [], lived: 0, limits: RoomLimits(content: 30_000)) {
            100_000_000
        }
        var left = 0
        for file in files where try await here.bytes(file) != nil { left += 1 }
        #expect(left == 1)
    }

    @Test func aCopyThatNoOperationSpeaksOfGoesWhereThingsLieThatWereGivenUp() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        try await here.put("waiting", [1])
        let orphan = here.content.pendingPath("orphan")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: orphan))
        // The files are of now; the test's clock is not.
        let real = Int64(Date().timeIntervalSince1970)
        here.clock.jump(seconds: real - here.clock.now().seconds)
        try await here.engine.keepWithinBounds(bound: [], lived: 0) { 100_000_000 }
        #expect(try here.entries(here.content.pendingFolder).count == 2, "a command may be about to write it down")
        here.clock.jump(seconds: 4000)
        try await here.engine.keepWithinBounds(bound: [], lived: 0) { 100_000_000 }
        #expect(try here.entries(here.content.pendingFolder).count == 1)
        #expect(try here.entries(here.content.trashFolder) == ["orphan"])
    }

    @Test func aCopyThatWasCutOffGoesAtTheNextStartAndWhatWaitsStays() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        try await here.put("waiting", [1])
        let waiting = try here.entries(here.content.pendingFolder)
        // After a power cut, the mark of a copy that is whole may be there again.
        for name in waiting + ["cut-off"] {
            try Data().write(to: URL(fileURLWithPath: "\(here.content.copyingFolder)/\(name)"))
        }
        try Data([1, 2]).write(to: URL(fileURLWithPath: here.content.pendingPath("cut-off")))
        try await here.engine.sweepCopies()
        #expect(try here.entries(here.content.pendingFolder) == waiting)
        #expect(try here.entries(here.content.copyingFolder).isEmpty)
        #expect(try here.entries(here.content.trashFolder).isEmpty, "a part of a copy is nothing that was given up")
    }

    /// The calendar may say what it likes: only what the device has lived through counts.
    @Test func whatWasGivenUpGoesAfterThirtyDaysThatTheDeviceLived() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        func giveUp(_ name: String) async throws {
            try await here.put(name, [1])
            try await here.engine.discard(try #require(try await here.engine.operations().first).id)
        }
        func keep(lived days: Int64) async throws -> Int {
            try await here.engine.keepWithinBounds(bound: [], lived: days * 86_400) { 100_000_000 }
            return try here.entries(here.content.trashFolder).count
        }
        try await giveUp("early")
        #expect(try await keep(lived: 100) == 1)
        here.clock.jump(seconds: 400 * 86_400)
        #expect(try await keep(lived: 101) == 1)
        try await giveUp("late")
        #expect(try await keep(lived: 129) == 2)
        #expect(try await keep(lived: 130) == 1)
        #expect(try await keep(lived: 158) == 1)
        #expect(try await keep(lived: 159) == 0)
    }
}
