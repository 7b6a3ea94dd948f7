import BothyContract
import Testing

@Suite struct NameWordsInTextsTests {
    @Test func aTextHasTheWordsOfANameEachWhereItFirstStands() {
        let places = NameWords.places(in: "Café au\nlait, café TaxReport\t2024")
        #expect(
            places == ["cafe": 0, "au": 6, "lait": 9, "taxreport": 21, "report": 24, "2024": 31], "\(places)")
    }

    /// What the index has of a text is what a name made of the same signs would be found by.
    @Test func wordsOfATextAreThoseOfAName() {
        var random = SystemRandomNumberGenerator()
        let signs = Array("aBcÉé1 2_-.会ßﬁÅ\u{301}🎉Z\n")
        for _ in 0..<300 {
            let text = String(
                (0..<Int.random(in: 1...14, using: &random)).map { _ in signs.randomElement(using: &random)! })
            #expect(Set(NameWords.places(in: text).keys) == Set(NameWords.words(of: text)), "\(text)")
        }
    }

    /// ASCII is read by its bytes, everything else by its characters; neither says anything else than the other.
    @Test func whatIsReadByBytesIsWhatIsReadByCharacters() {
        var random = SeededGenerator(seed: 5)
        let signs = Array("aZ1_.-\u{1C}(\t\r\n b")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 1...60, using: &random)).map { _ in signs.randomElement(using: &random)! })
            let places = NameWords.places(in: text)
            // With a sign beside each white space that is neither ASCII nor a word.
            let marked = text.map { $0.isWhitespace ? "\u{2003}\u{2003}" : "\($0)" }.joined()
            #expect(places.keys == NameWords.places(in: marked).keys, "\(text.debugDescription)")
            for (word, place) in places {
                let found = text.utf8.dropFirst(place).prefix(word.utf8.count)
                #expect(String(found)?.lowercased() == word, "\(text.debugDescription)")
            }
        }
    }

    @Test func whatIsKeptOfATextIsBounded() {
        let many = (0..<40_000).map { "w\($0)" }.joined(separator: " ")
        #expect(NameWords.places(in: many).count == NameWords.mostInText)
        let long = NameWords.places(in: String(repeating: "会", count: 500))
        #expect(long.keys.allSatisfy { $0.utf8.count <= NameWords.longestInText })
        #expect(NameWords.cutForText(String(repeating: "ä", count: 50)).utf8.count <= NameWords.longestInText)
        #expect(NameWords.cutForText("short") == "short")
    }

    @Test func whatStandsInAStretchIsMarkedThoughNotEveryTermDoes() {
        let text = "salt and pepper"
        #expect(NameWords.marks(of: ["pep", "sugar", "salt"], in: text).map { String(text[$0]) } == ["salt", "pep"])
        #expect(NameWords.missing(["pep", "sugar", "salt"], in: text) == ["sugar"])
    }

    @Test(arguments: [
        ("text/plain", "a", true), ("text/markdown; charset=utf-8", "a", true), ("application/json", "a", true),
        ("application/ld+json", "a", true), ("application/octet-stream", "notes.md", true), ("", "main.swift", true),
        ("application/octet-stream", "photo.jpg", false), ("application/octet-stream", "photo", false),
        ("image/png", "a.txt", false), ("application/pdf", "a.txt", false), ("text/html", "a", true),
        ("TEXT/CSV", "a", true), ("image/svg+xml", "a", true),
    ])
    func theTypeSaysWhatIsATextAndElseTheName(_ type: String, _ name: String, _ isText: Bool) {
        #expect(MediaType.isText(type, named: name) == isText)
        if isText { #expect(MediaType.mayBeText(type)) }
    }
}
