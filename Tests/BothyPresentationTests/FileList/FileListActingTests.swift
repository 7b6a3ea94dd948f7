import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

/// What a person does shows at once, and is put back in words where it is refused.
@MainActor @Suite struct FileListActingTests {
    private let folders = MadeUpFolders()

    private func opened() async -> FileListStateHolder {
        let clock = PersonsClock(now: Timestamp(seconds: 0), zone: .gmt)
        let holder = FileListStateHolder(.root, folders: folders, actions: folders, words: .english, clock: clock)
        await holder.open()
        return holder
    }

    @Test func whatIsRefusedIsPutBackAndSaid() async {
        let ids = ["a", "b", "c"].map { folders.put($0) }
        let holder = await opened()
        let before = holder.state.rows
        #expect(await !holder.rename(ids[0], to: "b"))
        #expect(holder.state.rows == before)
        #expect(holder.state.notice?.tone == .failure)
        #expect(holder.state.notice?.text.contains("“b”") == true)
        folders.fail(with: ClientFailure(.serverBusy, "The server is busy."))
        await holder.trash([ids[1]])
        #expect(holder.state.rows == before && holder.state.total == 3 && holder.state.undo == nil)
        await holder.star(true, ids)
        #expect(holder.state.rows == before)
        #expect(holder.state.notice?.text == "The server is busy.")
    }

    @Test func trashingShowsAtOnceAndCanBeTakenBack() async throws {
        let ids = ["a", "b", "c"].map { folders.put($0) }
        let holder = await opened()
        await holder.selectAll()
        await holder.trash([ids[0], ids[2]])
        #expect(holder.state.rows.map(\.name) == ["b"] && holder.state.total == 1)
        #expect(holder.state.selection == [ids[1]])
        #expect(holder.state.notice?.text == "2 items were moved to the trash.")
        #expect(holder.state.undo == .untrash([ids[0], ids[2]]))
        await holder.untrash([ids[0], ids[2]])
        #expect(holder.state.undo == nil)
        #expect(try await folders.window(of: .root, order: .name, 0..<9).items.count == 3)
    }

    @Test func whatOthersPutIntoAFolderSinceItWasShownKeepsItAndTheRestGoes() async throws {
        let (docs, file) = (folders.put("docs", isFolder: true), folders.put("a"))
        let holder = await opened()
        let shown = try #require(holder.mark)
        folders.putElsewhere("theirs", in: docs)
        await holder.trash([docs, file])
        #expect(holder.state.rows.map(\.name) == ["docs"] && holder.state.undo == .untrash([file]))
        #expect(holder.state.notice?.tone == .failure)
        // The browser says what its page has shown, of which the server holds nothing between two questions.
        let now = await opened()
        await now.trash([docs], seen: shown)
        #expect(now.state.rows.map(\.name) == ["docs"] && now.state.undo == nil)
        await now.trash([docs])
        #expect(now.state.rows.isEmpty && now.state.undo == .untrash([docs]))
    }

    @Test func whatPartlyFailsPutsBackWhatFailedWhereItWas() async {
        let ids = ["a", "b", "c"].map { folders.put($0) }
        let holder = await opened()
        await holder.trash([ids[0], ItemID("nobody"), ids[2]])
        #expect(holder.state.rows.map(\.name) == ["b"])
        #expect(holder.state.undo == .untrash([ids[0], ids[2]]))
        #expect(holder.state.notice?.tone == .failure)
    }

    @Test func aNewNameShowsBeforeTheServerHasIt() async {
        let id = folders.put("a")
        let holder = await opened()
        #expect(await holder.rename(id, to: "z\u{202E}"))
        #expect(holder.state.rows.map(\.name) == ["z⟨U+202E⟩"])
        #expect(!holder.state.rows[0].isWaiting)
    }

    @Test func whatIsDeletedWhileItsNewNameIsTypedIsNotRenamedAndSaysSo() async throws {
        let ids = ["a", "b"].map { folders.put($0) }
        let holder = await opened()
        try await folders.trash(ids[0])
        for id in [ids[0], ItemID("nobody")] {
            #expect(await !holder.rename(id, to: "z"))
            #expect(holder.state.notice?.text.hasPrefix("It was not renamed, as it was deleted meanwhile") == true)
        }
        #expect(try await folders.untrash(ids[0]).name == "a")
    }

    @Test func aMoveCanBeTakenBack() async throws {
        let (docs, id) = (folders.put("docs", isFolder: true), folders.put("a"))
        let holder = await opened()
        await holder.move([id], to: docs)
        #expect(holder.state.undo == .move([id], from: docs))
        let there = FileListStateHolder(
            docs, folders: folders, actions: folders, words: .english,
            clock: PersonsClock(now: Timestamp(seconds: 0), zone: .gmt))
        await there.open()
        await there.move([id], to: .root)
        #expect(try await folders.window(of: .root, order: .name, 0..<9).items.map(\.name) == ["docs", "a"])
    }

    @Test func ofManyThatAreDoneSideBySideWhatFailedIsToldInTheirOrder() async {
        let ids = (0..<300).map { folders.put("file \($0)") }
        let holder = await opened()
        let mixed = ids.enumerated().map { $0.offset % 7 == 3 ? ItemID("nobody \($0.offset)") : $0.element }
        await holder.trash(mixed)
        #expect(holder.state.undo == .untrash(mixed.filter { !$0.text.hasPrefix("nobody") }))
        #expect(holder.state.notice?.tone == .failure)
    }

    @Test func movingIntoTheSameFolderIsNothing() async {
        let id = folders.put("a")
        let holder = await opened()
        await holder.move([id], to: .root)
        #expect(holder.state.rows.count == 1 && holder.state.notice == nil)
    }

    @Test func aPickerShowsFoldersAloneAndClosesWhatIsMoved() async {
        let docs = folders.put("docs", isFolder: true)
        folders.put("a.txt")
        folders.put("pictures", isFolder: true)
        let picker = FolderPickerStateHolder(
            .root, moving: [docs], heading: "Move 1 item", folders: folders, words: .english)
        await picker.open()
        #expect(picker.state.choices.map(\.name) == ["docs", "pictures"])
        #expect(picker.state.choices.map(\.isClosed) == [true, false])
        #expect(picker.state.above == nil && picker.state.title == "Files")
        let inner = FolderPickerStateHolder(docs, moving: [], heading: "", folders: folders, words: .english)
        await inner.open()
        #expect(inner.state.above == .root && inner.state.choices.isEmpty)
    }
}
