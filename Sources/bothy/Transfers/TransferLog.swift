import BothyClient
import BothyContract

/// Tells how each file of a command ended, and keeps the tally.
actor TransferLog {
    private let output: OutputOptions
    private let display: ProgressDisplay
    private(set) var tally = TransferTally()
    /// Whether a file went up.
    private(set) var hasSent = false
    /// Whether a folder was asked for: its files are not named one by one, so that the sum is told of one file, too.
    private(set) var isOfFolder = false
    /// The first transfers that wait, to be named at the end.
    private(set) var waiting: [String] = []
    /// The one that failed, when there was one only: its complaint is the command's.
    private var onlyComplaint: Complaint?

    /// Transfers that are named at the end; of more, only the number is told.
    private static let mostNamed = 3

    init(output: OutputOptions, display: ProgressDisplay) {
        self.output = output
        self.display = display
    }

    func beginFolder() { isOfFolder = true }

    /// - Parameters:
    ///   - line: for a person; nil where nothing is said of this one.
    ///   - complaint: what went wrong.
    func tell(_ document: TransferDocument, line: String?, complaint: Complaint? = nil) async throws {
        tally.count(
            document.event, bytes: document.event == .done ? document.size ?? 0 : 0, status: complaint?.status ?? .done)
        if document.event == .done, document.direction == .upload { hasSent = true }
        if document.event == .paused, let id = document.transferId, waiting.count < Self.mostNamed {
            waiting.append(id)
        }
        if output.json {
            var document = document
            document.error = complaint.map { ErrorDocument($0).error }
            await display.say(try JSONText.line(document))
        } else if let complaint {
            onlyComplaint = complaint
            for line in complaint.lines { await display.say(line, onError: true) }
        } else if let line, !output.quiet {
            await display.say(TerminalText.safe(line))
        }
    }

    /// Tells how one ended that was told of as waiting.
    func tellAgain(_ document: TransferDocument, line: String?, complaint: Complaint? = nil) async throws {
        tally.waitsNoMore()
        try await tell(document, line: line, complaint: complaint)
    }

    /// Something for a person while it all goes on.
    func note(_ words: String) async {
        guard !output.json, !output.quiet else { return }
        await display.say(TerminalText.safe(words), onError: true)
    }

    /// What is worth knowing beside it all; said once, after the end.
    func advise(_ words: String, remedy: String) async {
        guard !output.json, !output.quiet else { return }
        for line in [words, "→ \(remedy)"] { await display.say(line, onError: true) }
    }

    /// A line of a folder's or the command's end.
    func summarize(_ line: String?) async throws {
        await display.end()
        if output.json {
            await display.say(try JSONText.line(tally.document(seconds: await display.elapsed)))
        } else if let line, !output.quiet {
            await display.say(TerminalText.safe(line))
        }
    }
}
