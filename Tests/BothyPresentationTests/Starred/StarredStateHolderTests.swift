import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

@MainActor @Suite struct StarredStateHolderTests {
    private let folders = MadeUpFolders()

    private func opened(after place: String? = nil) async -> StarredStateHolder {
        let clock = PersonsClock(now: Timestamp(seconds: 86_400), zone: .gmt)
        let holder = StarredStateHolder(folders.stars, actions: folders, words: .english, clock: clock)
        await holder.open(after: place)
        return holder
    }

    private func starred(_ name: String, in folder: ItemID = .root) async throws -> ItemID {
        try await folders.setStarred(true, folders.put(name, text: [1, 2], in: folder)).id
    }

    @Test func whereNothingHasAStarItSaysSo() async {
        folders.put("plain")
        #expect(await opened().state.isEmpty)
    }

    @Test func eachSaysWhereItLies() async throws {
        _ = try await starred("a\u{202E}", in: folders.put("Letters", isFolder: true))
        let row = try #require(await opened().state.rows.first)
        #expect(row.name == "a⟨U+202E⟩" && row.place == "Files / Letters" && row.size == "2 B" && !row.isFolder)
        #expect(row.whereabouts == nil)
    }

    @Test func whatLosesItsStarLeavesTheListAndNothingElse() async throws {
        let ids = [try await starred("a"), try await starred("b")]
        let holder = await opened()
        await holder.takeStarAway(from: ids[0])
        #expect(holder.state.rows.map(\.name) == ["b"] && holder.state.notice?.text == "“a” is no longer starred.")
        #expect(try await folders.item(ids[0]).starred == false)
    }

    @Test func whatIsRefusedIsSaidAndStays() async throws {
        let id = try await starred("a")
        let holder = await opened()
        folders.fail(with: ClientFailure(.offline, "Nobody answers."))
        await holder.takeStarAway(from: id)
        #expect(holder.state.rows.map(\.name) == ["a"] && holder.state.notice?.tone == .failure)
        guard case .failed = await opened().state.standing else { return _ = Issue.record("shown without a list") }
    }

    @Test func aLongListGoesPageByPage() async throws {
        for number in 0...StarredStateHolder.pageSize { _ = try await starred("\(number)") }
        let first = await opened().state
        #expect(first.rows.count == StarredStateHolder.pageSize && first.rows.first?.name == "0")
        let second = await opened(after: first.next).state
        #expect(second.rows.map(\.name) == ["\(StarredStateHolder.pageSize)"] && second.next == nil)
    }
}
