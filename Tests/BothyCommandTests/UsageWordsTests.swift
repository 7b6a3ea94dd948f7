import Testing

@testable import bothy

/// Wrong usage is told with the words that were typed, and these may be names that somebody else has made.
@Suite struct UsageWordsTests {
    @Test(arguments: [["ls", "--x\u{1B}[31m\nbothy: done"], ["ls", "--y=\u{202E}x\nbothy: done"]])
    func noWordThatWasTypedActsOrMakesALine(_ arguments: [String]) {
        for value in [arguments[1], String(arguments[1].split(separator: "=").last ?? "")] {
            let words = UsageWords.safe("Error: Unknown option '\(value)'\nUsage: bothy ls", typed: arguments)
            #expect(words.split(separator: "\n").count == 2, "\(words)")
            #expect(words.split(separator: "\n").allSatisfy { TerminalText.safe(String($0)) == $0 }, "\(words)")
        }
    }

    @Test func whatOnlyShowsStaysAsItIs() {
        let message = "Error: Unknown option '--länge'\nUsage: bothy ls"
        #expect(UsageWords.safe(message, typed: ["ls", "--länge"]) == message)
    }
}
