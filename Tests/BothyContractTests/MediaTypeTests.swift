import BothyContract
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("notes.txt", "text/plain"), ("IMG_0001.JPG", "image/jpeg"), ("report.final.pdf", "application/pdf"),
        ("archive.tar.gz", "application/gzip"), ("наш фильм.mkv", "video/matroska"), ("a.b\u{301}.png", "image/png"),
        ("main.swift", "text/x-swift"), ("Setup.PY", "text/x-python"), ("bothy.conf", "text/x-conf"),
        ("run.sh", "text/x-shellscript"), ("index.ts", "text/x-typescript"), ("holiday.mov", "video/quicktime"),
    ])
    func theEndOfANameSaysIt(_ name: String, _ type: String) { #expect(MediaType.of(name) == type) }

    @Test(arguments: ["", ".", "..", "README", ".png", "png", "a.", "a.unheard-of", "a.png ", "a.\u{301}png"])
    func whatSaysNothingHasNone(_ name: String) { #expect(MediaType.of(name) == nil) }
}
