import BothyContract
import Foundation
import Testing

@testable import BothyContent

/// What is written is a ZIP to those who did not write it.
@Suite struct ZipWriterTests {
    private typealias Entry = ZipWriter.Entry

    private static let script = """
        import sys, zipfile, json
        archive = zipfile.ZipFile(sys.argv[1])
        assert archive.testzip() is None
        print(json.dumps([[i.filename, i.file_size, i.CRC, list(i.date_time)] for i in archive.infolist()]))
        """

    private func zip(_ files: [(path: String, content: [UInt8])]) -> (bytes: [UInt8], entries: [Entry]) {
        var writer = ZipWriter()
        var bytes = [UInt8]()
        var entries = [Entry]()
        for file in files {
            let entry = Entry(
                path: file.path, size: Int64(file.content.count),
                modifiedAt: Timestamp(seconds: 1_795_190_400))
            entries.append(entry)
            bytes += writer.begin(entry)
            file.content.withUnsafeBytes { content in
                let half = content.count / 2
                writer.add(UnsafeRawBufferPointer(rebasing: content[..<half]))
                writer.add(UnsafeRawBufferPointer(rebasing: content[half...]))
            }
            bytes += file.content + writer.end()
        }
        return (bytes + writer.finish(), entries)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test func pythonReadsItAndItsLengthWasKnown() throws {
        let (bytes, entries) = zip([
            ("docs/", []), ("docs/ä 会.txt", Array("hello".utf8)), ("empty", []),
            ("large", [UInt8](repeating: 7, count: 300_000)),
        ])
        #expect(Int64(bytes.count) == ZipWriter.length(of: entries))
        let place = FileManager.default.temporaryDirectory.appending(path: "bothy-\(UUID().uuidString).zip")
        try Data(bytes).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let (status, output) = try run("python3", ["-c", Self.script, place.path])
        #expect(status == 0, "\(output)")
        #expect(output.contains(#"["docs/", 0, 0"#) && output.contains(#"["empty", 0, 0"#), "\(output)")
        #expect(output.contains(#""docs/\u00e4 \u4f1a.txt", 5, 907060870, [2026, 11, 20, 16, 0, 0]"#), "\(output)")
    }

    @Test func whatIsLargerOrMoreThanOldArchivesHoldIsToldInTheWideFormat() throws {
        let many = (0..<70_000).map { (path: "f\($0)", content: [UInt8]()) }
        let (bytes, entries) = zip(many)
        #expect(Int64(bytes.count) == ZipWriter.length(of: entries))
        let place = FileManager.default.temporaryDirectory.appending(path: "bothy-\(UUID().uuidString).zip")
        try Data(bytes).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let count = "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))"
        #expect(try run("python3", ["-c", count, place.path]).output == "70000\n")
    }

    /// A file with a hole of 5 GiB, and one after it: both lie and measure past what 32 bits tell.
    @Test func aFileOfFiveGibibytesAndOneAfterIt() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "bothy-\(UUID().uuidString).zip")
        #expect(FileManager.default.createFile(atPath: place.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: place) }
        let file = try FileHandle(forWritingTo: place)
        let size: Int64 = 5 << 30
        let entries = [("large", size), ("after", 3)].map {
            Entry(path: $0.0, size: Int64($0.1), modifiedAt: Timestamp(seconds: 0))
        }
        var writer = ZipWriter()
        try file.write(contentsOf: writer.begin(entries[0]))
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        for _ in 0..<(size / Int64(zeros.count)) { zeros.withUnsafeBytes { writer.add($0) } }
        try file.seek(toOffset: file.offset() + UInt64(size))
        try file.write(contentsOf: writer.end() + writer.begin(entries[1]))
        Array("abc".utf8).withUnsafeBytes { writer.add($0) }
        try file.write(contentsOf: Array("abc".utf8) + writer.end() + writer.finish())
        #expect(try file.offset() == UInt64(ZipWriter.length(of: entries)))
        try file.close()
        let look = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            print([i.file_size for i in archive.infolist()], archive.read('after'), hex(archive.getinfo('large').CRC))
            """
        let output = try run("python3", ["-c", look, place.path]).output
        #expect(output.hasPrefix("[5368709120, 3] b'abc' 0x"), "\(output)")
    }

    @Test func namesLeadNowhereElseAndNoneIsTakenTwice() {
        var names = ZipNames()
        #expect(names.path(of: "a.txt", in: "", isFolder: false) == "a.txt")
        #expect(names.path(of: "A.txt", in: "", isFolder: false) == "A (1).txt")
        #expect(names.path(of: "docs", in: "", isFolder: true) == "docs/")
        #expect(names.path(of: "..\\..\\x", in: "docs/", isFolder: false) == "docs/.._.._x")
        #expect(names.path(of: "C:", in: "", isFolder: true) == "C_/")
        #expect(names.path(of: "end.", in: "", isFolder: false) == "end._")
        #expect(names.path(of: "aux.txt", in: "", isFolder: false) == "_aux.txt")
        #expect(names.path(of: "Com7", in: "", isFolder: true) == "_Com7/")
        #expect(names.path(of: "common", in: "", isFolder: false) == "common")
        #expect(names.path(of: "...", in: "", isFolder: false) == "_...")
    }
}
