import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct StorageStateHolderTests {
    private func opened(
        _ settings: MadeUpSettings, used: Int64 = 250, limit: Int64? = 1000
    ) async -> StorageState {
        let holder = StorageStateHolder(settings, quota: .init(used: used, limit: limit), words: .english)
        await holder.open()
        return holder.state
    }

    @Test func theLargestPartComesFirstAndKindsAreJoined() async {
        var use = StorageUse()
        use.files = [
            "image/png": .init(count: 1, bytes: 100), "image/jpeg": .init(count: 2, bytes: 300),
            "text/plain": .init(count: 1, bytes: 10),
        ]
        use.trash = .init(count: 1, bytes: 90)
        let state = await opened(MadeUpSettings(use: use))
        #expect(state.parts.map(\.name) == ["Picture", "Trash", "Text"] && state.parts.map(\.percent) == [80, 18, 2])
        #expect(state.parts[0].count == "3 items" && state.trash?.size == "90 B")
        #expect(state.used == "250 B of 1 kB used" && state.share == 25)
        #expect(state.together == "500 B in total." && !state.lacksVersions)
    }

    @Test func whatPostsKeepOfDeletedFilesTakesRoom() async {
        var use = StorageUse()
        use.files = ["text/plain": .init(count: 1, bytes: 10)]
        use.posts = .init(count: 2, bytes: 30)
        let state = await opened(MadeUpSettings(use: use))
        #expect(state.parts.map(\.name) == ["In posts, from deleted files", "Text"])
        #expect(state.together == "40 B in total.")
    }

    @Test func whatOnlyTheServerKnowsIsSaidToBeMissing() async {
        var use = StorageUse()
        use.files = ["text/plain": .init(count: 1, bytes: 10)]
        use.versions = nil
        let state = await opened(MadeUpSettings(use: use))
        #expect(state.lacksVersions && state.parts.map(\.name) == ["Text"] && state.together == "10 B in total.")
    }

    @Test(arguments: [(250, false), (909, false), (910, true), (1200, true)])
    func littleRoomIsSaidToBeLittle(used: Int64, isNearlyFull: Bool) async {
        #expect(await opened(MadeUpSettings(), used: used).isNearlyFull == isNearlyFull)
    }

    @Test func nothingIsSaidToBeNothing() async {
        let state = await opened(MadeUpSettings(), limit: nil)
        #expect(state.isEmpty && state.share == nil && state.trash == nil)
    }

    @Test func whatCannotBeCountedSaysWhy() async {
        let state = await opened(MadeUpSettings(failure: ClientFailure(.serverBusy, "The server is busy.")))
        guard case .failed = state.standing else {
            Issue.record("it opened")
            return
        }
    }
}
