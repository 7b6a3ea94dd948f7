import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// The server's side of a folder in step, from all files of a drive: nothing that a server says is trusted.
@Suite struct RemoteTreeTests {
    private func tree(_ files: File...) -> RemoteTree {
        RemoteTree(rootId: "box", files: [ToldDrive.file("box", named: "box", in: File.rootId, isFolder: true)] + files)
    }

    private func file(_ id: String, _ name: String, in parent: String? = "box") -> File {
        ToldDrive.file(id, named: name, in: parent)
    }

    private func folder(_ id: String, _ name: String, in parent: String? = "box") -> File {
        ToldDrive.file(id, named: name, in: parent, isFolder: true)
    }

    private func places(_ tree: RemoteTree) -> Set<String> {
        Set(tree.tree.subtree(of: .root).dropFirst().map { tree.tree.place(of: $0).text })
    }

    private func reasons(_ tree: RemoteTree) -> [String: HoldReason] { tree.misfits.mapValues(\.reason) }

    @Test func inAnyOrderOfItsFilesItIsTheSame() {
        let tree = tree(file("3", "c", in: "2"), folder("2", "b", in: "1"), folder("1", "a"))
        #expect(places(tree) == ["a", "a/b", "a/b/c"] && tree.misfits.isEmpty)
    }

    @Test func whatIsElsewhereOnTheDriveIsNoneOfIt() {
        let tree = tree(folder("o", "other", in: File.rootId), file("1", "a", in: "o"))
        #expect(places(tree).isEmpty && tree.misfits.isEmpty)
    }

    @Test func whatIsInTheTrashTakesWhatIsBelowItAlong() {
        var gone = folder("1", "a")
        gone.trashedAt = Timestamp(seconds: 1)
        let tree = tree(gone, file("2", "b", in: "1"), file("3", "a"))
        #expect(places(tree) == ["a"] && tree.facts("3") != nil)
        #expect(tree.misfits.values.allSatisfy { $0.reason == .folderNotArrived })
    }

    @Test(arguments: ["", ".", "..", "a/b"])
    func aNameThatIsNoneIsHeldWithAllBelowIt(_ name: String) {
        let tree = tree(folder("1", name), file("2", "b", in: "1"))
        #expect(places(tree).isEmpty)
        #expect(reasons(tree) == ["1": .remoteNameInvalid, "2": .folderHeld])
    }

    /// A look at the disk never sees such names: what was brought under them would pass for deleted.
    @Test func aNameOfBothysOwnIsHeldWithAllBelowIt() {
        let tree = tree(
            folder("1", ".bothy"), file("2", "a", in: "1"), folder("3", "b"), folder("4", ".bothy", in: "3"),
            folder("6", "c"), file("5", ".bothy", in: "6"), folder("7", ".d.0123456789ab.bothy-part", in: "6"))
        #expect(places(tree) == ["b", "c", "c/.bothy"])
        #expect(
            reasons(tree) == [
                "1": .remoteNameReserved, "2": .folderHeld, "4": .remoteNameReserved, "7": .remoteNameReserved,
            ])
    }

    @Test(arguments: [
        ".bothy-part", ".a.bothy-part", "a.0123456789ab.bothy-part", "..0123456789ab.bothy-part",
        ".a.0123456789AB.bothy-part", ".a0123456789ab.bothy-part", ".a.0123456789ab.bothy-part~",
    ])
    func aNameThatOnlyLooksLikeOneIsAPersons(_ name: String) {
        #expect(places(tree(file("1", name))) == [name])
    }

    @Test func aNameOfBothysOwnIsForThoseWhoLookAtEverything() {
        var tree = tree(file("1", "a"), folder("2", "b"))
        #expect(tree.take(["3": file("3", ".bothy", in: "2")]) == ["3"])
        #expect(tree.take(["4": file("4", ".a.0123456789ab.bothy-part", in: "2")]) == nil)
    }

    @Test func aNameWithANulByteIsHeldWhole() {
        let tree = tree(file("1", "a\0b"), file("2", "a"))
        #expect(places(tree) == ["a"] && reasons(tree) == ["1": .remoteNameInvalid])
        #expect(tree.misfits["1"]?.name == "a\0b")
    }

    @Test func ofTwoOfOneNameTheFirstByItsIdCounts() {
        let tree = tree(file("2", "a"), file("1", "a"))
        #expect(tree.facts("1") != nil && reasons(tree) == ["2": .remoteListedTwice])
    }

    @Test func aFileInAFileIsHeld() {
        let tree = tree(file("1", "a"), file("2", "b", in: "1"))
        #expect(places(tree) == ["a"] && reasons(tree) == ["2": .folderNotArrived])
    }

    @Test func foldersThatLieInEachOtherAreNowhere() {
        let tree = tree(folder("1", "a", in: "2"), folder("2", "b", in: "1"))
        #expect(places(tree).isEmpty)
    }

    /// Nothing of what has not arrived counts as deleted.
    @Test func whatHangsFromAFolderThatNobodyKnowsIsHeldWithAllBelowIt() {
        let tree = tree(folder("1", "a", in: "?"), file("2", "b", in: "1"))
        #expect(places(tree).isEmpty)
        #expect(reasons(tree) == ["1": .folderNotArrived, "2": .folderNotArrived])
    }
}
