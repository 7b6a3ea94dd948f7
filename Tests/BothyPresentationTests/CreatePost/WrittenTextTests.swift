import BothyContract
import BothyPresentation
import Testing

@Suite struct WrittenTextTests {
    @Test func anEditorsTextIsReadAsHTMLAndWhatAFieldHadAsMarkdown() {
        #expect(WrittenText.markdown("**a**").text?.html == "<p><strong>a</strong></p>")
        #expect(WrittenText.html("<p><b>a</b><script>x</script></p>").text?.html == "<p><strong>a</strong></p>")
        #expect(WrittenText.html("**a**").text?.html == "<p>**a**</p>")
    }

    @Test func whatIsDroppedIsNotMeasured() {
        let filler = String(repeating: "a", count: FeedLimits.maximumContentBytes)
        #expect(WrittenText.html("<p class=\"\(filler)\">a</p>").text?.html == "<p>a</p>")
        #expect(WrittenText.html("<p>\(filler)</p>").text == nil)
    }

    @Test func aPageGetsBackWhatWasUnderstood() {
        #expect(WrittenText.html("<p onclick=x>a<img src=y></p>").html == "<p>a</p>")
        #expect(WrittenText.markdown("a").html == nil && WrittenText.html("a").markdown.isEmpty)
    }
}
