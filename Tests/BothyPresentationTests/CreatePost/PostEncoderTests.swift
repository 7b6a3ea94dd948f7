import BothyContract
import BothyPresentation
import Testing

@Suite struct PostEncoderTests {
    @Test(arguments: [
        ("plain", "<p>plain</p>"),
        ("**a** *b* `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>"),
        ("# A\n\ntext\n\n#### B", "<h1>A</h1><p>text</p><h3>B</h3>"),
        ("- a\n- b\n\n1. c", "<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>"),
        ("- a\n  1. b\n- c", "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>"),
        ("~~a~~ @anna #walk", "<p><s>a</s> @anna #walk</p>"),
        ("> said", "<blockquote><p>said</p></blockquote>"),
        ("```\nlet a = 1\n```", "<pre>let a = 1</pre>"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        (
            "see https://example.org/a. And (https://example.org/b).",
            "<p>see <a href=\"https://example.org/a\" rel=\"nofollow noopener noreferrer ugc\">https://example.org/a</a>. And "
                + "(<a href=\"https://example.org/b\" rel=\"nofollow noopener noreferrer ugc\">https://example.org/b</a>).</p>"
        ),
        ("line one\nline two", "<p>line one<br>line two</p>"), ("", ""), ("---", ""),
    ])
    func whatIsTypedBecomesThePostsText(typed: String, html: String) {
        #expect(PostEncoder.text(of: typed)?.html == html)
    }

    @Test func whatIsMoreThanAPostMayHaveIsNoPost() {
        #expect(PostEncoder.text(of: String(repeating: "a", count: 10_000)) != nil)
        #expect(PostEncoder.text(of: String(repeating: "a", count: 10_001)) == nil)
        #expect(PostEncoder.text(of: String(repeating: "- a\n", count: 6_000)) == nil)
        #expect(PostEncoder.text(of: "http://" + String(repeating: ")", count: 9_000)) != nil)
    }
}
