import Foundation
import Testing

@testable import bothy

@Suite final class LocalTreeTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record(error)
        }
    }

    @Test func foldersComeBeforeWhatIsInThemAndNothingIsLeftOutInSilence() throws {
        try FileManager.default.createDirectory(atPath: folder + "/b/c", withIntermediateDirectories: true)
        try Data("hello".utf8).write(to: URL(filePath: folder + "/b/c/x.txt"))
        try Data().write(to: URL(filePath: folder + "/a.txt"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc")
        mkfifo(folder + "/pipe", 0o600)
        let entries = Array(try LocalTree(folder))
        #expect(entries.map { $0.names.joined(separator: "/") } == ["a.txt", "b", "b/c", "b/c/x.txt", "link", "pipe"])
        guard case .file(let size, _, _) = entries[3].kind else {
            Issue.record("not a file")
            return
        }
        #expect(size == 5)
        #expect(entries[4].kind == .leftOut("is a symbolic link"))
        #expect(entries[5].kind == .leftOut("is a device, a socket or a pipe"))
    }

    @Test func aWalkKnowsWhichFoldersItComesToNextBesideOne() throws {
        for name in ["a/deep/er", "b", "d", "e"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["a/deep.txt", "c.txt", "e/f.txt"] { try Data().write(to: URL(filePath: folder + "/" + name)) }
        var tree = try LocalTree(folder)
        var next = [String: [String]]()
        while let entry = tree.next() {
            if entry.kind == .folder { next[entry.names.joined(separator: "/")] = tree.nextFolders(from: entry) }
        }
        #expect(
            next == [
                "a": ["a", "b", "d", "e"], "a/deep": ["deep"], "a/deep/er": ["er"], "b": ["b", "d", "e"],
                "d": ["d", "e"],
                "e": ["e"],
            ])
    }

    @Test func aFolderThatIsNotThereIsAComplaint() {
        #expect(throws: Complaint.self) { try LocalTree(folder + "/none") }
    }

    @Test func namesThatNoServerTakesAreToldOf() throws {
        try Data().write(to: URL(filePath: folder + "/bad\u{1B}name"))
        let entries = Array(try LocalTree(folder))
        #expect(entries.map(\.kind) == [.leftOut("has a name that has a control character in it")])
    }

    @Test func aNameThatIsNotUTF8IsLeftOutAndToldOf() throws {
        let descriptor = open(folder + "/bad\u{1}", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(
            rename(
                folder + "/bad\u{1}", Array((folder + "/bad").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0])
                == 0)
        #expect(Array(try LocalTree(folder)).map(\.kind) == [.leftOut("has a name that is not UTF-8")])
    }

    @Test func noDownloadGoesThroughALinkThatStandsInItsWay() throws {
        let outside = folder + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/down", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/down/docs", withDestinationPath: outside)
        let target = try LocalTarget(root: folder + "/down").appending(remoteName: "docs").appending(remoteName: "deep")
        let complaint = #expect(throws: Complaint.self) { try LocalFolders.make(target) }
        #expect(complaint?.code == "not_a_folder")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }

    @Test func foldersAreMadeBelowTheRootOnly() throws {
        let target = try LocalTarget(root: folder + "/new").appending(remoteName: "a").appending(remoteName: "b")
        try LocalFolders.make(target)
        try LocalFolders.make(target)
        #expect(FileManager.default.fileExists(atPath: folder + "/new/a/b"))
        #expect(throws: Complaint.self) { try LocalFolders.make(LocalTarget(root: folder + "/x/y")) }
    }
}
