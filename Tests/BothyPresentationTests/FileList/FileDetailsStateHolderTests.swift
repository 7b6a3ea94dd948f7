import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

/// What there is to know of one thing.
@MainActor @Suite struct FileDetailsStateHolderTests {
    private let folders = MadeUpFolders()

    private func opened(_ id: ItemID, _ transfers: (any DeviceTransfers)? = nil) async -> FileDetailsState {
        let holder = FileDetailsStateHolder(
            id, folders: folders, transfers: transfers, words: .english,
            clock: PersonsClock(now: Timestamp(seconds: 0), zone: .gmt))
        await holder.open()
        return holder.state
    }

    private func change(
        _ id: ItemID, _ state: DeviceTransfer.State, failure: ClientFailure? = nil
    ) -> DeviceTransfer {
        DeviceTransfer(
            id: "c1", item: id, deed: .rename(to: "b.txt"), name: "b.txt", state: state, failure: failure,
            since: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0), isChange: true)
    }

    @Test func itSaysWhatAFileIsAndWhereItLies() async {
        let docs = folders.put("docs", isFolder: true)
        let file = folders.put("a.txt", text: Array("hello".utf8), in: docs)
        let state = await opened(file)
        #expect(state.standing == .shown && state.name == "a.txt" && state.waiting == nil)
        #expect(state.facts.map(\.text) == ["Text (text/plain)", "Files / docs", "5 B", "1 Jan 1970, 00:00"])
        #expect(await opened(docs).facts.map(\.text) == ["Folder", "Files", "1 item", "1 Jan 1970, 00:00"])
    }

    @Test func whatWaitsSaysForWhatAndWhatToDo() async {
        let file = folders.put("a.txt")
        let offline = await opened(file, MadeUpTransfers(change(file, .paused(.offline))))
        #expect(offline.waiting?.text == "Rename to “b.txt”: Waiting for a connection")
        #expect(offline.waiting?.asks == false && offline.waiting?.place == .transfers)
        let refused = ClientFailure(.nameConflict, "The name is taken.", remedy: "Choose another.")
        let failed = await opened(
            file, MadeUpTransfers(change(file, .paused(.offline)), change(file, .failed, failure: refused)))
        #expect(failed.waiting?.text == "Rename to “b.txt”: The name is taken.", "the one that asks comes first")
        #expect(failed.waiting?.advice == "Choose another." && failed.waiting?.asks == true)
        #expect(await opened(file, MadeUpTransfers(change(file, .conflict))).waiting?.place == .conflicts)
        #expect(await opened(file, MadeUpTransfers(change(ItemID("other"), .failed))).waiting == nil)
        #expect(await opened(file, MadeUpTransfers(change(file, .done))).waiting == nil)
    }

    @Test func whatIsNotThereSaysSo() async {
        guard case .failed(let notice) = await opened(ItemID("nobody")).standing else {
            Issue.record("it opened")
            return
        }
        #expect(notice.tone == .failure)
    }
}
