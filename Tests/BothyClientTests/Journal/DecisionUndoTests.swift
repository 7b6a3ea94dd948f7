import BothyClient
import BothyContract
import Testing

/// A folder, a new name or a move that met a name which somebody else had given: it stands beside, and is taken back.
@Suite struct DecisionUndoTests {
    private static let beside = "(kitchen's conflict 2023-11-14)"
    private let here: TestEngine
    private let there: TestEngine

    init() throws {
        let drive = PaperDrive()
        (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
    }

    private func decision() async throws -> ConflictDecision { try #require(try await here.engine.decisions().first) }

    private func names(_ folder: LUID = .root) async throws -> [String] { try await here.names(folder).sorted() }

    /// A rename here to a name that the other device has just given.
    private func bothNamed() async throws -> ConflictDecision {
        let file = try await here.put("a.txt", [1])
        try await here.sync()
        try await there.sync()
        try await there.put("b.txt", [2])
        try await there.sync()
        try await here.engine.record(.rename(name: "b.txt"), on: file)
        try await here.sync()
        #expect(try await names() == ["b \(Self.beside).txt", "b.txt"])
        return try await decision()
    }

    // MARK: - Names

    @Test func aRenameThatIsTakenBackGivesTheOldNameBack() async throws {
        let decision = try await bothNamed()
        try await here.engine.undo(decision.id)
        try await here.sync()
        #expect(try await names() == ["a.txt", "b.txt"])
        #expect(try await here.engine.conflicts().map(\.kind) == ["rename"], "and it waits for a person")
    }

    @Test func anOldNameThatWasGivenAwaySinceIsNotTakenBack() async throws {
        let decision = try await bothNamed()
        try await there.sync()
        try await there.put("a.txt", [3])
        try await there.sync()
        try await here.sync()
        let failure = await #expect(throws: ClientFailure.self) { try await here.engine.undo(decision.id) }
        #expect(failure?.code == .changedMeanwhile)
        #expect(try await names() == ["a.txt", "b \(Self.beside).txt", "b.txt"])
        #expect(try await here.engine.decisions().first?.undoneAt == nil)
        #expect(try await here.engine.operations().isEmpty)
    }

    @Test func whatWasNamedAnewSinceKeepsItsNewestName() async throws {
        let decision = try await bothNamed()
        let file = try #require(try await here.engine.file(at: RemotePath("/b \(Self.beside).txt")))
        try await here.engine.record(.rename(name: "c.txt"), on: file.luid)
        try await here.sync()
        let failure = await #expect(throws: ClientFailure.self) { try await here.engine.undo(decision.id) }
        #expect(failure?.code == .changedMeanwhile)
        #expect(try await names() == ["b.txt", "c.txt"])
    }

    @Test func aMoveThatIsTakenBackGoesBackToItsFolder() async throws {
        let folder = try await here.makeFolder("d")
        let file = try await here.put("a.txt", [1])
        try await here.sync()
        try await there.sync()
        try await there.put("a.txt", [2], in: try #require(try await there.engine.file(at: RemotePath("/d"))).luid)
        try await there.sync()
        try await here.engine.record(.move(parent: folder, name: nil), on: file)
        try await here.sync()
        #expect(try await names(folder) == ["a \(Self.beside).txt", "a.txt"])
        try await here.engine.undo(try await decision().id)
        try await here.sync()
        #expect(try await names(folder) == ["a.txt"])
        #expect(try await names() == ["a.txt", "d"])
        #expect(try await here.engine.file(file)?.parent == .root)
    }

    // MARK: - Folders

    /// A folder here, with what `fill` puts into it, and a file of its name on the other device.
    private func folderAgainstFile(_ fill: (LUID) async throws -> Void = { _ in }) async throws -> LUID {
        try await here.engine.pull()
        let folder = try await here.makeFolder("x")
        try await fill(folder)
        try await there.put("x", [9])
        try await there.sync()
        try await here.sync()
        #expect(try await names() == ["x", "x \(Self.beside)"])
        return folder
    }

    @Test func aFolderThatStandsBesideAFileKeepsWhatWasPutIntoIt() async throws {
        let folder = try await folderAgainstFile { folder in
            let below = try await here.makeFolder("below", in: folder)
            try await here.put("f", [1], in: below)
            try await here.engine.record(.star(true), on: folder)
        }
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(try await names(folder) == ["below"])
        #expect(try await here.engine.file(folder)?.starred == true)
        #expect(here.drive.bytes("f") == [1])
    }

    @Test func aFolderThatIsTakenBackGoesWithNothingInIt() async throws {
        _ = try await folderAgainstFile()
        try await here.engine.undo(try await decision().id)
        try await here.sync()
        #expect(here.drive.files.filter { $0.trashedAt == nil && $0.parentId == File.rootId }.map(\.name) == ["x"])
        let waiting = try #require(try await here.engine.conflicts().first)
        try await here.engine.resolve(waiting.id, .both(name: "y"))
        try await here.sync()
        #expect(try await names() == ["x", "y"], "and it can be decided anew")
    }

    @Test func aFolderIntoWhichSomethingWasPutSinceStays() async throws {
        let folder = try await folderAgainstFile()
        try await here.put("f", [1], in: folder)
        let decided = try await decision()
        let failure = await #expect(throws: ClientFailure.self) { try await here.engine.undo(decided.id) }
        #expect(failure?.code == .changedMeanwhile)
        try await here.sync()
        #expect(try await names(folder) == ["f"])
    }

    /// A decision that was not sent yet is taken back on this device alone; what waits for the folder goes on waiting.
    @Test func aFolderIsDecidedAboutTakenBackAndDecidedAboutAgain() async throws {
        try await here.engine.setConflictPolicy(.ask, of: .root)
        try await here.engine.pull()
        let folder = try await here.makeFolder("x")
        try await here.put("f", [1], in: folder)
        try await there.put("x", [9])
        try await there.sync()
        try await here.sync()
        for name in ["y", "z"] {
            let waiting = try #require(try await here.engine.conflicts().first)
            let decision = try await here.engine.resolve(waiting.id, .both(name: name))
            if name == "y" { try await here.engine.undo(decision.id) }
        }
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(try await names() == ["x", "z"])
        #expect(try await names(folder) == ["f"])
    }
}
