import BothyClient
import BothyContract
@testable import BothySync
import Foundation
import Testing

/// Folders that are not what they look like: copies of folders in step, and the bare places of disks that are not mounted.
@Suite struct KnownFoldersTests {
    let folder: TemporaryFolder
    let disk: SystemFolderDisk

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "mark")
    }

    private func scan(_ known: KnownFolders, synced: SyncedTree = SyncedTree(rootId: "root")) throws -> FolderScan {
        var scan = try FolderScan(
            disk, synced: synced, previous: nil, now: Timestamp(seconds: 4_000_000_000))
        scan.knownFolders = known
        _ = try scan.run()
        return scan
    }

    /// It was synced nowhere, in silence.
    @Test func aCopyOfAFolderThatIsInStepElsewhereIsSyncedWithTheOneAroundIt() throws {
        try folder.write("copy/file", "f")
        try SystemFolderDisk(path: folder.file("copy")).claim(mark: "another")
        let tied = try scan(KnownFolders())
        #expect(tied.local.specials == ["copy": .otherBinding] && tied.local.node(at: "copy") == nil)
        let copied = try scan(KnownFolders(isCopy: { mark, _ in mark == "another" }))
        #expect(copied.local.specials == ["copy/.bothy": .remains] && copied.local.facts(at: "copy/file") != nil)
    }

    /// What tells a folder in step that is mounted inside another one from a copy of it.
    @Test func aFolderThatIsReachedByTwoPathsIsTheSame() throws {
        try folder.makeFolder("box")
        let met = try #require(try disk.facts("box"))
        let root = try #require(try SystemFolderDisk(path: folder.file("box")).root())
        let around = try #require(try disk.root())
        #expect(met.isSameFolder(as: root) && !met.isSameFolder(as: around))
    }

    private func agreed(on names: String...) throws -> SyncedTree {
        var synced = SyncedTree(rootId: "root")
        let photos = LocalStamp(inode: 3)
        synced.put(
            SyncedFacts(remoteId: "photos", kind: .folder, remoteName: "photos", local: photos), named: "photos",
            under: "root")
        for name in names {
            synced.put(
                SyncedFacts(remoteId: name, kind: .file, remoteName: NodeName(name), local: LocalStamp(inode: 4)),
                named: NodeName(name), under: "photos")
        }
        return synced
    }

    /// All that had been mounted there was deleted everywhere.
    @Test func theBarePlaceOfAMountThatIsGoneIsNoEmptiedFolder() throws {
        try folder.makeFolder("photos")
        let synced = try agreed(on: "a.jpg")
        let bare = try scan(KnownFolders(mounts: ["photos"]), synced: synced)
        #expect(bare.local.specials == ["photos": .unmounted] && bare.local.node(at: "photos") == nil)
        #expect(bare.local.mounts(after: ["photos"], in: synced) == ["photos"])
        // Nobody has mounted anything in one that was emptied.
        #expect(try scan(KnownFolders(), synced: synced).local.facts(at: "photos") != nil)
    }

    @Test func aFolderWithAllThatWasMountedThereIsOneLikeAnyOther() throws {
        try folder.write("photos/a.jpg", "a")
        let synced = try agreed(on: "a.jpg")
        let put = try scan(KnownFolders(mounts: ["photos"]), synced: synced)
        #expect(put.local.specials.isEmpty && put.local.facts(at: "photos/a.jpg") != nil)
        #expect(put.local.mounts(after: ["photos"], in: synced).isEmpty)
    }

    @Test func aMountThatIsAgreedOnIsKnown() throws {
        try folder.makeFolder("photos")
        let synced = try agreed(on: "a.jpg")
        var scan = try scan(KnownFolders())
        var facts = try #require(try disk.facts("photos"))
        facts.isMountRoot = true
        scan.noteMount(facts, at: "photos")
        #expect(scan.local.mounts(after: [], in: synced) == ["photos"])
        // Before it is agreed on it is nothing that could be missing.
        #expect(scan.local.mounts(after: [], in: SyncedTree(rootId: "root")).isEmpty)
    }

    /// It was taken for deleted, and deleted everywhere.
    @Test func whatIsCalledLikeADownloadUnderWayIsToldAndKnownByItsInode() throws {
        let name = ".film.mkv.0123456789ab.bothy-part"
        try folder.write("film.mkv", "film")
        let before = try #require(try scan(KnownFolders()).local.facts(at: "film.mkv"))
        try FileManager.default.moveItem(atPath: folder.file("film.mkv"), toPath: folder.file(name))
        let local = try scan(KnownFolders()).local
        #expect(local.specials == [Place(text: name): .partName] && local.node(at: Place(text: name)) == nil)
        #expect(local.unspelledKind(before.stamp) == .partName)
    }
}
