import BothyContract

extension FuzzTarget {
    /// The HTML of a post, as whoever posts sends it.
    static let postTexts = FuzzTarget(
        "post-texts", seedsAreLines: true,
        words: [
            "<p>", "</p>", "<b>", "<em>", "</b>", "</i>", "<u>", "<s>", "</u>", "</s>", "<code>", "<h1>", "<br>",
            "<div>",
            "<ul><li>", "<ol>", "</li>", "</ul>", "<pre>", "</pre>", "<blockquote>", "<a href=\"https://", "</a>",
            "<a href='javascript:", "<a href=\"/people/1\" class=\"mention\">",
            "<a href=\"/feed/tags/a\" class=\"hashtag\">", "<script>", "</script>", "<style>", "</style>", "<svg>",
            "</svg>", "<math>", "<mtext>", "<mglyph>", "<foreignObject>", "<template>", "<noscript>", "<textarea>",
            "<title>",
            "<select>", "<table>", "<td>", "<img src=x onerror=alert(1)>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;",
            "&#x3c;", "&#", "&lt;", "&colon;", "&Tab;", "=", "/", ">", "#", "@a", " #a", "\"", "'", " on", "\n", "\r\n",
            "\t", "\0", "\u{2066}", "\u{2069}", "\u{202E}", "\u{2028}", "\u{301}", "\u{200D}", "\u{A0}",
        ]
    ) { input in
        let sent = String(decoding: input, as: UTF8.self)
        let time = try ContinuousClock().measure {
            try requireOneSpelling(of: PostText(html: sent), sentAs: sent)
        }
        try require(time < longest, "it took \(time)")
    }

    /// For one input of the largest size, on a busy machine. What takes longer takes more than time in proportion to its size.
    private static let longest = Duration.seconds(20)

    private static func requireOneSpelling(of text: PostText, sentAs sent: String) throws {
        let html = text.html
        try WrittenPostForm.check(html)
        try require(PostText(html: html) == text, "read again, it is another text")
        let (summary, isCut) = text.summary(length: 20)
        try require(isCut || summary == text, "a summary that is whole is another text")
        try require(
            PostLength.of(summary.plain) <= 21 + summary.blocks.count + 8, "a summary that is longer than was asked")
        try WrittenPostForm.check(summary.html)
        let named = PostNaming.named(text, people: ["a": 1])
        try WrittenPostForm.check(named.html)
        try require(PostText(html: named.html) == named, "with its names, read again, it is another text")
        try require(PostNaming.named(named, people: ["a": 1]) == named, "named again, it is another text")
        try require(named.plain == text.plain, "names have changed its words")
        // Each mark of direction that begins is closed, and a block ends with a line.
        try require(
            text.plain.unicodeScalars.count <= 2 * sent.unicodeScalars.count, "more words than were sent")
    }
}
