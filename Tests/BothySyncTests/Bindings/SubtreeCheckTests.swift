import BothyClient
import BothyContract
import Foundation
import Testing

@testable import BothySync

/// Whether somebody writes in a file is known, or it is not taken away.
@Suite struct SubtreeCheckTests {
    private let folder: TemporaryFolder
    private let disk: SystemFolderDisk

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "mark-1")
    }

    private func code(_ body: () throws -> Void) -> FailureCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ClientFailure)?.code
        }
    }

    @Test func aFileThatIsOpenToBeWrittenIsInUseAndOneThatIsGoneIsNot() throws {
        try folder.write("a.txt", "a")
        #expect(try !SubtreeCheck.isInUse("a.txt", on: disk))
        let program = open(folder.file("a.txt"), O_RDWR)
        #expect(try SubtreeCheck.isInUse("a.txt", on: disk))
        close(program)
        #expect(try !SubtreeCheck.isInUse("gone.txt", on: disk))
        #expect(try !SubtreeCheck.isInUse("gone/deep.txt", on: disk))
    }

    /// It was taken for one that nobody writes in.
    @Test func aFileThatCannotBeOpenedIsNotTakenForOneThatNobodyWritesIn() throws {
        try folder.link("a.txt", to: "/etc/hostname")
        #expect(code { _ = try SubtreeCheck.isInUse("a.txt", on: disk) } != nil)
    }

    @Test func whatCannotBeLookedThroughInTheTrashIsPutBack() throws {
        try folder.write("docs/a.txt", "a")
        let facts = try #require(try disk.facts("docs"))
        try disk.discard("docs", expecting: facts, keep: "kept")
        #expect(
            code {
                try SubtreeCheck.takingBack("kept", to: "docs", on: disk) { () throws(ClientFailure) in
                    throw ClientFailure(.diskFailed, "It cannot be read.")
                }
            } == .diskFailed)
        #expect(try disk.facts("docs/a.txt") != nil && !disk.isInTrash("kept"))
        try disk.discard("docs", expecting: try #require(try disk.facts("docs")), keep: "again")
        #expect(code { try SubtreeCheck.takingBack("again", to: "docs", on: disk) { "docs/a.txt" } } == .fileInUse)
        #expect(try disk.facts("docs/a.txt") != nil)
        try disk.discard("docs", expecting: try #require(try disk.facts("docs")), keep: "last")
        try SubtreeCheck.takingBack("last", to: "docs", on: disk) { nil }
        #expect(try disk.isInTrash("last"))
    }
}
