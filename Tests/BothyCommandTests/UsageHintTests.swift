import Testing

@testable import bothy

@Suite struct UsageHintTests {
    @Test(arguments: [
        (["putt", "x"], "There is no command “putt”. Did you mean “put”?"),
        (["hisotry", "/a"], "There is no command “hisotry”. Did you mean “history”?"),
        (["frobnicate"], "There is no command “frobnicate”."),
        (["cp", "-r", "/a", "/b"], "Folders always include their content: leave out “-r”."),
        (
            ["server", "reset-password", "a@b"],
            "There is no command “server reset-password”. Did you mean “server user reset-password”?"
        ),
        (["server", "frobnicate"], "There is no command “server frobnicate”."),
        (["put", "--recursive", "photos"], "Folders always include their content: leave out “--recursive”."),
    ])
    func guessesWhatWasMeant(_ typed: [String], _ words: String) {
        #expect(UsageHint.words(for: typed) == words)
    }

    @Test(arguments: [
        ["put"], ["ls", "-r"], ["--nonsense"], ["rm", "--", "-r"], ["server", "user"], ["server", "-x"], [],
    ])
    func leavesTheRestToTheParser(_ typed: [String]) { #expect(UsageHint.words(for: typed) == nil) }

    @Test func distanceCountsLetters() {
        #expect(UsageHint.distance("", "put") == 3)
        #expect(UsageHint.distance("kitten", "sitting") == 3)
        #expect(UsageHint.distance("ls", "ls") == 0)
    }
}
