import BothyContract
import Foundation
import Synchronization
import Testing

@testable import BothyServer

@Suite struct ImportExportTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        let path = place.file("in/" + name)
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func whatIsImportedIsExportedTheSame() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.addAccount(2, "b@example.org")
        let large = Int(UploadLimits.simpleUploadLimit) + 3_500_001
        for (name, length) in [
            ("empty", 0), ("a/b/ü.txt", 10), ("a/run", 70_000), ("large", large), ("-rf", 1), (" ", 2),
        ] {
            try write(name, Block(length, seed: UInt64(length)).bytes)
        }
        for number in 0..<40 { try write("many/\(number)", Block(100, seed: UInt64(number)).bytes) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.file("in/a/run"))
        var old = [
            timespec(tv_sec: -400_000_000, tv_nsec: 123_456_789), timespec(tv_sec: -400_000_000, tv_nsec: 123_456_789),
        ]
        #expect(utimensat(AT_FDCWD, place.file("in/a/run"), &old, 0) == 0)

        let taken = try await house.importing.run(from: place.file("in"), email: "A@example.org", into: "/some/place")
        #expect(taken.leftOut.isEmpty)
        #expect(taken.files == 46)
        #expect(taken.folders == 5)
        let again = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/some/place")
        #expect(again.files == 0)
        #expect(again.unchanged == 46)

        let written = try await house.export.run(to: place.file("out"), email: nil)
        #expect(written.leftOut.isEmpty)
        #expect(written.files == 46)
        let out = place.file("out/a@example.org/some/place")
        #expect(try DataHouse.tree(out) == DataHouse.tree(place.file("in")))
        let status = try await PlainFiles().status(out + "/a/run")
        #expect(status.executable)
        #expect(status.modifiedAt == Timestamp(seconds: -400_000_000, nanoseconds: 123_456_789))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.file("out")).sorted() == [
                "a@example.org", "b@example.org",
            ])
        try await house.close()
    }

    @Test func addressesThatAreOneNameOnADiskAreTwoFolders() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a_b@example.org")
        try await house.addAccount(2, "a/b@example.org")
        for drive in [1, 2] as [Int64] { try await house.put("file", [UInt8(drive)], drive: drive) }
        _ = try await house.export.run(to: place.file("out"), email: nil)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: place.file("out/a_b@example.org/file")))) == [1])
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: place.file("out/a_b@example.org (2)/file")))) == [2])
        try await house.close()
    }

    /// What is read of it is no state that it ever had.
    @Test(arguments: [3_000_000, 12_000_000])
    func aFileThatSomebodyWritesToMeanwhileIsLeftOutAndNamed(_ length: Int) async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try write("log", Block(length, seed: 1).bytes)
        let path = place.file("in/log")
        // On a thread of its own: among the tasks it might have no turn before the file is read.
        let (isOver, ended) = (Ending(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            while !isOver.value.load(ordering: .relaxed), let file = FileHandle(forWritingAtPath: path) {
                file.seekToEndOfFile()
                file.write(Data("more".utf8))
                file.closeFile()
            }
            ended.signal()
        }
        // On a busy machine a whole file may be read before the thread has its turn: then nobody wrote to it meanwhile.
        var (taken, whole) = (Import.Report(), 0)
        repeat {
            taken = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/\(whole)")
            whole += taken.files
        } while taken.files > 0
        isOver.value.store(true, ordering: .relaxed)
        await withCheckedContinuation { over in
            DispatchQueue.global().async {
                ended.wait()
                over.resume()
            }
        }
        #expect(taken.leftOut.map(\.path) == [path])
        #expect(taken.leftOut.first?.reason.contains("changed while it was read") == true)
        let kept = try await house.database.read { try $0.query("SELECT name FROM nodes WHERE name = 'log'") }
        #expect(kept.count == whole)

        let again = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/")
        #expect(again.files == 1 && again.leftOut.isEmpty)
        try await house.close()
    }

    @Test func linksAreLeftOutAndNamed() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try write("file", [1])
        try FileManager.default.createSymbolicLink(atPath: place.file("in/link"), withDestinationPath: "/etc/passwd")
        try FileManager.default.createSymbolicLink(atPath: place.file("in/folder"), withDestinationPath: "/etc")
        let taken = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/")
        #expect(taken.files == 1)
        #expect(Set(taken.leftOut.map(\.path)) == [place.file("in/link"), place.file("in/folder")])
        try await house.close()
    }

    /// One was an older version of the other, and both were said to be taken in.
    @Test func ofTwoNamesThatAreOneTheSecondIsLeftOutAndNamed() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try write("caf\u{E9}", [1])
        try write("cafe\u{301}", [2])
        let taken = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/")
        #expect(taken.files == 1 && taken.leftOut.count == 1)
        #expect(taken.leftOut.first?.reason.contains("Unicode") == true)
        try await house.close()
    }

    @Test func otherContentBecomesANewRevision() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try write("file", [1])
        _ = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/")
        try write("file", [2, 2])
        let taken = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/")
        #expect(taken.files == 1)
        let counts = try await house.database.read { db in
            [
                try db.first("SELECT COUNT(*) FROM nodes WHERE kind = 1")!.int(0),
                try db.first("SELECT COUNT(*) FROM revisions")!.int(0),
            ]
        }
        #expect(counts == [1, 2])
        try await house.close()
    }

    @Test func whatIsAskedWronglyIsRefusedInWords() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try write("file", [1])
        await #expect(throws: ServerFault.self) {
            _ = try await house.importing.run(from: place.file("nowhere"), email: "a@example.org", into: "/")
        }
        await #expect(throws: ServerFault.self) {
            _ = try await house.importing.run(from: place.file("in"), email: "nobody@example.org", into: "/")
        }
        await #expect(throws: Problem.self) {
            _ = try await house.importing.run(from: place.file("in"), email: "a@example.org", into: "/../etc")
        }
        await #expect(throws: ServerFault.self) { _ = try await house.export.run(to: place.file("in"), email: nil) }
        await #expect(throws: ServerFault.self) {
            _ = try await house.export.run(to: place.file("out"), email: "nobody@example.org")
        }
        try await house.close()
    }
}

private final class Ending: Sendable {
    let value = Atomic(false)
}
