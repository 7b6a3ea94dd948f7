import ArgumentParser
import BothyClient
import BothySync
import Testing

@testable import bothy

/// What a remedy tells a person to type is there to be typed.
@Suite struct RemedyTests {
    private static var remedies: [String] {
        ItemStatus.Cause.every.map { ItemStatus($0).remedy } + FailureCode.allCases.map(\.remedy)
            + JournalOperation.State.allCases.map { ExplainedCause.operation($0).remedy }
            + PauseReason.allCases.map { ExplainedCause.transfer(.paused($0)).remedy }
            + [ExplainedCause.devicePaused(DevicePause(until: nil)).remedy, ExplainedCause.transfer(.failed).remedy]
            + DeviceRest.allCases.map { ExplainedCause.deviceRests($0).remedy }
            + [ExplainedCause.nobodyAtWork.remedy, BatteryRule.condition.remedy, MeteredRule.condition.remedy]
    }

    @Test func everyCommandThatARemedyNamesIsThere() {
        for remedy in Self.remedies {
            for typed in Self.commands(in: remedy) {
                #expect(
                    Self.exists(typed[...], below: Bothy.self), "«bothy \(typed.joined(separator: " "))»: \(remedy)")
            }
        }
    }

    /// The words of each «bothy …» up to what is no command: an option, or something to fill in.
    private static func commands(in remedy: String) -> [[String]] {
        let quoted = remedy.split { "«»“”".contains($0) }.map(String.init)
        return quoted.filter { $0.hasPrefix("bothy ") }.map { text in
            text.split(separator: " ").dropFirst().prefix {
                $0.allSatisfy { $0.isLowercase || $0 == "-" } && $0.first != "-"
            }
            .map(String.init)
        }
    }

    private static func exists(_ words: ArraySlice<String>, below command: any ParsableCommand.Type) -> Bool {
        guard let word = words.first else { return true }
        let configuration = command.configuration
        let all = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        guard let next = all.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) }) else {
            return false
        }
        return next.configuration.subcommands.isEmpty || exists(words.dropFirst(), below: next)
    }
}
