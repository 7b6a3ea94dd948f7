import BothyClient
import BothyPresentation
import Testing

/// The switches for what a person is told of while they do not look.
@MainActor @Suite struct NoticesStateHolderTests {
    private let notices = MadeUpNotices()

    private func opened() async -> NoticesStateHolder {
        let holder = NoticesStateHolder(notices, words: .english)
        await holder.open()
        return holder
    }

    @Test func eachKindHasASwitch() async {
        notices.wanted = [.conflict, .signIn]
        let state = await opened().state
        #expect(state.standing == .shown && state.switches.map(\.kind) == NoticeKind.allCases)
        #expect(state.switches.filter(\.isOn).map(\.title) == ["Conflicts", "Sign in again"])
        #expect(!state.needsBrowser && state.place.contains("desktop"))
    }

    @Test func withoutADesktopABrowserMayShowThem() async {
        notices.hasDesktop = false
        let state = await opened().state
        #expect(state.needsBrowser && state.place.contains("browser"))
    }

    @Test func whatIsChosenIsKept() async {
        let holder = await opened()
        await holder.set([.update])
        #expect(notices.wanted == [.update] && holder.state.notice?.tone == .plain)
        #expect(holder.state.switches.filter(\.isOn).map(\.kind) == [.update])
    }

    @Test func aFailureIsSaidAndChangesNothing() async {
        notices.wanted = [.held]
        let holder = await opened()
        notices.failure = ClientFailure(.diskFull, "There is no room.")
        await holder.set([])
        #expect(holder.state.notice?.text == "There is no room.")
        #expect(holder.state.switches.filter(\.isOn).map(\.kind) == [.held])
        guard case .failed(let notice) = await opened().state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(notice.text == "There is no room.")
    }

    @Test(
        arguments: [
            (
                DeviceNotice(.conflict, name: "a\u{202E}"),
                "“a⟨U+202E⟩” was changed here and elsewhere."
            ),
            (
                DeviceNotice(.conflict, count: 3, name: "a"),
                "“a” and 2 more were changed here and elsewhere."
            ),
            (DeviceNotice(.held, name: "docs"), "“docs” is held back until you decide."),
            (DeviceNotice(.failed, count: 2, name: "x"), "“x” and 1 more need attention."),
            (DeviceNotice(.update, name: "b.txt"), "“b.txt” has changed."),
        ])
    func aNoticeSaysWhatItIsAbout(_ notice: DeviceNotice, _ text: String) {
        #expect(Words.english.notice(notice).text == text)
        #expect(!Words.english.notice(DeviceNotice(.signIn)).text.contains("#"))
    }
}

@MainActor final class MadeUpNotices: DeviceNotices {
    var wanted = Set<NoticeKind>()
    var hasDesktop = true
    var failure: ClientFailure?

    func kinds() async throws -> Set<NoticeKind> {
        if let failure { throw failure }
        return wanted
    }

    func set(_ kinds: Set<NoticeKind>) async throws {
        if let failure { throw failure }
        wanted = kinds
    }

    func reachesDesktop() async -> Bool { hasDesktop }
    func untold() async -> AsyncStream<DeviceNotice> { AsyncStream { $0.finish() } }
}
