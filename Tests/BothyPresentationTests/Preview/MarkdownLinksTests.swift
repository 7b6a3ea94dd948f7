import BothyPresentation
import Testing

/// Links as people write them by hand, with brackets in them or with none around them.
@Suite struct MarkdownLinksTests {
    private func runs(_ text: String) -> [MarkdownText.Run] { MarkdownText(text).blocks.flatMap(\.runs) }
    private func links(_ text: String) -> [String] {
        runs(text).map { run in run.link.map { "\(run.text)→\($0)" } ?? run.text }
    }

    @Test(
        arguments: [
            ("[Foo](https://example.org/Foo_(bar))", ["Foo→https://example.org/Foo_(bar)"]),
            ("see [a [b] c](https://example.org/) too", ["see ", "a [b] c→https://example.org/", " too"]),
            ("[a](<https://example.org/x>)", ["a→https://example.org/x"]),
            ("[a]( https://example.org/x 'so (it) is' )", ["a→https://example.org/x"]),
            ("[**bold** one](https://example.org/)", ["bold→https://example.org/", " one→https://example.org/"]),
            ("[![alt](https://example.org/i.png)](https://example.org/)", ["alt→https://example.org/"]),
            (
                "[a [b](https://example.org/1) c](https://example.org/2)",
                ["[a ", "b→https://example.org/1", " c](", "https://example.org/2→https://example.org/2", ")"]
            ),
            ("[not a link] (https://example.org)", ["[not a link] (", "https://example.org→https://example.org", ")"]),
            ("![a [b] c](https://example.org/i.png)", ["a [b] c"]),
            ("[open", ["[open"]), ("[a](b", ["[a](b"]), ("[a](b c)", ["[a](b c)"]),
        ] as [(String, [String])])
    func brackets(_ text: String, _ drawn: [String]) { #expect(links(text) == drawn) }

    @Test(
        arguments: [
            ("Go to https://example.org.", ["Go to ", "https://example.org→https://example.org", "."]),
            ("(https://example.org/a_(b))", ["(", "https://example.org/a_(b)→https://example.org/a_(b)", ")"]),
            ("https://a.org/a_b_c?d=e&f, and", ["https://a.org/a_b_c?d=e&f→https://a.org/a_b_c?d=e&f", ", and"]),
            ("HTTPS://example.org", ["HTTPS://example.org→HTTPS://example.org"]),
            ("xhttps://example.org", ["xhttps://example.org"]), ("https://", ["https://"]),
            ("`https://example.org`", ["https://example.org"]), ("javascript:alert(1)", ["javascript:alert(1)"]),
            ("https://exa\u{202E}mple.org", ["https://exa\u{202E}mple.org"]),
            ("[https://example.org](https://example.com)", ["https://example.org→https://example.com"]),
        ] as [(String, [String])])
    func bareAddresses(_ text: String, _ drawn: [String]) { #expect(links(text) == drawn) }

    @Test func wordsAreStruckThrough() {
        let struck = runs("~~no~~ **yes ~~no~~** ~a~ ~~ b ~~")
        #expect(struck.map(\.text) == ["no", " ", "yes ", "no", " ~a~ ~~ b ~~"])
        #expect(struck.map(\.isStruck) == [true, false, false, true, false])
        #expect(struck.map(\.isStrong) == [false, false, true, true, false])
    }

    /// None of these takes longer than its length: a page that shows one would stand still.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["[", "[a](", "[![a](", "[a](<", "~~a", "-http://", "-http://ü", "http://a)", "[[a](b) "])
    func muchOfItIsReadInOneWalk(_ sign: String) {
        for end in ["", ")", "](a)"] { _ = MarkdownText(String(repeating: sign, count: 30_000) + end) }
    }
}
