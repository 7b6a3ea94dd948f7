import Foundation
import Logging
import Testing

@testable import BothyServer

@Suite struct LogLinesTests {
    /// A file that lines are written to, and what of it was not looked at yet.
    private final class Outlet {
        private let folder: TemporaryFolder
        private let writing: FileHandle
        private let reading: FileHandle
        let lines: LogLines

        init() throws {
            folder = try TemporaryFolder()
            let path = folder.file("log")
            try Data().write(to: URL(fileURLWithPath: path))
            writing = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            reading = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            lines = LogLines(descriptor: writing.fileDescriptor)
        }

        // A line that still waits must not go to whatever has the descriptor next.
        deinit { lines.flush() }

        func text() throws -> String { String(decoding: try reading.readToEnd() ?? Data(), as: UTF8.self) }
    }

    @Test(arguments: [Logger.Level.warning, .error, .critical])
    func aWarningIsWrittenBeforeTheCallReturnsAndBehindWhatCameBefore(_ level: Logger.Level) throws {
        let outlet = try Outlet()
        outlet.lines.write("first\n", .info)
        outlet.lines.write("second\n", .debug)
        outlet.lines.write("bad\n", level)
        #expect(try outlet.text() == "first\nsecond\nbad\n")
    }

    @Test func whatWaitsIsWrittenAtTheEnd() throws {
        let outlet = try Outlet()
        for number in 0..<3 { outlet.lines.write("line \(number)\n", .info) }
        outlet.lines.flush()
        #expect(try outlet.text() == "line 0\nline 1\nline 2\n")
        outlet.lines.flush()
        #expect(try outlet.text().isEmpty)
    }

    @Test func muchIsNotKeptWaiting() throws {
        let outlet = try Outlet()
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<66 { outlet.lines.write(line, .info) }
        #expect(try outlet.text().utf8.count >= 64 << 10 - 1000)
    }

    @Test func aQuietServersLineComesWithoutAnother() async throws {
        let outlet = try Outlet()
        for number in 0..<3 {
            outlet.lines.write("alone \(number)\n", .info)
            var text = ""
            for _ in 0..<5_000 where text.isEmpty {
                try await Task.sleep(for: .milliseconds(1))
                text = try outlet.text()
            }
            #expect(text == "alone \(number)\n")
        }
    }

    @Test func linesFromManyThreadsAreWholeAndEachThreadsAreInOrder() async throws {
        let outlet = try Outlet()
        let lines = outlet.lines
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        lines.write("\(thread) \(number)\n", number % 100 == 0 ? .warning : .info)
                    }
                }
            }
        }
        lines.flush()
        let written = try outlet.text().split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        #expect(written.count == 4000)
        for thread in 0..<8 {
            #expect(written.filter { $0.first == thread }.map { $0.last ?? -1 } == Array(0..<500))
        }
    }
}
