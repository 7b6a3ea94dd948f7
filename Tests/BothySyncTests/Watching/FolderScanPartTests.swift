import BothyClient
import BothyContract
import Foundation
import Testing

@testable import BothySync

/// Looking again at the folders in which something happened sees what looking at everything would.
@Suite struct FolderScanPartTests {
    let folder: TemporaryFolder
    let disk: SystemFolderDisk
    private static let later = Timestamp(seconds: 4_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "mark")
    }

    private func whole() throws -> FolderScan.Seen {
        var scan = try FolderScan(disk, synced: SyncedTree(rootId: "root"), previous: nil, now: Self.later)
        return try scan.run()
    }

    private func part(_ folders: Set<Place>, over seen: FolderScan.Seen) throws -> FolderScan.PartSeen {
        try part(Dictionary(uniqueKeysWithValues: folders.map { ($0, .all) }), over: seen)
    }

    private func part(_ folders: [Place: NamesInFolder], over seen: FolderScan.Seen) throws -> FolderScan.PartSeen {
        var scan = try FolderScan(
            disk, rules: seen.rules, review: seen.review, synced: SyncedTree(rootId: "root"), over: seen.local,
            now: Self.later)
        return try scan.run(over: folders)
    }

    @Test func nothingIsTouchedWhereNothingChanged() throws {
        try folder.writeLongAgo("docs/a.txt", "a")
        let seen = try part(["", "docs"], over: whole())
        #expect(seen.places == [] && seen.newFolders == [])
    }

    /// Its private folder came back with the folder's disk, or a download was begun beside a person's files.
    @Test func whatIsBothysOwnIsNoPersonsAlsoWhereItIsToldOf() throws {
        let half: Place = "docs/.a.txt.0123456789ab.bothy-part"
        try folder.write(half.text, "half of it")
        let before = try whole()
        #expect(before.local.specials == [half: .partName])
        let seen = try part([.root: .some([".bothy"]), "docs": .some([half.name])], over: before)
        #expect(seen.places == [half] && seen.newFolders == [] && seen.local.specials == [half: .partName])
    }

    /// A watcher cannot tell such a name, and tells of all that is in the folder.
    @Test func whatWasGivenANameThatIsNoTextIsKnownByItsInode() throws {
        try folder.write("docs/a.txt", "a")
        let before = try whole()
        let docs = try #require(before.local.facts(at: "docs"))
        #expect(folder.renameToNoText("docs"))
        var seen = try part([.root], over: before)
        #expect(seen.local.holdsUnspelled(docs.stamp) && seen.local.node(at: "docs") == nil)
        #expect(try #require(seen.places).isSuperset(of: ["docs", "a\u{FFFD}b"]))
        // One that has the very name as which it is shown.
        try folder.write("a\u{FFFD}b", "text")
        for told in [NamesInFolder.some(["a\u{FFFD}b"]), NamesInFolder.all] {
            let after = FolderScan.Seen(local: seen.local, rules: before.rules, review: before.review)
            seen = try part([Place.root: told], over: after)
            #expect(seen.local.holdsUnspelled(docs.stamp) && seen.local.facts(at: "a\u{FFFD}b")?.kind == .file)
        }
        #expect(rename(folder.file("a\u{FFFD}b"), folder.file("c")) == 0)
        #expect(try part([.root], over: before).local.holdsUnspelled(docs.stamp))
    }

    /// A folder that looks empty must be known to be: what is left behind here would be taken for something in it.
    @Test func aLinkGoesWithTheFolderThatItLiesIn() throws {
        try folder.write("docs/a.txt", "a")
        try folder.link("docs/link", to: "/etc")
        let before = try whole()
        #expect(before.local.specials == ["docs/link": .symbolicLink])
        try FileManager.default.removeItem(atPath: folder.file("docs"))
        let seen = try part([.root: .some(["docs"])], over: before)
        #expect(seen.local.specials.isEmpty && !seen.local.tree.hasChildren(.root))
    }

    /// Who does as told (chmod u+rX) waited ten minutes for it.
    @Test func aFolderThatCanBeLookedIntoAgainIs() throws {
        try folder.write("docs/a.txt", "a")
        var before = try whole()
        let docs = try #require(before.local.node(at: "docs"))
        before.local.tree[docs].condition = .unreadable
        before.local.remove("docs/a.txt")
        let seen = try part([.root: .some(["docs"])], over: before)
        #expect(seen.local.facts(at: "docs/a.txt") != nil && seen.local.facts(at: "docs")?.condition == .quiet)
    }

    @Test func anEditedFileAloneIsTouched() throws {
        try folder.write("docs/a.txt", "a")
        try folder.writeLongAgo("docs/b.txt", "b")
        let before = try whole()
        try folder.write("docs/a.txt", "another")
        #expect(try part(["docs"], over: before).places == ["docs/a.txt"])
    }

    @Test func aMovedFolderIsTouchedWithAllInItAndNotReadAgain() throws {
        try folder.writeLongAgo("old/deep/a.txt", "a")
        var before = try whole()
        // A hash that is no file's: whoever read the file again would find another.
        var facts = try #require(before.local.facts(at: "old/deep/a.txt"))
        facts.hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
        before.local.put(facts, at: "old/deep/a.txt")
        try FileManager.default.moveItem(atPath: folder.file("old"), toPath: folder.file("new"))
        let seen = try part([.root], over: before)
        #expect(seen.places == ["old", "new", "new/deep", "new/deep/a.txt"])
        #expect(Set(seen.newFolders) == ["new", "new/deep"])
        #expect(seen.local.facts(at: "new/deep/a.txt")?.hash == facts.hash)
    }

    /// Only the new folder was told of when it was looked into; that something left its place for it is told next.
    @Test(arguments: ["a.txt", "deep"]) func whatWasMovedIntoANewFolderStandsNoMoreWhereItWas(name: String) throws {
        try folder.write("a.txt", "a")
        try folder.write("deep/er/b.txt", "b")
        let before = try whole()
        try folder.makeFolder("new")
        let target = "new/\(name)"
        try FileManager.default.moveItem(atPath: folder.file(name), toPath: folder.file(target))
        let seen = try part([.root: .some(["new"])], over: before)
        #expect(seen.local.facts(at: Place(text: name)) == nil && seen.local.facts(at: Place(text: target)) != nil)
        #expect(try #require(seen.places).isSuperset(of: [Place(text: name), Place(text: target)]))
        #expect(Self.outline(seen.local) == Self.outline(try whole().local))
    }

    @Test func aFileWithASecondNameInANewFolderStandsAtBoth() throws {
        try folder.write("a.txt", "a")
        let before = try whole()
        try folder.makeFolder("new")
        #expect(link(folder.file("a.txt"), folder.file("new/b.txt")) == 0)
        let seen = try part([.root: .some(["new"])], over: before)
        #expect(seen.local.facts(at: "a.txt") != nil && seen.local.facts(at: "new/b.txt") != nil)
    }

    /// A folder in step that a person moves into another, or a copy of one.
    @Test(arguments: ["inner", "new/inner"])
    func aFolderThatIsTiedByItselfIsLeftAloneWhereItComesIn(name: String) throws {
        try folder.write("a.txt", "a")
        let before = try whole()
        try folder.write("\(name)/file", "f")
        try SystemFolderDisk(path: folder.file(name)).claim(mark: "other")
        let place = Place(text: name)
        let told = try #require(place.parent.isRoot ? place.name : place.parent.name)
        for names in [NamesInFolder.all, .some([told])] {
            let seen = try part([.root: names], over: before)
            #expect(seen.local.specials == [place: .otherBinding] && seen.local.node(at: place) == nil)
            #expect(Self.outline(seen.local) == Self.outline(try whole().local))
        }
    }

    @Test func rulesThatChangedNeedALookAtEverything() throws {
        try folder.writeLongAgo("docs/a.txt", "a")
        let before = try whole()
        try folder.write("docs/.bothyignore", "*.txt")
        #expect(try part(["docs"], over: before).places == nil)
        try folder.write("docs/.bothyignore", "*.pdf")
        #expect(try part(["docs"], over: whole()).places == nil, "they may have changed again under this stamp")
        try folder.writeLongAgo("docs/.bothyignore", "*.pdf")
        #expect(try part(["docs"], over: whole()).places == [])
        try folder.write("new/.bothyignore", "*.txt")
        #expect(try part([.root], over: before).places == nil)
    }

    /// Random changes, of which the folders are told, or the names in them: the same tree, and touched is what differs.
    @Test(arguments: [false, true]) func aPartSeesWhatTheWholeDoes(byName: Bool) throws {
        for seed in 0..<60 {
            var dice = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<12 { _ = try change(&dice) }
            var seen = try whole()
            for _ in 0..<8 {
                let before = Self.outline(seen.local)
                var told = Set<Place>()
                for _ in 0..<Int.random(in: 1...4, using: &dice) { told.formUnion(try change(&dice)) }
                let part = byName ? try part(Self.names(told), over: seen) : try part(told, over: seen)
                seen.local = part.local
                let (mine, all) = (Self.outline(part.local), Self.outline(try whole().local))
                #expect(mine == all, "seed \(seed)")
                let differing = Set(mine.keys).union(before.keys).filter { mine[$0] != before[$0] }
                let tops = differing.filter { mine[$0] != nil || !differing.contains($0.parent) }
                let missed = Set(tops).subtracting(try #require(part.places))
                #expect(missed.isEmpty, "seed \(seed), told \(told)")
            }
        }
    }

    private static let names = ["a", "b", "c", "d"]

    /// What a watcher tells of changes at these places: each in the folder that it is in.
    private static func names(_ places: Set<Place>) -> [Place: NamesInFolder] {
        var parts: [Place: NamesInFolder] = [:]
        for place in places { parts.insert(place) }
        return parts
    }

    @Test func aNameThatWasToldIsLookedAtAlone() throws {
        try folder.write("docs/a.txt", "a")
        try folder.writeLongAgo("docs/b.txt", "b")
        let before = try whole()
        try folder.write("docs/a.txt", "another")
        try folder.write("docs/b.txt", "not told")
        #expect(
            try part(["docs" as Place: NamesInFolder.some(["a.txt", "c.txt"])], over: before).places == ["docs/a.txt"])
    }

    /// The other name of a file changes with it, and nobody tells.
    @Test func aFileOfTwoNamesIsLookedAtUnderBoth() throws {
        try folder.write("docs/a.txt", "a")
        #expect(link(folder.file("docs/a.txt"), folder.file("docs/b.txt")) == 0)
        let before = try whole()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("docs/a.txt")))
        try file.write(contentsOf: Data("another".utf8))
        try file.close()
        #expect(
            try part(["docs" as Place: NamesInFolder.some(["a.txt"])], over: before).places == [
                "docs/a.txt", "docs/b.txt",
            ])
    }

    @Test func rulesThatWereToldByNameNeedALookAtEverything() throws {
        try folder.write("docs/a.txt", "a")
        let before = try whole()
        try folder.write("docs/.bothyignore", "*.txt")
        #expect(try part(["docs" as Place: NamesInFolder.some([".bothyignore"])], over: before).places == nil)
    }

    /// - Returns: the folders of which a watcher would tell.
    private func change(_ dice: inout SeededGenerator) throws -> Set<Place> {
        let place = Place(
            (0..<Int.random(in: 1...3, using: &dice)).map { _ in
                NodeName(Self.names.randomElement(using: &dice)!)
            })
        let target = Place([NodeName(Self.names.randomElement(using: &dice)!), NodeName("m")])
        let file = folder.file(place.text)
        guard mkdirs(place.parent) else { return [] }
        switch Int.random(in: 0..<6, using: &dice) {
        case 0, 1: try? Data("\(dice.next())".utf8).write(to: URL(fileURLWithPath: file))
        case 2: mkdir(file, 0o777)
        case 3: try? FileManager.default.removeItem(atPath: file)
        case 4: chmod(file, Bool.random(using: &dice) ? 0o755 : 0o644)
        default:
            guard mkdirs(target.parent) else { break }
            rename(file, folder.file(target.text))
        }
        return Set([place, target] + above(place) + above(target))
    }

    private func mkdirs(_ place: Place) -> Bool {
        (try? FileManager.default.createDirectory(
            atPath: folder.file(place.text), withIntermediateDirectories: true)) != nil
    }

    private func above(_ place: Place) -> [Place] {
        place.isRoot ? [.root] : [place.parent] + above(place.parent)
    }

    private static func outline(_ local: LocalTree) -> [Place: String] {
        var outline: [Place: String] = [:]
        for node in local.tree.subtree(of: .root).dropFirst() {
            let facts = local[node]
            outline[local.tree.place(of: node)] =
                "\(facts.kind) \(facts.stamp.inode) of \(facts.stamp.bornAt.map { "\($0.nanoseconds)" } ?? "?") "
                + "\(facts.hash?.hex ?? "") \(facts.executable)"
        }
        return outline
    }
}
