import BothyPresentation
import Testing

@testable import BothyWeb

/// What is written in Markdown becomes elements of a page, and never markup of its own.
@Suite struct MarkdownViewTests {
    private func html(_ text: String) throws -> String {
        let markdown: [String: Any] = [
            "blocks": MarkdownText(text).placed.map { MarkdownBlockView($0) }, "isCut": false,
        ]
        let page = try Views().render(.preview, ["words": WordsView(words: .english), "markdown": markdown])
        return page.replacing("\n", with: "")
    }

    @Test func aListIsAList() throws {
        #expect(try html("- a\n  - b\n- c").contains("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"))
        #expect(try html("3. a\n4. b\n\nc").contains("<ol start=\"3\"><li>a</li><li>b</li></ol><p>c</p>"))
        #expect(try html("> - a").contains("<blockquote><ul><li>a</li></ul></blockquote>"))
    }

    @Test func aTableIsATable() throws {
        let table = try html("a | b\n- | -:\n*1* | 2")
        #expect(table.contains("<thead><tr><th scope=\"col\">a</th><th scope=\"col\" data-align=\"end\">b</th></tr>"))
        #expect(table.contains("<tbody><tr><td><em>1</em></td><td data-align=\"end\">2</td></tr></tbody>"))
        #expect(table.contains("<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>"))
    }

    @Test(arguments: [
        "<img src=x onerror=alert(1)>", "</td></table><script>alert(1)</script>", "\" onfocus=alert(1) x=\"",
    ])
    func whatIsTypedIntoACellIsText(_ hostile: String) throws {
        func marks(_ text: String) -> Int { text.count { "<>\"".contains($0) } }
        let table = "| \(hostile) | b |\n| - | - |\n| a | \(hostile) |\n"
        let plain = "| x | b |\n| - | - |\n| a | x |\n"
        #expect(try marks(html(table)) == marks(html(plain)))
    }
}
