import BothyContract
import Foundation
import Testing

@testable import BothyClient

/// `kill -9` in the middle of a copy left a part of it on this device for good.
@Suite struct CopyMarksTests {
    private let folder: TemporaryFolder
    private let marks: CopyMarks

    init() throws {
        folder = try TemporaryFolder()
        marks = CopyMarks(folder: folder.path)
    }

    private func swept() throws -> [String] {
        var names = [String]()
        try marks.sweep { names.append($0) }
        return names
    }

    @Test func whatIsBeingCopiedIsLeftAlone() throws {
        try marks.with({ "a" }) { name in
            #expect(name == "a" && marks.names() == ["a"])
            let gone = try swept()
            #expect(gone.isEmpty && marks.names() == ["a"])
        }
        #expect(marks.names().isEmpty)
    }

    @Test func aCopyThatFailsLeavesNoMark() throws {
        #expect(throws: ClientFailure.self) {
            try marks.with({ "a" }) { _ in throw ClientFailure(.diskFull, "The disk is full.") }
        }
        #expect(marks.names().isEmpty)
    }

    @Test func whatNobodyHoldsAnyMoreIsSweptOnce() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("left")))
        #expect(try swept() == ["left"] && marks.names().isEmpty)
        #expect(try swept().isEmpty)
    }

    /// The mark stays where what it marks cannot be removed.
    @Test func whatCannotBeRemovedIsSweptAnotherTime() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("left")))
        #expect(throws: ClientFailure.self) {
            try marks.sweep { _ in throw ClientFailure(.permissionDenied, "It cannot be removed.") }
        }
        #expect(try swept() == ["left"])
    }

    @Test func aNameThatSomebodyHoldsIsNotUsed() throws {
        let held = try #require(try FileLock.tryTake(folder.file("a")))
        var names = ["a", "b"]
        try marks.with({ names.removeFirst() }) { #expect($0 == "b") }
        withExtendedLifetime(held) {}
    }
}
