import BothyClient
import BothyContract
import BothyPresentation
import Testing

/// What an account answers in tests of its screens.
struct MadeUpSettings: AccountSettings {
    var known = [SignedInDevice]()
    var use = StorageUse()
    var failure: ClientFailure?

    private func check() throws { if let failure { throw failure } }

    func devices() async throws -> [SignedInDevice] {
        try check()
        return known
    }

    func signOut(_ device: String) async throws {
        try check()
        guard known.contains(where: { $0.id == device }) else { throw ClientFailure(.notFound, "It is not signed in.") }
    }

    func signOutOthers() async throws -> Int {
        try check()
        return known.count { !$0.isThis }
    }

    func changePassword(from old: String, to new: String, by visitor: BrowserVisitor) async throws {
        try check()
        guard old == "right" else { throw ClientFailure(.wrongCredentials, "The current password is wrong.") }
    }

    func storage(largest: Int) async throws -> StorageUse {
        try check()
        return use
    }
}

@MainActor @Suite struct SettingsStateHolderTests {
    private let visitor = BrowserVisitor(network: "127.0.0.1", isLocal: true, name: "Test")

    private func opened(failure: ClientFailure? = nil) async -> SettingsStateHolder {
        let devices = [("a", "Firefox on Linux", "web"), ("b", "laptop\u{202E}", "linux"), ("c", "phone", "ios")]
        let settings = MadeUpSettings(
            known: devices.map {
                SignedInDevice(
                    id: $0.0, name: $0.1, platform: $0.2, lastSeenAt: Timestamp(seconds: 60), isThis: $0.0 == "a")
            }, failure: failure)
        let holder = SettingsStateHolder(
            settings, email: "me@example.org", words: .english,
            clock: PersonsClock(now: Timestamp(seconds: 90), zone: .gmt))
        await holder.open()
        return holder
    }

    @Test func devicesSayWhatTheyAreAndWhenTheyWereSeen() async {
        let state = await opened().state
        #expect(state.devices.map(\.name) == ["Firefox on Linux", "laptop⟨U+202E⟩", "phone"])
        #expect(state.devices[1].about == "linux, seen 00:01" && state.hasOthers)
        // A browser is not told of again after it came in.
        #expect(state.devices[0].about == "web, signed in 00:01")
    }

    @Test func oneIsSignedOutAndThenAllOthers() async {
        let holder = await opened()
        await holder.signOut("b")
        #expect(holder.state.devices.map(\.id) == ["a", "c"])
        #expect(holder.state.notice?.text == "1 device was signed out.")
        await holder.signOut("nobody")
        #expect(holder.state.notice?.tone == .failure && holder.state.devices.count == 2)
        await holder.signOutOthers()
        #expect(holder.state.devices.map(\.id) == ["a"] && !holder.state.hasOthers)
    }

    @Test func aPasswordIsChangedByWhoKnowsTheOldOne() async {
        let holder = await opened()
        await holder.changePassword(from: "wrong", to: "new password", by: visitor)
        #expect(holder.state.notice?.text == "The current password is wrong." && holder.state.notice?.tone == .failure)
        #expect(holder.state.devices.count == 3)
        await holder.changePassword(from: "right", to: "new password", by: visitor)
        #expect(holder.state.notice?.tone == .plain && holder.state.devices.count == 1)
    }

    @Test(arguments: [FailureCode.offline, .signInNeeded])
    func whatIsKnownIsShownWhereTheServerSaysNothing(_ code: FailureCode) async {
        let state = await opened(failure: ClientFailure(code, "There is no connection.")).state
        #expect(state.standing == .shown && state.email == "me@example.org" && state.devices.isEmpty)
        let lead = code == .offline ? "This needs a connection. " : ""
        #expect(state.away?.text == lead + "There is no connection.")
        #expect(await opened().state.away == nil)
    }

    @Test func whatCannotBeReadSaysWhy() async {
        let state = await opened(failure: ClientFailure(.serverBusy, "The server is busy.")).state
        guard case .failed(let notice) = state.standing else {
            Issue.record("it opened")
            return
        }
        #expect(notice.text == "The server is busy.")
    }
}
