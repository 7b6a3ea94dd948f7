import ArgumentParser
import BothyClient

/// `bothy doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check for common problems, and say how to fix them.",
        discussion: """
            The exit status is 1 when a check fails, 3 when the only problem is that nobody is signed in, and 0 when there \
            are only warnings.
            """)

    @Flag(
        help: """
            When unsent changes cannot be read, start over without those; the readable ones are kept, and so is the old file.
            """)
    var leaveUnreadable = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        if leaveUnreadable { try await beginAnew() }
        var findings: [Finding] = []
        try await Examination(directory: DeviceHome.defaultDirectory()).run { finding in
            findings.append(finding)
            if output.json { return try output.print(finding) }
            if output.quiet, finding.verdict == .good { return }
            Terminal().writeOutput(Self.line(finding) + "\n")
        }
        let status = Judgement.status(findings)
        guard status == .done else { throw Finished(status: status) }
    }

    private func beginAnew() async throws {
        try await Home.using { home in
            guard let (path, rescued) = try await home.replica.leaveUnreadable() else {
                return output.note("All unsent changes can be read. Nothing was left out.")
            }
            output.note("The old file is kept in “\(path)”. \(rescued) of the unsent changes were kept.")
        }
    }

    private static func line(_ finding: Finding) -> String {
        let mark =
            switch finding.verdict {
            case .good: "ok  "
            case .doubtful: "hm  "
            case .bad: "BAD "
            }
        let line = mark + TerminalText.padded(finding.subject, to: 12) + "  " + TerminalText.safe(finding.message)
        return finding.remedy.map { line + "\n" + String(repeating: " ", count: 18) + TerminalText.safe($0) } ?? line
    }
}
