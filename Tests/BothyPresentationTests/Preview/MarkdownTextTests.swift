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

    /// What a screen begins and ends, with the words of each block between.
    private func drawn(_ text: String) -> String {
        MarkdownText(text).placed.map { placed in
            let begins = placed.begins.map { "<\(tag($0))>" }.joined()
            return begins + placed.block.runs.map(\.text).joined() + placed.ends.map { "</\(tag($0))>" }.joined()
        }.joined(separator: "|")
    }

    private func tag(_ frame: MarkdownText.Frame) -> String {
        switch frame {
        case .quote: "quote"
        case .bullets: "ul"
        case .numbers(let first): "ol \(first)"
        case .entry: "li"
        }
    }

    @Test(arguments: [
        ("- [ ] a\n- [x] b\n- [c] d", "<ul><li>☐ a</li>|<li>☑ b</li>|<li>[c] d</li></ul>"),
        ("- a\n- b\n\nc", "<ul><li>a</li>|<li>b</li></ul>|c"),
        ("- a\n  - b\n- c", "<ul><li>a|<ul><li>b</li></ul></li>|<li>c</li></ul>"),
        ("- a\n    - b\n        - c\n- d", "<ul><li>a|<ul><li>b|<ul><li>c</li></ul></li></ul></li>|<li>d</li></ul>"),
        ("3) a\n4) b", "<ol 3><li>a</li>|<li>b</li></ol 3>"),
        ("- a\n1. b", "<ul><li>a</li></ul>|<ol 1><li>b</li></ol 1>"),
        ("1. a\n   - b\n2. c", "<ol 1><li>a|<ul><li>b</li></ul></li>|<li>c</li></ol 1>"),
        ("- a\n\n  b\n- c", "<ul><li>a|b</li>|<li>c</li></ul>"),
        ("1. a\n   ```\n   b\n     c\n   ```\n2. d", "<ol 1><li>a|b\n  c</li>|<li>d</li></ol 1>"),
        ("> a\n> - b\n\nc", "<quote>a|<ul><li>b</li></ul></quote>|c"),
        ("- a\n> - b\n- c", "<ul><li>a</li></ul>|<quote><ul><li>b</li></ul></quote>|<ul><li>c</li></ul>"),
    ])
    func entriesLieInTheirLists(_ text: String, _ nested: String) {
        #expect(drawn(text) == nested)
    }

    // MARK: - Tables

    private func tables(_ text: String) -> [MarkdownText.Table] {
        blocks(text).compactMap { block -> MarkdownText.Table? in
            guard case .table(let table) = block.kind else { return nil }
            return table
        }
    }

    private func words(_ row: [[MarkdownText.Run]]) -> [String] { row.map { $0.map(\.text).joined() } }

    @Test func aTableHasItsHeadItsRowsAndItsSides() throws {
        let text = """
            Prices:
            | What | Of | Price | |
            | --- | :-- | --: | :-: |
            | *milk* | a \\| b | 1.20 | x |
            | tea |

            After
            """
        #expect(blocks(text).map { $0.runs.map(\.text).joined() } == ["Prices:", "", "After"])
        let table = try #require(tables(text).first)
        #expect(table.columns == [nil, .start, .end, .center])
        #expect(words(table.head) == ["What", "Of", "Price", ""])
        #expect(table.rows.map(words) == [["milk", "a | b", "1.20", "x"], ["tea", "", "", ""]])
        #expect(table.rows[0][0][0].isEmphasised)
    }

    @Test(arguments: ["a | b\n--- | ---\n1 | 2", "|a|b|\n|-|-|\n|1|2|", "> | a | b |\n> |---|---|\n> | 1 | 2 |"])
    func itsFrameMayBeLeftOut(_ text: String) throws {
        let table = try #require(tables(text).first)
        #expect(words(table.head) == ["a", "b"] && table.rows.map(words) == [["1", "2"]])
    }

    @Test(arguments: ["a | b\n--- | --- | ---", "a | b\n---", "a | b\n1 | 2", "|\n|", "a\n: | :", "| --- | --- |"])
    func whatOnlyLooksLikeATableIsShownAsItWasTyped(_ text: String) {
        #expect(tables(text).isEmpty)
    }

    @Test func whatStandsBeyondTheLastColumnIsNotLost() {
        #expect(tables("a | b\n- | -\n1 | 2 | 3 | 4").first?.rows.map(words) == [["1", "2 | 3 | 4"]])
    }

    @Test func cellsThatNobodyReadsAreLeftOut() {
        let most = MarkdownText.mostCells / 2 - 1
        let head = "a | b\n- | -\n"
        let whole = MarkdownText(head + String(repeating: "1 | 2\n", count: most))
        #expect(tables(head + String(repeating: "1 | 2\n", count: most)).first?.rows.count == most && !whole.isCut)
        #expect(MarkdownText(head + String(repeating: "1 | 2\n", count: most + 1)).isCut)
        let wide = String(repeating: "a|", count: 101) + "\n" + String(repeating: "-|", count: 101)
        #expect(tables(wide).isEmpty)
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
        let signs = Array("ab1 *_`[(<>#->\n\\~.\t)|:-")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 0...60, using: &random)).map { _ in signs.randomElement(using: &random)! })
            let shown = blocks(text).map { block in
                var marker = ""
                if case .item(let mark) = block.kind { marker = mark }
                var cells = [[MarkdownText.Run]]()
                if case .table(let table) = block.kind { cells = table.head + table.rows.joined() }
                return marker + (block.runs + cells.joined()).map(\.text).joined()
            }.joined()
            let isPlain = !text.contains("](") && !text.contains("```") && !text.contains("~~~")
            if isPlain { #expect(shown.filter(\.isLetter).count == text.filter(\.isLetter).count, "\(text)") }
        }
        for sign in [
            "*", "_", "`", "[", "<", "[a](", "> ", "- ", "- \n", "```\n", "\n", "**a*", "<mailto:",
            "|", "a|b\n-|-\n", "  - \n",
        ] {
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
