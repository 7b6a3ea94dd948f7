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

    @Test(arguments: [
        ("README", "text/plain"), ("Makefile", "text/x-makefile"), ("LICENSE", "text/plain"),
        (".gitignore", "text/x-conf"),
        ("Dockerfile", "text/x-dockerfile"), ("readme", "text/plain"),
    ])
    func aWholeNameSaysIt(_ name: String, _ type: String) { #expect(MediaType.of(name) == type) }

    @Test(arguments: [
        // What browsers say of common files, each by a list of its own.
        ("song.m4a", "audio/x-m4a", "audio/mp4"), ("list.yaml", "application/x-yaml", "application/yaml"),
        ("run.sh", "application/x-sh", "text/x-shellscript"), ("run.sh", "text/x-sh", "text/x-shellscript"),
        ("dump.sql", "application/x-sql", "text/x-sql"), ("film.srt", "application/x-subrip", "text/x-subrip"),
        ("photo.jpg", "image/jpg", "image/jpeg"), ("beep.wav", "audio/x-wav", "audio/wav"),
        ("README", "", "text/plain"), ("Makefile", "application/octet-stream", "text/x-makefile"),
        ("Notes.md", "text/plain", "text/markdown"), ("main.py", "text/plain; charset=utf-8", "text/x-python"),
        ("index.ts", "video/mp2t", "text/x-typescript"), ("doc.pdf", "application/x-pdf", "application/pdf"),
        // What is known to be one thing is not made another by its name.
        ("photo.jpg", "image/png", "image/png"), ("page.txt", "text/html", "text/html"),
        ("photo.jpg", "text/plain", "text/plain"), ("thing", "application/x-unheard-of", "application/x-unheard-of"),
        ("notes", "text/plain", "text/plain"), ("data.bin", "IMAGE/JPG", "image/jpeg"),
    ])
    func browsersAreNotTakenAtTheirWord(_ name: String, _ said: String, _ type: String) {
        #expect(MediaType.told(said, named: name) == type)
    }

    @Test func aSpellingOfATextMayBeSearched() {
        for type in ["application/x-yaml", "application/x-sh", "application/x-subrip", "text/plain", ""] {
            #expect(MediaType.mayBeText(type), "\(type)")
        }
        #expect(!MediaType.mayBeText("image/jpg"))
    }

    @Test(arguments: ["", ".", "..", "READER", ".png", "png", "a.", "a.unheard-of", "a.png ", "a.\u{301}png"])
    func whatSaysNothingHasNone(_ name: String) { #expect(MediaType.of(name) == nil) }
}
