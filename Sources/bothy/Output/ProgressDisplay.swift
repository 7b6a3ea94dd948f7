import Foundation

/// Keeps the progress of a command on standard error: drawn over and over on a terminal, a plain line now and then
/// elsewhere, nothing at all when asked to be quiet.
///
/// It holds the board and writes what `ProgressLines` draws; it decides nothing itself.
actor ProgressDisplay {
    enum Style: Sendable {
        case drawn
        case plain
        case silent
    }

    /// Seconds between two drawings, and between two plain lines.
    private static let drawInterval = 0.1
    private static let plainInterval = 10.0

    private let terminal: Terminal
    private var style: Style
    private let clock: @Sendable () -> Double
    private var board: ProgressBoard
    private var drawnLines = 0
    private var lastWritten: Double
    private var nextId = 0
    /// What holds files back, as a log was told of it: once for all that it holds.
    private var toldHolding: String?

    /// - Parameter clock: seconds that never run backwards.
    init(terminal: Terminal, style: Style, clock: @escaping @Sendable () -> Double = ProgressDisplay.uptime) {
        self.terminal = terminal
        self.style = style
        self.clock = clock
        let now = clock()
        self.board = ProgressBoard(startedAt: now)
        // A log's first line comes after one interval; a terminal's at once.
        self.lastWritten = style == .plain ? now : now - Self.drawInterval
    }

    static let uptime: @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }

    func expect(files: Int, bytes: Int64) {
        board.expect(files: files, bytes: bytes)
        redrawIfDue()
    }

    func expectNothingMore() { board.expectNothingMore() }

    /// A number for a file that is to be shown.
    func begin() -> Int {
        nextId += 1
        return nextId
    }

    func update(_ id: Int, _ item: ProgressItem) {
        board.update(id, item, at: clock())
        tellHolding(item)
        redrawIfDue()
    }

    /// A log is told at once why nothing moves; a terminal shows it in the file's own line.
    private func tellHolding(_ item: ProgressItem) {
        guard style == .plain else { return }
        if case .held(let why) = item.phase {
            guard why != toldHolding else { return }
            toldHolding = why
            terminal.writeError(TerminalText.safe("\(item.label): \(why)") + "\n")
        } else if item.phase == .transferring {
            toldHolding = nil
        }
    }

    /// Called now and then by a ticker, so that rates fall and times run while nothing arrives.
    func tick() { redrawIfDue() }

    /// A line that stays, on standard output or on standard error.
    func say(_ line: String, onError: Bool = false) {
        erase()
        if onError { terminal.writeError(line + "\n") } else { terminal.writeOutput(line + "\n") }
        if style == .drawn { draw() }
    }

    /// Asks with the drawing out of the way. While the person thinks, nothing is drawn.
    func ask(_ question: String) -> String? {
        erase()
        return terminal.ask(question)
    }

    /// Takes the drawing away for good: what is said from here on is the command's last word.
    func end() {
        erase()
        style = .silent
    }

    var elapsed: Double { board.elapsed(at: clock()) }
    var movedBytes: Int64 { board.movedBytes }

    private func redrawIfDue() {
        let now = clock()
        switch style {
        case .silent: return
        case .drawn:
            guard now - lastWritten >= Self.drawInterval else { return }
            erase()
            draw()
        case .plain:
            guard now - lastWritten >= Self.plainInterval else { return }
            lastWritten = now
            guard let line = ProgressLines.logLine(board, at: now) else { return }
            terminal.writeError(line + "\n")
        }
    }

    private func draw() {
        let size = terminal.size
        let lines = ProgressLines(columns: size.columns, rows: size.rows - 3).lines(board, at: clock())
        guard !lines.isEmpty else { return }
        terminal.writeError(lines.joined(separator: "\n") + "\n")
        drawnLines = lines.count
        lastWritten = clock()
    }

    private func erase() {
        guard drawnLines > 0 else { return }
        // Up to the first drawn line, then clear to the end of the screen.
        terminal.writeError("\u{1B}[\(drawnLines)A\r\u{1B}[J")
        drawnLines = 0
    }
}
