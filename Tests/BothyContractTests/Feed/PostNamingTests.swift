import BothyContract
import Testing

@Suite struct PostNamingTests {
    @Test(arguments: [
        ("@anna", "<a href=\"/people/7\" class=\"mention\">@anna</a>"),
        ("hello @Anna.", "hello <a href=\"/people/7\" class=\"mention\">@Anna</a>."),
        ("(@anna, @ben)", "(<a href=\"/people/7\" class=\"mention\">@anna</a>, @ben)"),
        ("anna@anna.org @annab @@anna", "anna@anna.org @annab @@anna"),
        ("#Walk", "<a href=\"/feed/tags/walk\" class=\"hashtag\">#Walk</a>"),
        ("#walk-on", "<a href=\"/feed/tags/walk\" class=\"hashtag\">#walk</a>-on"),
        ("#H\u{FC}tte_2", "<a href=\"/feed/tags/h%C3%BCtte_2\" class=\"hashtag\">#H\u{FC}tte_2</a>"),
        ("#Hu\u{308}tte_2", "<a href=\"/feed/tags/h%C3%BCtte_2\" class=\"hashtag\">#Hu\u{308}tte_2</a>"),
        ("#1 a#b ##c &#d /#e # #- #\u{1F600}", "#1 a#b ##c &amp;#d /#e # #- #\u{1F600}"),
        ("#a#b", "<a href=\"/feed/tags/a\" class=\"hashtag\">#a</a>#b"),
        ("#日本", "<a href=\"/feed/tags/%E6%97%A5%E6%9C%AC\" class=\"hashtag\">#日本</a>"),
        ("<code>@anna #walk</code>", "<code>@anna #walk</code>"),
        ("<b>@anna</b>", "<a href=\"/people/7\" class=\"mention\"><strong>@anna</strong></a>"),
        ("x<b>@anna</b>", "x<strong>@anna</strong>"),
        ("<a class=mention href=/people/9>@anna</a>", "<a href=\"/people/7\" class=\"mention\">@anna</a>"),
        ("<a class=mention href=/people/9>Grace</a>", "Grace"),
    ])
    func namesAreReferencesWhereAWordBegins(html: String, named: String) {
        // `&#d` is no character reference.
        let text = PostText(html: html)
        #expect(PostNaming.named(text, people: ["anna": 7]).html == "<p>\(named)</p>")
    }

    @Test func codeAndLinksNameNobody() {
        for html in [
            "<pre>@anna #walk</pre>", "<p><a href=\"https://anna.org\" rel=\"\(PostLink.relation)\">@anna #a</a></p>",
        ] {
            #expect(PostNaming.named(PostText(html: html), people: ["anna": 7]).html == html)
        }
    }

    @Test func whoIsNamedIsListedOnceInOrder() {
        let text = PostText(html: "<p>@ben @Anna #b @anna #A #a</p><pre>@carl</pre>")
        #expect(PostNaming.handles(in: text) == ["ben", "anna"])
        let named = PostNaming.named(text, people: ["anna": 7, "ben": 8])
        #expect(named.mentioned == [8, 7] && named.tags == ["b", "a"])
    }

    @Test func aTextNamesNoMoreThanItMay() {
        let text = PostText(html: (0..<200).map { "@a\($0) #t\($0)" }.joined(separator: " "))
        #expect(PostNaming.handles(in: text).count == PostNaming.mostPeople)
        #expect(PostNaming.named(text, people: [:]).tags.count == PostNaming.mostTags)
    }

    @Test func aTagIsFoldedOnce() {
        for tag in ["Walk", "ＷＡＬＫ", "HU\u{308}TTE", "ſ", "İstanbul", "ﬁn", "ΣΊΣΥΦΟΣ", "क्षि", "a1_"] {
            guard let folded = PostTag.folded(tag) else { continue }
            #expect(PostTag.folded(folded) == folded)
        }
        #expect(PostTag.folded("ＷＡＬＫ") == "walk" && PostTag.folded("a b") == nil && PostTag.folded("") == nil)
        #expect(PostTag.folded(String(repeating: "a", count: 65)) == nil && PostTag.folded("12") == nil)
    }
}
