import ArgumentParser
import BothyContract
import Foundation
import Testing

@testable import bothy

@Suite struct ShellWordTests {
    @Test(arguments: [
        "/a b", "/$(reboot)", "/`id`", "/a;b|c&d", "/it's \"x\"", "/~", "/a\\b", "/*?[x]{a,b}!", "/é 日本", "/#=:@",
    ])
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

    @Test func theWordAtTheCursorIsWhatIsCompleted() {
        let asked = ["---completion", "ls", "--", "positional@0", "2", "3", "bothy", "ls", "/docs"]
        #expect(RemoteNames.unfinishedWord(in: asked) == "/do")
        #expect(
            RemoteNames.unfinishedWord(in: ["---completion", "ls", "--", "positional@0", "2", "0", "bothy", "ls"]) == ""
        )
        #expect(RemoteNames.unfinishedWord(in: ["---completion", "x"]) == nil)
        #expect(RemoteNames.unfinishedWord(in: ["---completion", "ls", "--", "p", "-1", "x"]) == nil)
    }

    @Test func namesThatActAreNeverOffered() throws {
        let now = Timestamp(seconds: 0)
        let files = ["a.txt", "a\u{1B}[2J", "a\nb", "a\u{202E}b", "../x", "b"].map {
            File(
                id: $0, name: $0, mimeType: "x", size: 0, parentId: "root", version: 1, createdAt: now, modifiedAt: now,
                updatedAt: now)
        }
        #expect(RemoteNames.candidates(files, in: .root, beginningWith: "a") == ["/a.txt"])
        #expect(RemoteNames.candidates(files, in: .root, beginningWith: "") == ["/a.txt", "/b"])
    }
}
