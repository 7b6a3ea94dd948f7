import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

@MainActor @Suite struct PreviewStateHolderTests {
    private let folders = MadeUpFolders()

    private func opened(_ id: ItemID) async -> PreviewState {
        let clock = PersonsClock(now: Timestamp(seconds: 0), zone: .gmt)
        let holder = PreviewStateHolder(id, folders: folders, words: .english, clock: clock)
        await holder.open()
        return holder.state
    }

    @Test func aTextIsShownAsFarAsItIsRead() async {
        let short = await opened(folders.put("a.txt", text: Array("hello".utf8)))
        #expect(short.content == .text("hello", isWhole: true))
        let long = Array(repeating: UInt8(ascii: "x"), count: PreviewStateHolder.mostText + 1)
        guard case .text(let text, isWhole: false) = await opened(folders.put("long.log", text: long)).content else {
            Issue.record("it is not said to be cut")
            return
        }
        #expect(text.utf8.count == PreviewStateHolder.mostText)
    }

    @Test func zeroBytesAreNoTextWhateverTheNameSays() async {
        #expect(await opened(folders.put("a.txt", text: [0x41, 0])).content == .none)
    }

    @Test(
        arguments: [
            ("a.png", "image/png", PreviewState.Content.image), ("a.svg", "image/svg+xml", .none),
            ("a.mp4", "video/mp4", .video), ("a.mkv", "video/x-matroska", .none), ("a.mp3", "audio/mpeg", .audio),
            ("a.png", "application/octet-stream", .image), ("a.mov", "application/octet-stream; x=1", .video),
            ("a.mov", "video/quicktime", .video), ("a.heic", "image/heic", .picture),
            ("a.pdf", "application/pdf", .pdf), ("a.zip", "application/zip", .none),
        ] as [(String, String, PreviewState.Content)])
    func onlyWhatABrowserShowsWithoutRunningItIsShown(
        _ name: String, _ type: String, _ content: PreviewState.Content
    ) async {
        #expect(await opened(folders.put(name, mimeType: type, text: [1])).content == content)
    }

    @Test(arguments: ["main.swift", "setup.py", "a.conf", "a.ini", "a.ts", "a.rs", "a.go", "a.c", "run.sh"])
    func sourceCodeIsShownWhoeverPutItThere(_ name: String) async {
        let state = await opened(folders.put(name, text: Array("let a = 1".utf8)))
        #expect(state.kind == .code && state.content == .text("let a = 1", isWhole: true))
    }

    @Test(
        arguments: [
            (Array("größer".utf8), "größer"), ([0xEF, 0xBB, 0xBF] + Array("größer".utf8), "größer"),
            ([0x67, 0x72, 0xF6, 0xDF, 0x65, 0x72], "größer"), ([0x31, 0x80], "1€"),
            ([0xFF, 0xFE, 0x67, 0x00, 0xF6, 0x00], "gö"), ([0xFE, 0xFF, 0x00, 0x67, 0x00, 0xF6], "gö"),
        ] as [([UInt8], String)])
    func aTextIsReadInTheEncodingThatItHas(_ bytes: [UInt8], _ text: String) async {
        #expect(await opened(folders.put("a.txt", text: bytes)).content == .text(text, isWhole: true))
    }

    @Test func aLetterThatTheEndOfWhatIsReadCutsThroughIsLeftOut() async {
        let filling = Array(repeating: UInt8(ascii: "x"), count: PreviewStateHolder.mostText - 1)
        guard
            case .text(let text, isWhole: false) = await opened(folders.put("a.txt", text: filling + Array("öö".utf8)))
                .content
        else {
            Issue.record("it is not shown")
            return
        }
        #expect(text.utf8.count == filling.count, "it is read as what it is, and not as Latin-1")
    }

    @Test(arguments: ["a.png", "a.mp4", "a.mp3", "a.pdf", "a.txt", "a.bin"])
    func whatIsElsewhereWithoutAConnectionSaysSoInItsPlace(_ name: String) async {
        let file = folders.put(name, text: [0x61])
        folders.withhold(file, ClientFailure(.offline, "There is no connection."))
        let state = await opened(file)
        #expect(state.standing == .shown && state.name == name)
        guard case .away(let notice) = state.content else {
            Issue.record("\(state.content)")
            return
        }
        #expect(notice.text == "There is no connection.")
    }

    @Test func aPageIsShownAsItsSource() async {
        let html = "<script>alert(1)</script>"
        let state = await opened(folders.put("a.html", mimeType: "text/html", text: Array(html.utf8)))
        #expect(state.content == .text(html, isWhole: true))
    }

    @Test func whatIsNotThereSaysSo() async {
        guard case .failed(_, isMissing: true) = await opened(ItemID("nobody")).standing else {
            Issue.record("it is not told")
            return
        }
        guard case .failed(_, isMissing: true) = await opened(folders.put("f", isFolder: true)).standing else {
            Issue.record("a folder is opened as a file")
            return
        }
    }
}
