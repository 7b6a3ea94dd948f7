import Testing

@testable import BothyContract

/// What a remedy has a person type is one word that a shell takes for exactly what is meant.
@Suite struct TypedTextTests {
    @Test(arguments: [
        ("/home/änna/box_1", "/home/änna/box_1"), ("", "''"), ("/my box", "'/my box'"), ("/it's", "'/it'\\''s'"),
        ("/a$(b)\\", "'/a$(b)\\'"), ("日本/نامه‌ها", "日本/نامه‌ها"),
    ])
    func itIsQuotedWhereItMust(_ text: String, _ typed: String) {
        #expect(text.asTyped == typed)
    }

    /// A newline in a name broke the command in two, and all else that acts was shown as what no shell reads.
    @Test(arguments: [
        ("/a\nb", "$'/a\\nb'"), ("/\u{1B}[31m1", "$'/\\033[31m1'"), ("/it's\\\t", "$'/it\\'s\\\\\\011'"),
        ("/x\u{202E}gpj", "$'/x\\342\\200\\256gpj'"), ("/ä\r日", "$'/ä\\015日'"),
    ])
    func whatActsIsTypedByItsBytes(_ text: String, _ typed: String) {
        #expect(text.asTyped == typed)
        #expect(!typed.unicodeScalars.contains { $0.acts })
    }

    /// It ended the word: what came after was a command of its own.
    @Test func aQuoteUnderAMarkIsAQuote() {
        #expect("/a'\u{301}; b".asTyped == "'/a'\\''\u{301}; b'")
    }
}
