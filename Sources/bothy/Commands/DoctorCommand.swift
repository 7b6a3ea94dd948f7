import ArgumentParser
import BothyClient

/// `bothy doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what usually is the matter, and say what to do.",
        discussion: "It ends with status 1 when something is bad; what is only doubtful ends with 0.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        var bad = 0
        try await Examination(directory: DeviceHome.defaultDirectory()).run { finding in
            if finding.verdict == .bad { bad += 1 }
            if output.json { return try output.print(finding) }
            if output.quiet, finding.verdict == .good { return }
            Terminal().writeOutput(Self.line(finding) + "\n")
        }
        guard bad == 0 else { throw Finished(status: .failed) }
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
