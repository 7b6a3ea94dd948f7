import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

@MainActor @Suite struct TrashStateHolderTests {
    private let folders = MadeUpFolders()

    private func opened() async -> TrashStateHolder {
        let clock = PersonsClock(now: Timestamp(seconds: 86_400), zone: .gmt)
        let holder = TrashStateHolder(folders, words: .english, clock: clock)
        await holder.open()
        return holder
    }

    private func thrownAway(_ names: String...) async throws -> [ItemID] {
        let ids = names.map { folders.put($0) }
        for id in ids { try await folders.trash(id) }
        return ids
    }

    @Test func anEmptyTrashSaysSo() async {
        #expect(await opened().state.isEmpty)
    }

    @Test func eachSaysWhereItWasAndWhenItGoes() async throws {
        _ = try await thrownAway("a\u{202E}")
        let row = try #require(await opened().state.rows.first)
        #expect(row.name == "a⟨U+202E⟩" && row.place == "Files" && row.stay == "put here 1 Jan, goes in 29 days")
    }

    @Test func whatIsBroughtBackIsThereAgain() async throws {
        let ids = try await thrownAway("a", "b")
        let holder = await opened()
        await holder.bringBack([ids[0]])
        #expect(holder.state.rows.map(\.name) == ["b"] && holder.state.total == 1)
        #expect(holder.state.notice?.text == "1 item was restored.")
        #expect(try await folders.item(ids[0]).name == "a")
    }

    @Test func whatWasBroughtBackMeanwhileIsNotDeleted() async throws {
        let ids = try await thrownAway("a", "b")
        let holder = await opened()
        _ = try await folders.untrash(ids[1])
        await holder.deleteForGood(ids)
        #expect(holder.state.notice?.tone == .failure && holder.state.rows.map(\.name) == ["b"])
        #expect(try await folders.item(ids[1]).name == "b")
        await holder.open()
        #expect(holder.state.isEmpty)
    }

    /// What a person takes for all was the first thousand.
    @Test func allIsAllHoweverMuchItIs() async throws {
        let count = TrashStateHolder.largestPage + 5
        let ids = (0..<count).map { folders.put("f\($0)") }
        for id in ids { try await folders.trash(id) }
        let holder = await opened()
        #expect(holder.state.total == count)
        await holder.bringBackAll(until: Timestamp(seconds: 86_400), but: [ids[3]])
        #expect(holder.state.notice?.text == "1,004 items were restored.")
        await holder.open()
        #expect(holder.state.rows.map(\.id) == [ids[3]])
        await holder.deleteAllForGood(until: Timestamp(seconds: 86_400))
        await holder.open()
        #expect(holder.state.isEmpty)
    }

    @Test func whatWasDeletedForGoodMeanwhileSaysSo() async throws {
        let ids = try await thrownAway("a")
        let holder = await opened()
        try await folders.deleteForGood(ids[0])
        await holder.bringBack(ids)
        #expect(holder.state.notice?.text.hasPrefix("It is no longer in the trash") == true)
        #expect(holder.state.notice?.tone == .failure)
    }

    @Test func emptyingLeavesNothing() async throws {
        _ = try await thrownAway("a", "b", "c")
        let holder = await opened()
        await holder.empty(until: Timestamp(seconds: 86_400))
        #expect(holder.state.isEmpty && holder.state.total == 0)
        #expect(holder.state.notice?.text == "3 items were deleted for good.")
    }

    @Test func nothingChosenIsSaidAndAFailureIsToo() async throws {
        let ids = try await thrownAway("a")
        let holder = await opened()
        await holder.bringBack([])
        #expect(holder.state.notice == Notice("Choose something first.", tone: .failure))
        folders.fail(with: ClientFailure(.serverBusy, "The server is busy."))
        await holder.deleteForGood(ids)
        #expect(holder.state.rows.count == 1 && holder.state.notice?.text == "The server is busy.")
        guard case .failed(let notice) = await opened().state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(notice.text == "The server is busy.")
    }
}
