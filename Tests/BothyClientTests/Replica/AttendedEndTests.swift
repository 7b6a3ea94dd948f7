import BothyContract
import Testing

@testable import BothyClient

/// What a command hears of something that it did, where that has left the journal meanwhile.
@Suite struct AttendedEndTests {
    private let drive = PaperDrive()

    private func engines() async throws -> (here: TestEngine, beside: TestEngine) {
        let here = try TestEngine(drive)
        let beside = try TestEngine(drive, folder: here.folder)
        try await here.engine.pull()
        return (here, beside)
    }

    private func recorded(_ here: TestEngine) async throws -> JournalOperation {
        let made = try await here.engine.record(.createFolder(parent: .root, name: "Letters"))
        let operation = try #require(made)
        await here.engine.attend(operation)
        return operation
    }

    /// It was told as done.
    @Test func whatAnotherProcessHasDiscardedIsGivenUp() async throws {
        let (here, beside) = try await engines()
        let operation = try await recorded(here)
        try await beside.engine.discard(operation.id)
        guard case .givenUp(let failure) = try await here.engine.end(ofAttended: operation) else {
            Issue.record("it is told as done")
            return
        }
        #expect(failure.code == .canceled)
        #expect(!drive.files.contains { $0.name == "Letters" })
    }

    @Test func whatAnotherProcessHasSentIsDone() async throws {
        let (here, beside) = try await engines()
        let operation = try await recorded(here)
        try await beside.sync()
        #expect(try await here.engine.operation(operation.id) == nil)
        guard case .done = try await here.engine.end(ofAttended: operation) else {
            Issue.record("the server has done it")
            return
        }
    }

    @Test func whatThisProcessHasSentIsDoneAndTheServerIsNotAsked() async throws {
        let (here, _) = try await engines()
        let operation = try await recorded(here)
        try await here.sync()
        drive.faults.offline = true
        guard case .done = try await here.engine.end(ofAttended: operation) else {
            Issue.record("it was done here")
            return
        }
    }

    /// The policy, in another process, kept what was there.
    @Test func whatWasDecidedOtherwiseIsToldAsThat() async throws {
        let (here, beside) = try await engines()
        let phone = try TestEngine(drive, device: "phone")
        let file = try await here.put("a.txt", [1])
        try await here.sync()
        for choice in [ConflictChoice.theirs, .both(name: "b.txt")] {
            try await phone.sync()
            let there = try #require(try await phone.engine.file(at: RemotePath("/a.txt"))?.luid)
            try await here.edit(file, [2, UInt8(drive.files.count)])
            let operation = try #require(try await here.engine.operations().last)
            await here.engine.attend(operation)
            try await phone.edit(there, [3, UInt8(drive.files.count)])
            try await phone.sync()
            _ = try await here.engine.push()
            #expect(try await here.engine.operation(operation.id)?.state == .conflict)
            try await here.engine.pull()
            try await beside.engine.resolve(operation.id, choice)
            switch (choice, try await here.engine.end(ofAttended: operation)) {
            case (.theirs, .givenUp(let failure)): #expect(failure.code == .revisionConflict)
            case (.both, .replaced(let made)): #expect(made.requestId != operation.requestId)
            case (_, let end): Issue.record("\(choice): \(end)")
            }
            try await beside.sync()
        }
    }
}
