import BothyContract
import BothyPresentation
import Testing

@Suite struct PostMarkdownTests {
    @Test(arguments: [
        "<p>plain</p>", "<p>one</p><p>two</p>", "<p>a<br>b</p>", "<h1>A</h1><p>text</p><h3>B</h3>",
        "<p><strong>a</strong> <em>b</em> <code>c</code> <s>d</s></p>", "<p><strong><em>a</em></strong><em>b</em></p>",
        "<p>b<strong>ol</strong>d</p>",
        "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul><ol><li>d</li></ol><p>e</p>",
        "<blockquote><p>one</p><p>two</p></blockquote><p>after</p>", "<pre>let a = `1`\n  ```\n- x</pre><p>b</p>",
        "<p><a href=\"https://example.org/a(b)\" rel=\"nofollow noopener noreferrer ugc\">words [x]</a></p>",
        "<p>see <a href=\"https://example.org/a_b\" rel=\"nofollow noopener noreferrer ugc\">https://example.org/a_b</a>.</p>",
        "<p>- no list</p><p>1. none</p><p># none</p><p>&gt; none</p><p>---</p><p>| a |<br>|---|</p>",
        "<p>2 * 3 * 4 _x_ a_b ~~no~~ `no` \\ [x](y) ![x](y) &lt;https://example.org&gt; x</p>",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;</p>", "<p><code>`a`</code></p>",
        "<ul><li>a<br>- b</li></ul>",
    ])
    func whatIsWrittenAsMarkdownIsReadAsTheSame(html: String) throws {
        let text = PostText(html: html)
        // What looks like an address becomes a link, wherever it is typed.
        let isLinked = html.contains("&lt;https")
        let read = try #require(PostEncoder.text(of: PostMarkdown.text(of: text)))
        #expect(isLinked ? read.plain == text.plain : read.html == text.html, "\(PostMarkdown.text(of: text))")
    }

    @Test func peopleAndHashtagsAreAsTheyWereTyped() {
        let text = PostText(
            html:
                "<p><a href=\"/people/7\" class=\"mention\">@ada_l</a> <a href=\"/feed/tags/walk\" class=\"hashtag\">#walk</a></p>"
        )
        #expect(PostMarkdown.text(of: text) == "@ada_l #walk")
    }

    @Test func spacesBesideAMarkAreOutsideOfIt() throws {
        let text = PostText(html: "<p><strong>a </strong>b<em> c</em></p>")
        #expect(PostMarkdown.text(of: text) == "**a** b *c*")
    }

    @Test func nothingIsNothing() { #expect(PostMarkdown.text(of: PostText([])).isEmpty) }
}
