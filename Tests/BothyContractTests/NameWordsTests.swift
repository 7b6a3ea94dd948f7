import BothyContract
import Testing

@Suite struct NameWordsTests {
    @Test(arguments: [
        ("TaxReport2024.pdf", ["taxreport2024", "report2024", "2024", "pdf"]),
        ("Café au lait", ["cafe", "au", "lait"]), ("Cafe\u{301}", ["cafe"]), ("IMG_0042.JPG", ["img", "0042", "jpg"]),
        ("会议记录.md", ["会议记录", "议记录", "记录", "录", "md"]), ("ﬁn", ["fin"]), ("---", []), ("", []),
        ("Straße", ["straße"]), ("a a A", ["a"]), ("HTTPServer", ["httpserver"]), ("🎉 party", ["party"]),
    ])
    func wordsBeginWherePeopleSeeThemBegin(_ name: String, _ words: [String]) {
        #expect(NameWords.words(of: name) == words)
    }

    @Test func whatIsKeptIsBounded() {
        #expect(NameWords.words(of: String(repeating: "ab1 x", count: 60)).count <= NameWords.most)
        let long = NameWords.words(of: String(repeating: "ä", count: 200) + String(repeating: "会", count: 80))
        #expect(long.count <= NameWords.most && long.allSatisfy { $0.utf8.count <= NameWords.longest })
        #expect(NameWords.terms(of: (0..<40).map { "t\($0)" }.joined(separator: " ")).count == NameWords.mostTerms)
    }

    @Test func aTermStandsAtTheBeginningOfAWordOrNowhere() throws {
        let name = "My TaxReport.pdf"
        func found(_ text: String) -> [String]? {
            NameWords.matches(of: NameWords.terms(of: text), in: name)?.map { String(name[$0]) }
        }
        #expect(found("rep") == ["Rep"] && found("tax rep") == ["Tax", "Rep"] && found("port") == nil)
        #expect(found("taxrep tax") == ["TaxRep"] && found("MY pd") == ["My", "pd"] && found("") == [])
    }

    /// What the index has is what can be found: a word's beginning, and nothing else.
    @Test func aNameIsFoundByTheBeginningOfEachOfItsWords() {
        var random = SystemRandomNumberGenerator()
        let signs = Array("aBcÉé1 2_-.会ßﬁÅ\u{301}🎉Z")
        for _ in 0..<500 {
            let name = String(
                (0..<Int.random(in: 1...14, using: &random)).map { _ in signs.randomElement(using: &random)! })
            let words = NameWords.words(of: name)
            for word in words {
                let beginning = String(
                    word.unicodeScalars.prefix(Int.random(in: 1...4, using: &random)).map(Character.init))
                let terms = NameWords.terms(of: beginning)
                let isThere = terms.allSatisfy { term in words.contains { $0.hasPrefix(term) } }
                #expect((NameWords.matches(of: terms, in: name) != nil) == isThere, "\(name): \(beginning)")
            }
            let other = NameWords.terms(of: String(signs.randomElement(using: &random)!))
            let isThere = other.allSatisfy { term in words.contains { $0.utf8.starts(with: term.utf8) } }
            if words.count < NameWords.most {
                #expect((NameWords.matches(of: other, in: name) != nil) == isThere, "\(name): \(other)")
            }
        }
    }
}
