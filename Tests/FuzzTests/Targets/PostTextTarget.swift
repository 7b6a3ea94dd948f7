import BothyContract

extension FuzzTarget {
    /// The HTML of a post, as whoever posts sends it.
    static let postTexts = FuzzTarget(
        "post-texts",
        words: [
            "<p>", "</p>", "<b>", "<em>", "<a href=\"https://", "<a href='javascript:", "</a>", "<ul><li>", "<ol>",
            "<pre>",
            "<blockquote>", "<script>", "</script>", "<svg>", "<!--", "-->", "<br>", "&amp;", "&#x3c;", "&#", "&lt;",
            "<h1>", "=",
            "\"", "'", " on",
        ]
    ) { input in
        let text = PostText(html: String(decoding: input, as: UTF8.self))
        let html = text.html
        try require(PostText(html: html) == text, "read again, it is another text")
        let link = /<a href="(?:https:\/\/|http:\/\/|mailto:)[^"<>\s]+" rel="nofollow noopener noreferrer">/
        let tag = /<\/?(?:p|h[1-3]|blockquote|ul|ol|li|pre|strong|em|code|br|a)>/
        let rest = html.replacing(link, with: "").replacing(tag, with: "")
        try require(!rest.contains("<") && !rest.contains(">"), "something else than a post may have")
        let (summary, isCut) = text.summary(length: 20)
        try require(isCut || summary == text, "a summary that is whole is another text")
        try require(
            summary.blocks.reduce(0) { $0 + $1.plain.unicodeScalars.count } <= 21,
            "a summary that is longer than was asked")
    }
}
