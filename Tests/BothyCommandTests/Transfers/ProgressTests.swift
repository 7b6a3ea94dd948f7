import BothyContract
import Testing

@testable import bothy

@Suite struct ProgressTests {
    @Test func whatIsShownNeverRunsBackwards() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var board = ProgressBoard(startedAt: 0)
            board.expect(files: 3, bytes: 3000)
            board.expectNothingMore()
            var shown: Int64 = 0
            var now = 0.0
            for _ in 0..<60 {
                now += Double.random(in: 0..<1, using: &random)
                let phase: ProgressItem.Phase = Int.random(in: 0..<20, using: &random) == 0 ? .done : .transferring
                let item = ProgressItem(
                    label: "f", phase: phase, done: Int64.random(in: 0...1000, using: &random), total: 1000)
                board.update(Int.random(in: 0..<3, using: &random), item, at: now)
                let totals = board.totals(at: now)
                #expect(totals.bytes >= shown)
                shown = totals.bytes
            }
        }
    }

    /// A log had a bare “0 B” of a file that was kept here, without a connection.
    @Test func whereNothingMovedALogIsToldNothing() {
        var board = ProgressBoard(startedAt: 0)
        #expect(ProgressLines.logLine(board, at: 20) == nil)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 80, total: 100), at: 20)
        #expect(ProgressLines.logLine(board, at: 20)?.hasPrefix("80 B") == true)
    }

    @Test func aFileThatStartsOverKeepsWhatItHadShown() {
        var board = ProgressBoard(startedAt: 0)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 80, total: 100), at: 0)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 0, total: 100), at: 1)
        #expect(board.rows(at: 1).map(\.done) == [80])
    }

    @Test func bytesFromAnEarlierRunTellNothingOfTheSpeed() {
        var board = ProgressBoard(startedAt: 0)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 1_000_000, total: 2_000_000), at: 0)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 1_000_100, total: 2_000_000), at: 1)
        #expect(board.totals(at: 1).rate == 100)
        #expect(board.movedBytes == 100)
    }

    @Test func noPercentageOfEverythingBeforeEverythingIsKnown() {
        var board = ProgressBoard(startedAt: 0)
        board.expect(files: 2, bytes: 200)
        board.update(1, ProgressItem(label: "a", phase: .transferring, done: 50, total: 100), at: 0)
        #expect(board.totals(at: 0).bytesExpected == nil)
        board.expectNothingMore()
        #expect(board.totals(at: 0).bytesExpected == 200)
    }

    @Test func finishedFilesLeaveTheRowsAndStayInTheSum() {
        var board = ProgressBoard(startedAt: 0)
        for id in 0..<10_000 {
            board.update(id, ProgressItem(label: "f\(id)", phase: .transferring, done: 0, total: 4), at: 0)
            board.update(id, ProgressItem(label: "f\(id)", phase: .done, done: 4, total: 4), at: 0)
        }
        #expect(board.rows(at: 0).isEmpty)
        #expect(board.totals(at: 0).filesDone == 10_000)
        #expect(board.totals(at: 0).bytes == 40_000)
    }

    @Test func everyDrawnLineFitsTheTerminal() {
        var board = ProgressBoard(startedAt: 0)
        let names = [
            "a", "日本語の長い名前のファイルがここにあります.txt", String(repeating: "long", count: 60), "evil\u{1B}[2J\u{202E}name",
        ]
        for (id, name) in names.enumerated() {
            board.update(id, ProgressItem(label: name, phase: .transferring, done: 0, total: 1 << 40), at: 0)
            board.update(id, ProgressItem(label: name, phase: .transferring, done: 5 << 30, total: 1 << 40), at: 3)
        }
        for columns in [20, 40, 80, 200] {
            let lines = ProgressLines(columns: columns, rows: 10).lines(board, at: 3)
            #expect(lines.count == names.count + 1)
            for line in lines {
                #expect(TerminalText.width(line) < columns)
                #expect(!line.unicodeScalars.contains { $0.acts })
            }
        }
    }

    @Test func aRowTellsShareBytesRateAndTimeLeft() {
        var board = ProgressBoard(startedAt: 0)
        let mib = Int64(1 << 20)
        board.update(1, ProgressItem(label: "film.mkv", phase: .transferring, done: 0, total: 100 * mib), at: 0)
        board.update(1, ProgressItem(label: "film.mkv", phase: .transferring, done: 25 * mib, total: 100 * mib), at: 5)
        let line = ProgressLines(columns: 100, rows: 5).lines(board, at: 5).first ?? ""
        #expect(line.hasPrefix("film.mkv"))
        #expect(line.hasSuffix("25%  25 MiB of 100 MiB  5.0 MiB/s  0:15 left"))
    }

    @Test func moreFilesThanRowsAreCounted() {
        var board = ProgressBoard(startedAt: 0)
        for id in 0..<5 { board.update(id, ProgressItem(label: "f\(id)"), at: 0) }
        let lines = ProgressLines(columns: 80, rows: 3).lines(board, at: 0)
        #expect(lines.count == 5)
        #expect(lines[3] == "… and 2 more")
    }

    @Test func aHundredPercentMeansAllOfIt() {
        #expect(ProgressLines.percent(999_999, of: 1_000_000) == " 99%")
        #expect(ProgressLines.percent(1_000_000, of: 1_000_000) == "100%")
        #expect(ProgressLines.percent(0, of: 0) == "100%")
    }
}
