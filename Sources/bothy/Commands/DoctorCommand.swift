import ArgumentParser
import BothyClient

/// `bothy doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what usually is the matter, and say what to do.",
        discussion: """
            It ends with status 1 when something is bad, with 3 when that is only that nobody is signed in; what is only \
            doubtful ends with 0.
            """)

    @Flag(
        help: """
            Where what waits to be sent cannot be read, begin anew without that; what can be read comes along, and the old file \
            is kept.
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
                return output.note("Everything that waits can be read: nothing was left.")
            }
            output.note("The old file lies in “\(path)”. \(rescued) of what waited came along.")
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
