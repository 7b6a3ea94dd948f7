import BothyContract
import Testing

@Suite struct HandleTests {
    @Test(arguments: [
        ("ada", "ada"), ("@Ada", "ada"), ("a_1", "a_1"), ("__", "__"),
        (String(repeating: "x", count: 30), String(repeating: "x", count: 30)),
    ])
    func whatIsTypedIsReadInSmallLetters(typed: String, text: String) {
        #expect(Handle(typed)?.text == text)
    }

    @Test(arguments: [
        "", "@", "a", "@a", "a b", "a-b", "ä_", "@@ab", "аda", "a\u{301}b", String(repeating: "x", count: 31),
    ])
    func whatIsNoneIsRefused(typed: String) {
        #expect(Handle(typed) == nil)
    }

    @Test func wordsOfTheServerAreReserved() throws {
        #expect(try #require(Handle("Admin")).isReserved)
        #expect(try #require(Handle("me")).isReserved)
        #expect(try !#require(Handle("ada")).isReserved)
    }

    @Test(arguments: [
        ("Ada Lovelace", "ada_lovelace"), ("Jörg Weiß", "jorg_weiss"), ("  -- Zoë --  ", "zoe"), ("O'Neill", "o_neill"),
        ("Анна", "person"), ("X", "person"), ("", "person"), ("a_b", "a_b"), ("Łukasz", "lukasz"), ("Ⅳ ﬁn", "iv_fin"),
    ])
    func oneIsMadeOfAName(name: String, first: String) {
        #expect(Handle.suggestions(for: name, id: 1).first?.text == first)
    }

    /// Whatever a name is: each is a handle that may be taken, no two are the same, and the last is hers alone.
    @Test func everyNameHasSome() {
        var dice = SeededGenerator(seed: 18)
        let letters = Array("aAzZ09_ -.äßŁⅣ中ﬁ\u{301}\u{202E}'@").map(String.init)
        for id in Int64(1)...3_000 {
            let name = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
                letters.randomElement(using: &dice) ?? "a"
            }.joined()
            let all = Handle.suggestions(for: name, id: id << 20)
            #expect(all.allSatisfy { Handle($0.text) == $0 && !$0.isReserved }, "\(name)")
            #expect(Set(all).count == all.count, "\(name)")
            #expect(all.last?.text.hasSuffix("_\(id << 20)") == true)
        }
    }

    @Test func aReservedNameBecomesAnother() {
        #expect(Handle.suggestions(for: "Admin", id: 1).first?.text == "admin2")
    }
}

@Suite struct InitialsTests {
    @Test(arguments: [
        ("Ada", "A"), ("ada lovelace", "AL"), ("Ada King Lovelace", "AL"), ("ß", "S"), ("«Zoë»", "Z"), ("!!!", "?"),
        ("", "?"), ("中文", "中"), ("7 of nine", "7N"),
    ])
    func areTheFirstLettersOfANamesWords(name: String, text: String) {
        #expect(Initials(name: name, id: 1).text == text)
    }

    @Test func colorsAreSpreadAndStay() {
        let tints = (Int64(0)..<600).map { Initials(name: "a", id: 7_263_981_234_567_168 + $0 << 12).tint }
        #expect(Set(tints).count == Initials.tints)
        #expect(tints.allSatisfy { (0..<Initials.tints).contains($0) })
        #expect(Initials(name: "b", id: -1).tint == Initials(name: "c", id: -1).tint)
    }

    /// Nothing of a name is markup in the picture.
    @Test func theLettersAreWrittenAsNumbers() {
        let svg = Initials(name: "A\u{301}<b", id: 1).svg
        #expect(svg.contains(">&#65;&#769;&#66;</text>") || svg.contains(">&#193;&#66;</text>"))
    }
}
