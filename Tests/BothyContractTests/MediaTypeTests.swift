import BothyContract
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("notes.txt", "text/plain"), ("IMG_0001.JPG", "image/jpeg"), ("report.final.pdf", "application/pdf"),
        ("archive.tar.gz", "application/gzip"), ("наш фильм.mkv", "video/matroska"), ("a.b\u{301}.png", "image/png"),
    ])
    func theEndOfANameSaysIt(_ name: String, _ type: String) { #expect(MediaType.of(name) == type) }

    @Test(arguments: ["", ".", "..", "README", ".png", "png", "a.", "a.unheard-of", "a.png ", "a.\u{301}png"])
    func whatSaysNothingHasNone(_ name: String) { #expect(MediaType.of(name) == nil) }
}
