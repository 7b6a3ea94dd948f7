import BothyContract
import Testing

@Suite struct PostTextTests {
    @Test(arguments: [
        ("plain", "<p>plain</p>"),
        ("<p>one</p><p>two</p>", "<p>one</p><p>two</p>"),
        ("<p>a<b>b</b><i>c</i></p>", "<p>a<strong>b</strong><em>c</em></p>"),
        ("<h1>a</h1><h5>b</h5>", "<h1>a</h1><h3>b</h3>"),
        ("<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
        ("<ul><li>a<li>b</ul><ol><li>c</ol>", "<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>"),
        ("<blockquote>a<p>b</blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("<pre>\n  a\n  <b>b</b>\n</pre>", "<pre>  a\n  <strong>b</strong></pre>"),
        ("<pre>\n\na</pre>", "<pre>\n\na</pre>"), ("<pre><b>\na</b></pre>", "<pre>\n<strong>\na</strong></pre>"),
        ("<u>a</u><ins>b</ins> <s>c</s> <del>d</del>", "<p><u>ab</u> <s>c</s> <s>d</s></p>"),
        ("<s><u><b>a</b></u></s>", "<p><strong><u><s>a</s></u></strong></p>"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>"),
        ("<ul><ul><li>a</ul><li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        (
            "<ul><li>a<ul><li>b</ul><ol><li>c</ol></ul>",
            "<ul><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li></ul>"
        ),
        ("<p>a\u{2067}b</p><p>c\u{2069}d</p>", "<p>a\u{2067}b\u{2069}</p><p>cd</p>"),
        (
            "<a class=mention href=/people/7>@a</a> <a class=hashtag href=/feed/tags/x>#x</a>",
            "<p><a href=\"/people/7\" class=\"mention\">@a</a> <a href=\"/feed/tags/x\" class=\"hashtag\">#x</a></p>"
        ),
        ("<a class=mention href=/people/07>@a</a><a class=hashtag href=/feed/tags/X>b</a>", "<p>@ab</p>"),
        ("a<br>b<br/>c", "<p>a<br>b<br>c</p>"), ("<b>a<br>b</b>", "<p><strong>a<br>b</strong></p>"),
        ("  a \n\t b  ", "<p>a b</p>"),
        ("a &lt;b&gt; &amp;amp; &#39; &nbsp;x", "<p>a &lt;b&gt; &amp;amp; &#39; \u{A0}x</p>"),
        ("1 < 2 & 3", "<p>1 &lt; 2 &amp; 3</p>"),
        ("", ""), ("<p> <b> </b></p>", ""),
        (
            "<a href='https://example.org/?a=1&amp;b=2' onclick=x>l</a>",
            "<p><a href=\"https://example.org/?a=1&amp;b=2\" rel=\"nofollow noopener noreferrer ugc\">l</a></p>"
        ),
        ("<a href=\"java&#115;cript:alert(1)\">l</a>", "<p>l</p>"),
        ("<a href=\"java\tscript:alert(1)\">l</a>", "<p>l</p>"),
        ("<a href=/etc/passwd>l</a>", "<p>l</p>"),
        ("a<script>alert(1)</script>b", "<p>ab</p>"),
        ("a<SCRIPT src=x>b</sCript >c", "<p>ac</p>"),
        ("a<style>b", "<p>a</p>"),
        ("a<svg><script>b</script></svg>c", "<p>ac</p>"),
        ("a<!-- <b> -->b<![CDATA[c]]>d", "<p>abd</p>"),
        ("<img src=x onerror=alert(1)>a", "<p>a</p>"),
        ("a<b", "<p>a</p>"), ("<", "<p>&lt;</p>"), ("a\u{202E}b\u{0}c", "<p>abc</p>"),
    ])
    func htmlIsReadAndWrittenInOneSpelling(html: String, written: String) {
        #expect(PostText(html: html).html == written)
    }

    /// Whatever it is made of: what is written holds nothing but what a post may have, and reading it changes nothing.
    @Test func anyHTMLBecomesHarmlessAndStaysWhatItIs() {
        let tag = /<\/?(?:p|h[1-3]|blockquote|ul|ol|li|pre|strong|em|u|s|code|br|a)>/
        let link = /<a href="(?:https:\/\/|http:\/\/|mailto:)[^"<>\s]+" rel="nofollow noopener noreferrer ugc">/
        let reference = /<a href="(?:\/people\/[0-9]+" class="mention|\/feed\/tags\/[0-9a-z_%A-F]+" class="hashtag)">/
        for seed in 0..<4_000 {
            let soup = Soup(seed: UInt64(seed)).text
            let text = PostText(html: soup)
            let html = text.html
            #expect(PostText(html: html) == text, "\(soup)")
            #expect(PostText(html: html).html == html, "\(soup)")
            let rest = html.replacing(link, with: "").replacing(reference, with: "").replacing(tag, with: "")
            #expect(!rest.contains("<") && !rest.contains(">") && !rest.contains("\""), "\(soup) → \(html)")
        }
    }

    @Test func aSummaryIsTheBeginningAndEndsAtAWord() {
        let text = PostText(html: "<h1>Title</h1><p>one two <b>three</b> four</p>")
        #expect(text.summary(length: 100).text == text && !text.summary(length: 100).isCut)
        let cut = text.summary(length: 16)
        #expect(cut.isCut && cut.text.plain == "Title\none two…")
        #expect(text.summary(length: 3).text.plain == "Tit…")
    }

    @Test func aSummaryIsNeverLongerThanWasAsked() {
        for seed in 0..<1_000 {
            let text = PostText(html: Soup(seed: UInt64(seed)).text)
            for length in [1, 5, 40] {
                let (summary, isCut) = text.summary(length: length)
                // What closes the direction of words is shown by nothing.
                let shown = PostLength.of(summary.blocks.map { $0.plain.replacing("\u{2069}", with: "") }.joined())
                #expect(shown <= length + 1 && isCut == (summary != text))
                #expect(PostText(html: summary.html) == summary)
            }
        }
    }

    @Test(
        arguments: [
            ("https://example.org/a b", nil), ("HTTPS://Example.org/ä", "https://Example.org/%C3%A4"),
            (" mailto:a@b.c ", "mailto:a@b.c"), ("https://", nil), ("data:text/html,x", nil), ("//example.org", nil),
            ("https://example.org/\"><script>", "https://example.org/%22%3E%3Cscript%3E"),
            ("https://example.org/" + String(repeating: "ä", count: 400), nil),
            (
                "https://example.org/" + String(repeating: "a", count: 1_980),
                "https://example.org/" + String(repeating: "a", count: 1_980)
            ),
        ] as [(String, String?)])
    func onlyAddressesOfTheWebAndOfMailAreLinks(address: String, safe: String?) {
        #expect(PostLink.safe(address) == safe)
    }
}

/// Pieces of HTML, whole and broken, one after the other.
private struct Soup {
    let text: String

    private static let pieces = [
        "<p>", "</p>", "<b>", "</b>", "<i>", "</em>", "<code>", "</code>", "<pre>", "</pre>", "<ul>", "<ol>", "<li>",
        "</ul>", "</ol>", "<h2>", "</h2>", "<blockquote>", "</blockquote>", "<br>", "<a href=\"https://x.org/?a&b\">",
        "<a href='javascript:x'>", "</a>", "<script>", "</script>", "<svg>", "<!--", "-->", "<", ">", "&", "&amp;",
        "&#x3c;",
        "&#0;", "\"", "'", " ", "\n", "\t", "word", "ä", "😀", "\u{202E}", "\u{0}", "<img src=x onerror=y>",
        "<p title=\"", "e\u{301}", "<u>", "</u>", "<s>", "</s>", "</li>", "#tag", " #Ä", "@anna", " @anna", "\u{2067}",
        "\u{2069}", "\r\n", "<a href=\"/people/7\" class=\"mention\">", "<a href='/feed/tags/x' class='hashtag'>",
    ]

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...24, using: &dice)
        text = (0..<count).map { _ in Self.pieces.randomElement(using: &dice)! }.joined()
    }
}
