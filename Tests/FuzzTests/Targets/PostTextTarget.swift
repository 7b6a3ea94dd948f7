import BothyContract

extension FuzzTarget {
    /// The HTML of a post, as whoever posts sends it.
    static let postTexts = FuzzTarget(
        "post-texts",
        words: [
            "<p>", "</p>", "<b>", "<em>", "<a href=\"https://", "<a href='javascript:", "</a>", "<ul><li>", "<ol>",
            "<pre>",
            "<blockquote>", "<script>", "</script>", "<svg>", "<!--", "-->", "<br>", "&amp;", "&#x3c;", "&#", "&lt;",
            "<h1>", "=", "<u>", "<s>", "</u>", "</s>", "</li>", "</ul>", "#", "@a", " #a", "\u{2066}", "\u{2069}",
            "<a href=\"/people/1\" class=\"mention\">", "<a href=\"/feed/tags/a\" class=\"hashtag\">",
            "\"", "'", " on",
        ]
    ) { input in
        let text = PostText(html: String(decoding: input, as: UTF8.self))
        let html = text.html
        try require(PostText(html: html) == text, "read again, it is another text")
        let link = /<a href="(?:https:\/\/|http:\/\/|mailto:)[^"<>\s]+" rel="nofollow noopener noreferrer ugc">/
        let reference = /<a href="(?:\/people\/[0-9]+" class="mention|\/feed\/tags\/[0-9a-z_%A-F]+" class="hashtag)">/
        let tag = /<\/?(?:p|h[1-3]|blockquote|ul|ol|li|pre|strong|em|u|s|code|br|a)>/
        let rest = html.replacing(link, with: "").replacing(reference, with: "").replacing(tag, with: "")
        try require(!rest.contains("<") && !rest.contains(">"), "something else than a post may have")
        let (summary, isCut) = text.summary(length: 20)
        try require(isCut || summary == text, "a summary that is whole is another text")
        try require(
            PostLength.of(summary.plain) <= 21 + summary.blocks.count + 8, "a summary that is longer than was asked")
        let named = PostNaming.named(text, people: ["a": 1])
        try require(PostText(html: named.html) == named, "with its names, read again, it is another text")
        try require(PostNaming.named(named, people: ["a": 1]) == named, "named again, it is another text")
        try require(named.plain == text.plain, "names have changed its words")
    }
}
