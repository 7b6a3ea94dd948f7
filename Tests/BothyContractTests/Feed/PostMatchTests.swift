import BothyContract
import Testing

@Suite struct PostMatchTests {
    private func finds(_ typed: String, in html: String, warning: String? = nil) -> Bool? {
        PostMatch.typed(typed)?.finds(PostText(html: html), warning: warning)
    }

    @Test func everyWordBeginsAWordOfThePostOrOfItsWarning() {
        #expect(finds("HUT gla", in: "<p>The hut behind the <b>Glacier</b></p>") == true)
        #expect(finds("ut", in: "<p>The hut</p>") == false)
        #expect(finds("tells leav", in: "<p>She leaves</p>", warning: "Tells the end") == true)
        #expect(finds("tells", in: "<p>She leaves</p>") == false)
        #expect(finds("…", in: "<p>…</p>") == nil)
    }

    @Test func aLongWordCountsAsFarAsTheServersIndexHasIt() {
        let long = String(repeating: "a", count: NameWords.longestInText)
        #expect(finds(long + "b", in: "<p>\(long)c</p>") == true)
    }

    @Test func aTagIsNoBeginningOfOne() {
        let text = PostNaming.named(PostText(html: "<p>Up #Walking</p>"), people: [:])
        #expect(PostMatch.tag("walking").finds(text, warning: nil))
        #expect(!PostMatch.tag("walk").finds(text, warning: nil))
        #expect(!PostMatch.tag("walking").finds(PostText(html: "<p>walking</p>"), warning: "#walking"))
    }
}
