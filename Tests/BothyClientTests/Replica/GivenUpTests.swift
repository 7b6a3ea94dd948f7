import BothyClient
import BothyContract
import Foundation
import Testing

/// What was given up on a device before it was ever sent: its only copy keeps its name, and comes back.
@Suite struct GivenUpTests {
    private let here: TestEngine

    init() async throws {
        here = try TestEngine(PaperDrive())
        try await here.engine.pull()
    }

    private func only() async throws -> GivenUpContent {
        let items = try await here.engine.givenUp()
        #expect(items.count == 1)
        return try #require(items.first)
    }

    private func told(_ item: GivenUpContent) -> String { "\(item.path?.text ?? "–") \(item.reason) \(item.size)" }

    @Test func whatWasRemovedBeforeItWasSentIsListedWithItsNameAndComesBack() async throws {
        let file = try await here.put("a.txt", [1, 2, 3])
        here.clock.jump(seconds: 60)
        try await here.engine.record(.trash(seen: .anything), on: file)
        #expect(try await here.names().isEmpty)
        let item = try await only()
        #expect(told(item) == "/a.txt removed 3" && item.givenUpAt == here.clock.now())
        #expect(FileManager.default.contents(atPath: item.localPath) == Data([1, 2, 3]))
        let back = try await here.engine.bringBack(item, to: File.rootId)
        #expect(try await here.bytes(back.subject) == [1, 2, 3])
        #expect(try await here.engine.givenUp().isEmpty)
        try await here.sync()
        #expect(here.drive.bytes("a.txt") == [1, 2, 3])
    }

    /// The folder goes first, and with it what tells where the file was.
    @Test func filesOfAFolderThatIsRemovedWithThemKeepTheirPlaces() async throws {
        let folder = try await here.makeFolder("Letters")
        let inner = try await here.makeFolder("Old", in: folder)
        try await here.put("a.txt", [1], in: inner)
        try await here.put("b.txt", [1, 2], in: folder)
        try await here.engine.record(.trash(seen: .anything), on: folder)
        #expect(try await here.engine.operations().isEmpty)
        let items = try await here.engine.givenUp().map(told).sorted()
        #expect(items == ["/Letters/Old/a.txt removed 1", "/Letters/b.txt removed 2"])
    }

    @Test func whatWasDiscardedIsListedWithWhatNeededIt() async throws {
        let folder = try await here.makeFolder("Letters")
        try await here.put("a.txt", [1], in: folder)
        try await here.engine.discard(try #require(try await here.engine.operations().first).id)
        #expect(told(try await only()) == "/Letters/a.txt discarded 1")
    }

    @Test func anEditThatLostIsListedAndComesBackBesideWhatWon() async throws {
        let there = try TestEngine(here.drive, device: "phone")
        let file = try await here.put("a.txt", [1])
        try await here.sync()
        try await there.sync()
        try await here.engine.setConflictPolicy(.ask, of: .root)
        try await there.edit(try #require(try await there.engine.file(at: RemotePath("/a.txt"))).luid, [2])
        try await there.sync()
        try await here.edit(file, [3, 3])
        try await here.sync()
        try await here.engine.resolve(try #require(try await here.engine.conflicts().first).id, .theirs)
        let item = try await only()
        #expect(told(item) == "/a.txt theirsKept 2")
        try await here.engine.bringBack(item, to: File.rootId)
        try await here.sync()
        #expect(try await here.names() == ["a (1).txt", "a.txt"])
        #expect(here.drive.bytes("a (1).txt") == [3, 3] && here.drive.bytes("a.txt") == [2])
    }

    /// A program that died left it: nobody knows what it was, and it is not kept from anybody.
    @Test func whatNobodyHasNotedIsListedAllTheSame() async throws {
        try Data([7]).write(to: URL(fileURLWithPath: here.content.trashPath("orphan")))
        let item = try await only()
        #expect(told(item) == "– leftBehind 1")
        try await here.engine.bringBack(item, to: File.rootId)
        #expect(try await here.names() == ["orphan"])
    }

    @Test func whatIsDeletedForGoodIsForgotten() async throws {
        let file = try await here.put("a.txt", [1])
        try await here.engine.record(.trash(seen: .anything), on: file)
        try await here.engine.forget(try await only())
        #expect(try await here.engine.givenUp().isEmpty && here.entries(here.content.trashFolder).isEmpty)
    }
}
