import BothyClient
import BothyContent
import BothyContract
import Foundation
import Testing

@testable import BothySync

/// Files on a real disk, held against what was agreed on.
@Suite struct FolderVerificationTests {
    private let folder: TemporaryFolder
    private let store: BindingStore
    private let disk: SystemFolderDisk
    private let binding: Binding

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("box/docs")
        store = BindingStore(database: try ClientDatabase(path: folder.file("client.sqlite")))
        disk = SystemFolderDisk(path: folder.file("box"))
        try disk.claim(mark: "m")
        binding = Binding(
            id: "b1", localPath: folder.file("box"), remoteId: "f0", remotePath: "/my box", accountId: "a", mark: "m",
            root: try #require(try disk.root()).stamp, deletions: .mirror, conflicts: .fork, exclude: [],
            createdAt: Timestamp(seconds: 5))
    }

    /// Agrees on a file as it is, but for its content where another is given.
    private func agree(on names: [Place], as content: String? = nil, mark: SyncedMark? = nil) async throws {
        var tree = SyncedTree(rootId: "f0", root: binding.root)
        let docs = try #require(try disk.facts("docs"))
        tree.put(
            SyncedFacts(remoteId: "d", kind: .folder, remoteName: "Docs", local: docs.stamp), named: "docs", under: "f0"
        )
        for name in names {
            let facts = try #require(try disk.facts(name))
            let text = content ?? folder.read("box/\(name.text)") ?? ""
            let agreed = SyncedFacts(
                remoteId: "id \(name.text)", kind: .file, remoteName: name.name, local: facts.stamp,
                baseRevisionId: "r", checksum: text.isEmpty ? nil : SHA256Hasher.hash(Array(text.utf8)),
                size: facts.stamp.size, mark: mark)
            tree.put(agreed, named: name.name, under: name.depth == 1 ? "f0" : "d")
        }
        try await store.save(binding)
        let pass = try await store.beginPass(
            of: binding.id, at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let decision = Decision(
            passId: pass.id, at: Timestamp(seconds: 1),
            action: Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides),
            trace: Decision.Trace())
        let written = tree.tree.subtree(of: .root).dropFirst().map { tree[$0].remoteId }
        let rows = SettledRows(written: written, removed: [])
        try await store.settle([SettledStep(decision, rows, of: tree, answered: nil)], binding: binding.id)
    }

    private func verification(_ place: Place = .root) async throws -> FolderVerification? {
        let synced = try await store.syncedTree(of: binding)
        return FolderVerification(of: VerifiedPart(binding: binding, place: place), synced, store: store, disk: disk)
    }

    private func verdicts(_ place: Place = .root) async throws -> [Place: FileVerdict] {
        let verification = try #require(try await verification(place))
        var verdicts = [Place: FileVerdict]()
        for node in verification.nodes {
            let file = try #require(verification.file(node))
            verdicts[file.place] = try await verification.judge(file)
        }
        return verdicts
    }

    @Test func whatIsAsItWasIsWholeAndEmptyFilesAreToo() async throws {
        try folder.write("box/a.txt", "a")
        try folder.write("box/docs/b.txt", "b")
        try folder.write("box/docs/empty", "")
        try await agree(on: ["a.txt", "docs/b.txt", "docs/empty"])
        #expect(try await verdicts() == ["a.txt": .whole, "docs/b.txt": .whole, "docs/empty": .whole])
        #expect(try await verdicts("docs").keys.sorted() == ["docs/b.txt", "docs/empty"])
        #expect(try await verdicts("a.txt") == ["a.txt": .whole])
        #expect(try await verification("other") == nil)
    }

    @Test func aBitThatFlippedUnderAnUntouchedStampIsDamage() async throws {
        try folder.write("box/docs/b.txt", "as it Was")
        try await agree(on: ["docs/b.txt"], as: "as it was")
        let found = SHA256Hasher.hash(Array("as it Was".utf8))
        #expect(try await verdicts() == ["docs/b.txt": .damaged(.untouched, found: found)])
        let verification = try #require(try await verification())
        let file = try #require(verification.nodes.first.flatMap(verification.file))
        #expect(file.remotePath == "/my box/Docs/b.txt")
    }

    @Test func anEditAndAFileThatWentAreNoDamage() async throws {
        for name in ["edited", "longer", "gone", "folder"] { try folder.write("box/\(name)", "as it was") }
        try await agree(on: ["edited", "longer", "gone", "folder"])
        for name in ["gone", "folder"] { try FileManager.default.removeItem(atPath: folder.file("box/\(name)")) }
        try folder.makeFolder("box/folder")
        try folder.write("box/edited", "as it Was")
        try folder.write("box/longer", "as it was once")
        #expect(
            try await verdicts() == ["edited": .changed, "longer": .changed, "gone": .missing, "folder": .changed])
    }

    /// The agent goes on while files are read.
    @Test func whatWasAgreedOnAnewMeanwhileIsNotCalledDamaged() async throws {
        try folder.write("box/a.txt", "as it Was")
        try await agree(on: ["a.txt"], as: "as it was")
        let verification = try #require(try await verification())
        let file = try #require(verification.nodes.first.flatMap(verification.file))
        try await agree(on: ["a.txt"])
        #expect(try await verification.judge(file) == .changed)
    }

    @Test func ofWhatWasDeletedElsewhereThereIsNothingOnTheServer() async throws {
        try folder.write("box/a.txt", "a")
        try await agree(on: ["a.txt"], mark: .unsynced(.deletedElsewhere))
        let verification = try #require(try await verification())
        #expect(verification.nodes.first.flatMap(verification.file)?.remotePath == nil)
    }

    @Test func anotherFolderInItsPlaceIsNotRead() async throws {
        try folder.write("box/a.txt", "a")
        try await agree(on: ["a.txt"])
        let verification = try #require(try await verification())
        try await verification.requireRoot()
        try FileManager.default.moveItem(atPath: folder.file("box"), toPath: folder.file("away"))
        await #expect(throws: ClientFailure.self) { try await verification.requireRoot() }
        try folder.makeFolder("box")
        await #expect(throws: ClientFailure.self) { try await verification.requireRoot() }
    }
}
