import BothyClient
import BothyContent
import BothyContract
import BothySync
import Foundation
import Testing

/// The disk of a bound folder: what it refuses to touch, and what it keeps of what it replaces.
@Suite struct SystemFolderDiskTests {
    let folder: TemporaryFolder
    let disk: SystemFolderDisk
    let time = Timestamp(seconds: 1_500_000_000, nanoseconds: 123_456_789)

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "mark-1")
    }

    private func facts(_ path: String) throws -> DiskFacts { try #require(try disk.facts(Place(text: path))) }

    @Test func aFolderIsListedWithoutWhatIsBothysOwn() throws {
        try folder.write("b.txt", "b")
        try folder.write("a/deep.txt", "deep")
        try folder.write("a/.bothy/own", "a person's")
        try folder.link("link", to: "/etc")
        let entries = try disk.list(.root)
        #expect(entries.map(\.name.text) == ["a", "b.txt", "link"])
        #expect(entries.map { $0.facts?.kind } == [.folder, .file, .special(.symbolicLink)])
        #expect(try disk.list("a").map(\.name.text) == [".bothy", "deep.txt"])
    }

    @Test func aDiskThatHoldsEveryNameIsFoundToBeOne() throws {
        #expect(try DiskProbe.traits(of: disk) == .exact)
        #expect(try disk.staged().isEmpty)
    }

    /// Its README says what is in it: who needs room deletes it.
    @Test func itsOwnRoomsAreMadeAgain() throws {
        try folder.write("a.txt", "a")
        try folder.write("b.txt", "b")
        try FileManager.default.removeItem(atPath: folder.file(".bothy/trash"))
        try disk.discard("a.txt", expecting: facts("a.txt"), keep: "first")
        #expect(try disk.isInTrash("first"))
        for room in ["trash", "staging"] { try FileManager.default.removeItem(atPath: folder.file(".bothy/\(room)")) }
        #expect(try disk.staged().isEmpty)
        try disk.stage(Array("new".utf8), as: "in")
        _ = try disk.install(
            StagedFile(name: "in", modifiedAt: time, executable: false), at: "b.txt", replacing: facts("b.txt"),
            keep: "second")
        #expect(try disk.isInTrash("second") && disk.staged().isEmpty)
    }

    /// What a program writes after that would go into a file that nobody sees any more.
    @Test func nothingIsTakenAwayUnderAProgramThatMayWriteInIt() throws {
        try folder.write("plan.odt", "old")
        let before = try facts("plan.odt")
        try disk.stage(Array("new".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
        let program = open(folder.file("plan.odt"), O_RDWR)
        #expect(failure { _ = try disk.install(staged, at: "plan.odt", replacing: before, keep: "kept") } == .fileInUse)
        #expect(failure { try disk.discard("plan.odt", expecting: before, keep: "kept") } == .fileInUse)
        #expect(try folder.read("plan.odt") == "old" && !disk.isInTrash("kept"))
        #expect(try disk.staged() == ["in"])
        close(program)
        // Who only reads it keeps nobody from it.
        let reader = open(folder.file("plan.odt"), O_RDONLY)
        defer { close(reader) }
        _ = try disk.install(staged, at: "plan.odt", replacing: facts("plan.odt"), keep: "kept")
        #expect(try folder.read("plan.odt") == "new" && disk.isInTrash("kept"))
    }

    private func failure(_ work: () throws -> Void) -> FailureCode? {
        do {
            try work()
            return nil
        } catch {
            return (error as? ClientFailure)?.code
        }
    }

    @Test func aNameThatIsNoTextIsToldOf() throws {
        let name: [CChar] = [0x61, -1, 0x62, 0]
        let root = open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(root) }
        close(openat(root, name, O_CREAT | O_WRONLY, 0o600))
        let entry = try #require(try disk.list(.root).first)
        #expect(!entry.isText && entry.name.text == "a\u{FFFD}b")
    }

    @Test func nothingIsReachedThroughASymbolicLink() throws {
        let outside = try TemporaryFolder()
        try outside.write("secret.txt", "secret")
        try folder.link("docs", to: outside.path)
        let path = Place(text: "docs/secret.txt")
        #expect(try disk.facts(path) == nil)
        #expect(throws: ClientFailure.self) { try disk.contents(path, atMost: 100) }
        #expect(throws: ClientFailure.self) { try disk.makeFolder(Place(text: "docs/new")) }
        try disk.stage(Array("evil".utf8), as: "in")
        #expect(throws: ClientFailure.self) {
            try disk.install(
                StagedFile(name: "in", modifiedAt: time, executable: false), at: Place(text: "docs/x"), replacing: nil,
                keep: "k")
        }
        #expect(try outside.names() == ["secret.txt"])
    }

    /// Somebody puts a folder into their trash while something arrives in it: what they did not see there is no loss of theirs.
    @Test(arguments: ["installed", "moved"])
    func whatIsPutIntoAFolderThatIsTakenAwayIsNotTakenForThere(_ way: String) async throws {
        let (place, desk) = (Place(text: "docs/new.txt"), try TemporaryFolder())
        let path = folder.path
        for round in 0..<100 {
            _ = try disk.makeFolder(Place(text: "docs"))
            try folder.write("own.txt", "own \(round)")
            // Large, so that its way to the disk takes a while.
            try disk.stage([UInt8](repeating: UInt8(round), count: 1 << 20), as: "in")
            let own = try facts("own.txt")
            async let put: Bool = {
                do {
                    if way == "moved" {
                        _ = try disk.move(Place(text: "own.txt"), to: place, expecting: own)
                    } else {
                        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
                        _ = try disk.install(staged, at: place, replacing: nil, keep: "k")
                    }
                    return true
                } catch let failure as ClientFailure {
                    let isOfTheFolder = [.changedMeanwhile, .destinationFolderMissing, .fileMissing].contains(
                        failure.code)
                    #expect(isOfTheFolder, "\(failure)")
                    return false
                }
            }()
            // They look at what they hold right after they took it.
            async let seen: Bool = {
                usleep(UInt32(round) * 20)
                let hands = "\(desk.path)/\(round)"
                #expect(rename("\(path)/docs", hands) == 0)
                return access("\(hands)/new.txt", F_OK) == 0
            }()
            let (isPut, wasSeen) = try await (put, seen)
            if isPut {
                #expect(wasSeen, "round \(round)")
            } else {
                #expect(try way == "moved" ? disk.facts(Place(text: "own.txt")) != nil : disk.staged().contains("in"))
            }
            try? FileManager.default.removeItem(atPath: "\(path)/own.txt")
        }
    }

    @Test func aNewFileGetsItsTimeToTheNanosecondAndItsBit() throws {
        try disk.stage(Array("new".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: true)
        let there = try disk.install(staged, at: Place(text: "run.sh"), replacing: nil, keep: "k")
        #expect(there.stamp.modifiedAt == time && there.executable)
        #expect(folder.read("run.sh") == "new")
        #expect(try disk.staged().isEmpty)
    }

    @Test(arguments: [0, 1, 3 << 20 + 77]) func aCopyHoldsWhatItSaysAndReplacesWhatWasStaged(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        try Data(bytes).write(to: URL(filePath: folder.file("film.mkv")))
        try disk.stage(Array("half of it".utf8), as: "in")
        let film = Place(text: "film.mkv")
        let hash = try disk.stageCopy(of: film, expecting: facts("film.mkv"), as: "in")
        #expect(hash == SHA256Hasher.hash(bytes))
        #expect(try disk.contents(disk.stagedPlace("in"), atMost: 8 << 20) == bytes)
        // What happens to one of both is nothing to the other.
        try folder.write("film.mkv", "cut")
        #expect(try disk.contents(disk.stagedPlace("in"), atMost: 8 << 20) == bytes)
    }

    @Test func nothingElseIsCopiedThanWhatWasSeen() throws {
        try folder.write("a", "one")
        let seen = try facts("a")
        try folder.write("b", "two")
        rename(folder.file("b"), folder.file("a"))
        #expect { try disk.stageCopy(of: "a", expecting: seen, as: "in") } throws: {
            ($0 as? ClientFailure)?.code == .changedMeanwhile
        }
        #expect(throws: ClientFailure.self) { try disk.stageCopy(of: "gone", expecting: seen, as: "in") }
        #expect(try disk.staged().isEmpty)
    }

    @Test func aNewFileNeverReplaces() throws {
        try folder.write("a", "mine")
        try disk.stage(Array("theirs".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
        #expect { try disk.install(staged, at: Place(text: "a"), replacing: nil, keep: "k") } throws: {
            ($0 as? ClientFailure)?.code == .destinationExists
        }
        #expect(folder.read("a") == "mine")
    }

    /// One that cannot be put in its place keeps none of the others from theirs.
    @Test func severalAreEachPutInTheirPlaceOrTold() throws {
        try folder.write("a/taken", "mine")
        try folder.write("b/x", "x")
        let places = ["a/one", "a/taken", "a/two", "b/three", "missing/four", "b/five"].map { Place(text: $0) }
        let files = try places.enumerated().map { number, place in
            try disk.stage(Array("new \(number)".utf8), as: "s\(number)")
            return Installation(
                file: StagedFile(name: "s\(number)", modifiedAt: time, executable: number == 0), place: place,
                replacing: nil, keep: "k")
        }
        let installed = disk.install(files)
        let codes = installed.map { result -> FailureCode? in
            if case .failure(let failure) = result { failure.code } else { nil }
        }
        #expect(codes.count == 6)
        #expect(codes[1] == .destinationExists)
        #expect(codes[4] != nil)
        for number in [0, 2, 3, 5] {
            #expect(codes[number] == nil)
            #expect(folder.read(places[number].text) == "new \(number)")
            #expect(try installed[number].get() == facts(places[number].text))
        }
        #expect(folder.read("a/taken") == "mine")
        #expect(try Set(disk.staged()) == ["s1", "s4"], "what is in no place is still there")
    }

    @Test func aReplacedFileKeepsItsModeAndItsOldBytesGoToTheTrash() throws {
        try folder.write("a", "old")
        chmod(folder.file("a"), 0o640)
        try disk.stage(Array("new".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
        _ = try disk.install(staged, at: Place(text: "a"), replacing: facts("a"), keep: "kept")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("a"))[.posixPermissions] as? Int
        #expect(mode == 0o640 && folder.read("a") == "new")
        #expect(folder.read(".bothy/trash/kept") == "old")
    }

    @Test func whatChangedAtTheLastInstantIsNotReplaced() throws {
        try folder.write("a", "old")
        let seen = try facts("a")
        try folder.write("a", "newer than what was seen")
        try disk.stage(Array("theirs".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
        #expect { try disk.install(staged, at: Place(text: "a"), replacing: seen, keep: "k") } throws: {
            ($0 as? ClientFailure)?.code == .changedMeanwhile
        }
        #expect(folder.read("a") == "newer than what was seen")
        #expect(throws: ClientFailure.self) { try disk.discard(Place(text: "a"), expecting: seen, keep: "k") }
        #expect(throws: ClientFailure.self) { try disk.move(Place(text: "a"), to: Place(text: "b"), expecting: seen) }
        #expect(try folder.names() == [".bothy", "a"])
    }

    @Test func aMoveNeverReplaces() throws {
        try folder.write("a", "a")
        try folder.write("b", "b")
        #expect(throws: ClientFailure.self) {
            try disk.move(Place(text: "a"), to: Place(text: "b"), expecting: facts("a"))
        }
        #expect(folder.read("a") == "a" && folder.read("b") == "b")
    }

    @Test func aFolderMovesWithWhatIsInItAndKeepsItsInode() throws {
        try folder.write("a/x", "x")
        try folder.makeFolder("b")
        let before = try facts("a")
        let after = try disk.move(Place(text: "a"), to: Place(text: "b/c"), expecting: before)
        #expect(after.stamp.inode == before.stamp.inode && folder.read("b/c/x") == "x")
    }

    @Test func whatIsDiscardedCanBeTakenBack() throws {
        try folder.write("a", "a")
        try disk.discard(Place(text: "a"), expecting: facts("a"), keep: "k")
        #expect(try disk.facts(Place(text: "a")) == nil)
        #expect(try disk.isInTrash("k"))
        _ = try disk.takeBack("k", to: Place(text: "a"))
        #expect(folder.read("a") == "a")
        #expect(try !disk.isInTrash("k"))
    }

    @Test func aFolderWithAnythingInItIsNotRemoved() throws {
        try folder.write("a/x", "x")
        #expect(throws: ClientFailure.self) { try disk.removeFolder(Place(text: "a")) }
        #expect(folder.read("a/x") == "x")
    }

    @Test func aHashIsOfWhatWasLookedAt() throws {
        try folder.write("a", "abc")
        let seen = try facts("a")
        #expect(try disk.hash(Place(text: "a"), expecting: seen) == SHA256Hasher.hash(Array("abc".utf8)))
        try folder.write("a", "abcd")
        #expect(throws: ClientFailure.self) { try disk.hash(Place(text: "a"), expecting: seen) }
    }

    @Test func aPipeIsNotWaitedFor() throws {
        mkfifo(folder.file("pipe"), 0o600)
        #expect(throws: ClientFailure.self) { try disk.contents(Place(text: "pipe"), atMost: 10) }
    }

    @Test func anEmptyMountHasNoMark() throws {
        #expect(try disk.mark() == "mark-1")
        try disk.disclaim(keepingTrash: false)
        #expect(try disk.mark() == nil && disk.root() != nil)
        #expect(try SystemFolderDisk(path: folder.file("gone")).root() == nil)
    }

    @Test func twoHundredFoldersDeepAndNamesOf255BytesAreReached() throws {
        let name = String(repeating: "n", count: 255)
        var path = Place.root
        for _ in 0..<200 {
            path = path.appending(NodeName(name))
            _ = try disk.makeFolder(path)
        }
        try disk.stage(Array("deep".utf8), as: "in")
        let staged = StagedFile(name: "in", modifiedAt: time, executable: false)
        _ = try disk.install(staged, at: path.appending(NodeName(name)), replacing: nil, keep: "k")
        #expect(try disk.contents(path.appending(NodeName(name)), atMost: 10) == Array("deep".utf8))
    }

    @Test func theTwoFormsOfOneNameAreTwoPaths() {
        #expect(Place(text: "\u{E9}") != Place(text: "e\u{301}"))
        #expect(Set([Place(text: "\u{E9}"), Place(text: "e\u{301}")]).count == 2)
        #expect(Place(text: "a/b").isWithin(Place(text: "a")) && !Place(text: "ab").isWithin(Place(text: "a")))
    }
}
