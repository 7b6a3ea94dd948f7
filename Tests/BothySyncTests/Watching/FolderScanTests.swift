import BothyClient
import BothyContract
@testable import BothySync
import Foundation
import Testing

/// What a scan sees, and what it does not read twice.
@Suite struct FolderScanTests {
    let folder: TemporaryFolder
    let disk: SystemFolderDisk
    private static let later = Timestamp(seconds: 4_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "mark")
    }

    private func scan(previous: LocalTree? = nil, rules: IgnoreRules = .none) throws -> FolderScan.Seen {
        var scan = try FolderScan(
            disk, rules: rules, synced: SyncedTree(rootId: "root"), previous: previous, now: Self.later)
        return try scan.run()
    }

    @Test func filesFoldersAndWhatIsNeitherAreTold() throws {
        try folder.write("docs/a.txt", "a")
        try folder.link("link", to: "docs")
        mkfifo(folder.file("pipe"), 0o600)
        let local = try scan().local
        #expect(local.facts(at: "docs")?.kind == .folder)
        #expect(local.facts(at: "docs/a.txt")?.hash != nil)
        #expect(local.specials == ["link": .symbolicLink, "pipe": .pipe])
        #expect(local.node(at: "link/a.txt") == nil)
    }

    /// It was taken for deleted, and so put into the trash everywhere.
    @Test func whatCannotBeLookedAtIsNotTakenForGone() throws {
        try folder.write("a.txt", "a")
        var scan = try FolderScan(disk, synced: SyncedTree(rootId: "root"), previous: nil, now: Self.later)
        _ = try scan.run()
        let root = try #require(scan.local.node(at: .root))
        let place = FolderScan.Folder(place: .root, node: root, synced: nil, previous: nil, depth: 0)
        #expect(scan.local.facts(at: .root)?.condition == .quiet)
        #expect(try scan.take(DiskEntry(name: "b.txt", facts: nil), in: place) == nil)
        #expect(scan.local.facts(at: .root)?.condition == .unreadable)
    }

    @Test(arguments: ["a.txt", "docs"]) func whatHasANameThatIsNoTextIsKnownByItsInode(name: String) throws {
        try folder.write("a.txt", "a")
        try folder.write("docs/b.txt", "b")
        let before = try #require(try scan().local.facts(at: Place(text: name)))
        #expect(folder.renameToNoText(name))
        let local = try scan().local
        #expect(local.specials == ["a\u{FFFD}b": .nameNotText] && local.holdsUnspelled(before.stamp))
    }

    /// It may be what was agreed on under another name.
    @Test func whereSuchANameCannotBeLookedAtNothingIsGone() throws {
        var scan = try FolderScan(disk, synced: SyncedTree(rootId: "root"), previous: nil, now: Self.later)
        _ = try scan.run()
        let place = FolderScan.Folder(place: .root, node: .root, synced: nil, previous: nil, depth: 0)
        #expect(try scan.take(DiskEntry(name: "b", isText: false, facts: nil), in: place) == nil)
        #expect(scan.local.facts(at: .root)?.condition == .unreadable)
    }

    /// Another device could make it as large, and a person moves it elsewhere and links to it: what was left out here went up.
    @Test(arguments: ["large", "link", "folder"]) func rulesThatCannotBeReadGoOn(_ kind: String) throws {
        try folder.write("a.key", "secret")
        switch kind {
        case "large": try folder.write(".bothyignore", "*.key\n" + String(repeating: "# more\n", count: 200_000))
        case "link": try folder.link(".bothyignore", to: "/etc/hostname")
        default: try folder.write(".bothyignore/file", "x")
        }
        var synced = SyncedTree(rootId: "root")
        let agreed = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
        let remote = RemoteFacts(id: "1", kind: .file, headRevisionId: "r", checksum: agreed, size: 6)
        synced.put(
            SyncedFacts(remote: remote, remoteName: ".bothyignore", local: LocalFacts(kind: .file, hash: agreed)),
            named: ".bothyignore", under: "root")
        for isAgreed in [true, false] {
            var scan = try FolderScan(
                disk, heeded: [.root: "*.key"], synced: isAgreed ? synced : SyncedTree(rootId: "root"), previous: nil,
                now: Self.later)
            let seen = try scan.run()
            #expect(seen.local.leftOut == ["a.key"] && seen.review.heeded == [.root: "*.key"])
        }
    }

    @Test func whatHasTheSameStampIsNotReadAgain() throws {
        try folder.writeLongAgo("a.txt", "first")
        let first = try scan().local
        // Other bytes under the same stamp: only who reads them again finds out.
        var lying = first
        var facts = try #require(first.facts(at: "a.txt"))
        facts.hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
        lying.put(facts, at: "a.txt")
        #expect(try scan(previous: lying).local.facts(at: "a.txt")?.hash == facts.hash)
        try folder.write("a.txt", "second")
        #expect(try scan(previous: lying).local.facts(at: "a.txt")?.hash != facts.hash)
    }

    @Test func aMovedFoldersFilesAreKnownByTheirStamps() throws {
        try folder.writeLongAgo("old/a.txt", "a")
        var lying = try scan().local
        var facts = try #require(lying.facts(at: "old/a.txt"))
        facts.hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
        lying.put(facts, at: "old/a.txt")
        try FileManager.default.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
        #expect(try scan(previous: lying).local.facts(at: "new/a.txt")?.hash == facts.hash)
    }

    @Test func whatRulesLeaveOutIsNotLookedInto() throws {
        try folder.write(".bothyignore", "build/\n*.o\n")
        try folder.write("build/deep/x", "x")
        try folder.write("a.o", "o")
        try folder.write("a.c", "c")
        let seen = try scan()
        #expect(seen.local.leftOut == ["build", "a.o"])
        #expect(seen.local.node(at: "build/deep") == nil && seen.local.node(at: "a.c") != nil)
    }

    @Test func aFolderThatIsTiedByItselfIsLeftAlone() throws {
        try folder.write("inner/file", "f")
        try SystemFolderDisk(path: folder.file("inner")).claim(mark: "other")
        let local = try scan().local
        #expect(local.specials == ["inner": .otherBinding] && local.node(at: "inner") == nil)
    }

    @Test func aFolderThatWasUntiedIsSyncedWithTheOneAroundIt() throws {
        try folder.write("inner/file", "f")
        let inner = SystemFolderDisk(path: folder.file("inner"))
        try inner.claim(mark: "other")
        try folder.write("inner/.bothy/trash/kept", "k")
        try inner.disclaim(keepingTrash: true)
        let local = try scan().local
        #expect(local.facts(at: "inner/file") != nil && local.specials == ["inner/.bothy": .remains])
        #expect(FileManager.default.fileExists(atPath: folder.file("inner/.bothy/trash/kept")))
        // Nor does a folder of that name make one that is bound.
        try folder.write("sub/.bothy/x", "x")
        #expect(try scan().local.specials.keys.sorted() == ["inner/.bothy", "sub/.bothy"])
    }

    @Test func aFileThatSomebodyWritesInIsNotTakenYet() throws {
        try folder.write("film", "half")
        let writer = try #require(FileHandle(forWritingAtPath: folder.file("film")))
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let moment = Timestamp(seconds: Int64(now.tv_sec))
        func look() throws -> LocalFacts? {
            var scan = try FolderScan(disk, synced: SyncedTree(rootId: "root"), previous: nil, now: moment)
            return try scan.run().local.facts(at: "film")
        }
        #expect(try look()?.condition == .beingWritten)
        try writer.close()
        #expect(try look()?.condition == .quiet)
    }

    @Test func aFileThatIsSavedAgainAndAgainIsTakenWhenNobodyHasTouchedItForASecond() throws {
        try folder.write("log", "line")
        try folder.write("beside", "b")
        let saved = try #require(try scan().local.facts(at: "log")).stamp.changedAt
        func look(after milliseconds: Int64) throws -> LocalTree {
            var scan = try FolderScan(
                disk, synced: SyncedTree(rootId: "root"), previous: nil, now: saved.adding(milliseconds: milliseconds))
            scan.restless = ["log"]
            return try scan.run().local
        }
        let soon = try look(after: 900)
        #expect(soon.facts(at: "log")?.condition == .beingWritten && soon.facts(at: "beside")?.condition == .quiet)
        #expect(try look(after: 1_100).facts(at: "log")?.condition == .quiet)
    }
}
