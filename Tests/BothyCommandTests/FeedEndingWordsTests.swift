import Testing

@testable import bothy

/// What waits after a command is told of that command first.
@Suite struct FeedEndingWordsTests {
    @Test func theSubjectIsWhatTheCommandDid() {
        #expect(FeedEndingWords.subject(own: 1, earlier: 0) == "This")
        #expect(FeedEndingWords.subject(own: 3, earlier: 0) == "These 3 actions")
        #expect(FeedEndingWords.subject(own: 1, earlier: 1) == "This and 1 earlier action")
        #expect(FeedEndingWords.subject(own: 2, earlier: 6) == "These 2 actions and 6 earlier actions")
    }
}
