import ArgumentParser
import Foundation
import Testing

@testable import bothy

@Suite struct ShellWordTests {
    @Test(arguments: ["/a b", "/$(reboot)", "/`id`", "/a;b|c&d", "/it's \"x\"", "/~", "/a\\b", "/*?[x]{a,b}!", "/é 日本", "/#=:@"])
    func aQuotedWordMeansExactlyItself(_ name: String) {
        let quoted = ShellWord.quotedForBash(name)
        #expect(ShellWord.unquoted(quoted) == name || name.contains { "'\"$`".contains($0) })
        var escaped = false
        for character in quoted {
            if escaped { escaped = false; continue }
            escaped = character == "\\"
            #expect(!" $`;|&'\"*?[]{}!#<>()~".contains(character) || escaped)
        }
    }

    @Test(arguments: ["'/a", "\"/a", "/$HOME", "/`x", "/a\\"])
    func nothingIsOfferedInsideQuotesOrExpansions(_ word: String) {
        #expect(ShellWord.unquoted(word) == nil)
    }

    @Test func theBashScriptEvaluatesNoCandidate() {
        let script = CompletionScript.text(for: .bash)
        #expect(!script.contains("-W \"$("))
        #expect(script.contains("__bothy_offer_names"))
    }

    @Test func theZshScriptOffersCandidatesAsTheyAre() {
        let script = CompletionScript.text(for: .zsh)
        #expect(script.contains("compadd -S '' -- \"${folders[@]}\""))
        #expect(script.components(separatedBy: "__bothy_custom_complete() {").count == 2)
    }
}
