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
            ("a.pdf", "application/pdf", .pdf), ("a.zip", "application/zip", .none),
        ] as [(String, String, PreviewState.Content)])
    func onlyWhatABrowserShowsWithoutRunningItIsShown(
        _ name: String, _ type: String, _ content: PreviewState.Content
    ) async {
        #expect(await opened(folders.put(name, mimeType: type, text: [1])).content == content)
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
