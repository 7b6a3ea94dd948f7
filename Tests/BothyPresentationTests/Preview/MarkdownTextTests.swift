import BothyPresentation
import Testing

/// Markdown becomes blocks and runs, and never markup of a screen.
@Suite struct MarkdownTextTests {
    private func blocks(_ text: String) -> [MarkdownText.Block] { MarkdownText(text).blocks }
    private func runs(_ text: String) -> [MarkdownText.Run] { blocks(text).flatMap(\.runs) }

    @Test func linesBecomeBlocks() {
        let text = """
            # Plans #
            for *today*
            and tomorrow

            - milk
              - bread
            3) tea
            > said
            > he
            ---
            ```swift
            let a = 1 < 2

            ```
            """
        let kinds = blocks(text).map(\.kind)
        #expect(
            kinds == [
                .heading(level: 1), .paragraph, .item(marker: "•"), .item(marker: "•"), .item(marker: "3)"), .paragraph,
                .rule, .code,
            ])
        #expect(blocks(text).map(\.depth) == [0, 0, 0, 1, 0, 0, 0, 0])
        #expect(blocks(text).map(\.isQuote) == [false, false, false, false, false, true, false, false])
        #expect(blocks(text)[0].runs.map(\.text) == ["Plans"])
        #expect(blocks(text)[1].runs.map(\.text) == ["for ", "today", " and tomorrow"])
        #expect(blocks(text)[5].runs.map(\.text) == ["said he"])
        #expect(blocks(text)[7].runs.map(\.text) == ["let a = 1 < 2\n"])
    }

    @Test func wordsAreMarked() {
        let marked = runs("a **b *c*** `d*e` snake_case_name 2 * 3 \\*not\\* **open")
        #expect(marked.map(\.text) == ["a ", "b ", "c", " ", "d*e", " snake_case_name 2 * 3 *not* **open"])
        #expect(marked.map(\.isStrong) == [false, true, true, false, false, false])
        #expect(marked.map(\.isEmphasised) == [false, false, true, false, false, false])
        #expect(marked[4].isCode)
    }

    @Test(arguments: [
        ("[here](https://example.org/a?b=c)", "https://example.org/a?b=c"),
        ("[here](mailto:a@example.org \"title\")", "mailto:a@example.org"),
        ("<http://example.org>", "http://example.org"),
        ("[here](javascript:alert(1))", nil), ("[here](data:text/html,x)", nil), ("[here](/sign-out)", nil),
        ("![here](https://example.org/a.png)", nil), ("[here](https://exa\u{202E}mple.org)", nil),
        ("[here](JaVaScRiPt:alert)", nil),
    ])
    func onlyTheWebAndPeopleAreLinkedTo(_ text: String, _ link: String?) {
        #expect(runs(text).compactMap(\.link) == [link].compactMap { $0 })
        #expect(runs(text).contains { !$0.text.isEmpty })
    }

    @Test func markupIsText() {
        #expect(runs("<script>alert(1)</script>").map(\.text).joined() == "<script>alert(1)</script>")
        #expect(runs("a <b>c</b> &amp; d").map(\.text).joined() == "a <b>c</b> &amp; d")
    }

    /// Whatever is typed, every letter and digit of it is shown, but for those of addresses and languages.
    @Test func nothingThatWasTypedIsLostAndNothingTakesLong() {
        var random = SystemRandomNumberGenerator()
        let signs = Array("ab1 *_`[(<>#->\n\\~.\t)")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 0...60, using: &random)).map { _ in signs.randomElement(using: &random)! })
            let shown = blocks(text).map { block in
                var marker = ""
                if case .item(let mark) = block.kind { marker = mark }
                return marker + block.runs.map(\.text).joined()
            }.joined()
            let isPlain = !text.contains("](") && !text.contains("```") && !text.contains("~~~")
            if isPlain { #expect(shown.filter(\.isLetter).count == text.filter(\.isLetter).count, "\(text)") }
        }
        for sign in ["*", "_", "`", "[", "<", "[a](", "> ", "- ", "- \n", "```\n", "\n", "**a*", "<mailto:"] {
            for end in ["", ">", "](a)"] { _ = MarkdownText(String(repeating: sign, count: 100_000) + end) }
        }
    }

    @Test func blocksThatNobodyReadsAreLeftOut() {
        let (most, more) = (MarkdownText.mostBlocks, MarkdownText.mostBlocks + 1)
        let whole = MarkdownText(String(repeating: "- a\n", count: most))
        #expect(whole.blocks.count == most && !whole.isCut)
        let cut = MarkdownText(String(repeating: "- a\n", count: more))
        #expect(cut.blocks.count == most && cut.isCut)
    }
}
