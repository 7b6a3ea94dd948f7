import BothyClient
import BothyContract
import Testing

@testable import BothyPresentation

/// The account: coming in, its devices, its room, and what a person is told of.
extension OneCatalogueTests {
    private nonisolated static let visitor = BrowserVisitor(network: "127.0.0.1", isLocal: true, name: "ν")

    @Test func comingIn() async {
        for door in [MadeUpDoor(), MadeUpDoor(hasNobody: true), MadeUpDoor(failure: Self.refused)] {
            let holder = SignInStateHolder(door, visitor: Self.visitor, words: .marked)
            await holder.open()
            _ = await holder.signIn(email: "μ@ε", password: "wrong")
            expectMarked(holder.state, texts: 2)
            #expect(holder.state.notice != nil)
        }
        let holder = SignInStateHolder(MadeUpDoor(), visitor: Self.visitor, words: .marked)
        _ = await holder.createAccount(email: "μ@ε", password: "p", code: nil)
        expectMarked(holder.state, texts: 2)
    }

    @Test func theAccount() async {
        var settings = MadeUpSettings(
            known: ["a", "b"].map {
                SignedInDevice(id: $0, name: "λ", platform: "λ", lastSeenAt: Self.then, isThis: $0 == "a")
            })
        let holder = SettingsStateHolder(settings, email: "μ@ε", words: .marked, clock: Self.clock)
        await holder.open()
        expectMarked(holder.state, texts: 5)
        let acts: [() async -> Void] = [
            { await holder.signOutOthers() }, { await holder.signOut("b") }, { await holder.signOut("nobody") },
            { await holder.changePassword(from: "right", to: "p", by: Self.visitor) },
            { await holder.changePassword(from: "wrong", to: "p", by: Self.visitor) },
        ]
        for (number, act) in acts.enumerated() {
            await act()
            expectMarked(holder.state.notice as Any, texts: 1, "act \(number)")
        }
        for failure in [Self.refused, ClientFailure(.offline, "There is no connection.")] {
            settings.failure = failure
            let refused = SettingsStateHolder(settings, email: "μ@ε", words: .marked, clock: Self.clock)
            await refused.open()
            expectMarked(refused.state, texts: 3, "\(failure.code)")
        }
    }

    @Test func room() async {
        var use = StorageUse()
        let types = ["image/png", "video/mp4", "audio/mpeg", "text/plain", "application/zip", "ω/ω"]
        use.files = Dictionary(uniqueKeysWithValues: types.map { ($0, StorageUse.Part(count: 1, bytes: 1500)) })
        (use.versions, use.trash) = (.init(count: 2, bytes: 10), .init(count: 3, bytes: 10))
        use.posts = .init(count: 1, bytes: 10)
        use.largest = [
            FoundItem(
                item: FolderItem(id: ItemID("7"), name: "ω", mimeType: "ω/ω", size: 1500, modifiedAt: Self.then),
                folder: .root, above: ["δ"])
        ]
        for limit in [nil, 1_000_000] as [Int64?] {
            let quota = AboutResponse.Quota(used: 2500, limit: limit)
            let holder = StorageStateHolder(MadeUpSettings(use: use), quota: quota, words: .marked)
            await holder.open()
            expectMarked(holder.state, texts: 2 + 8 * 3 + 3)
            let refused = StorageStateHolder(MadeUpSettings(failure: Self.refused), quota: quota, words: .marked)
            await refused.open()
            expectMarked(refused.state, texts: 3)
        }
    }

    @Test(arguments: DeviceRest.allCases)
    func theSwitchesForTimesToRest(_ rest: DeviceRest) async {
        let rests = MadeUpRests()
        let holder = RestStateHolder(rest, rests, words: .marked)
        await holder.open()
        expectMarked(holder.state, texts: 3)
        for isResting in [true, false] {
            await holder.set(rests: isResting)
            expectMarked(holder.state.notice as Any, texts: 1)
        }
        rests.failure = Self.refused
        await holder.open()
        await holder.set(rests: true)
        expectMarked(holder.state, texts: 7)
    }

    @Test func theSwitchesForNotices() async {
        let notices = MadeUpNotices()
        for hasDesktop in [true, false] {
            notices.hasDesktop = hasDesktop
            let holder = NoticesStateHolder(notices, words: .marked)
            await holder.open()
            await holder.set([.conflict])
            expectMarked(holder.state, texts: NoticeKind.allCases.count + 2)
        }
        notices.failure = Self.refused
        let refused = NoticesStateHolder(notices, words: .marked)
        await refused.open()
        await refused.set([])
        expectMarked(refused.state, texts: 4)
    }
}
