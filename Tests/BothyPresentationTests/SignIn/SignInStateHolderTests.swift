import BothyClient
import BothyContract
import BothyPresentation
import Testing

/// A server's door that lets in whom a test says.
struct MadeUpDoor: BrowserSessions {
    var hasNobody = false
    var failure: ClientFailure?

    private func check() throws { if let failure { throw failure } }

    func isFirst() async throws -> Bool {
        try check()
        return hasNobody
    }

    func signIn(email: String, password: String, by visitor: BrowserVisitor) async throws -> String {
        try check()
        guard password == "right" else { throw ClientFailure(.wrongCredentials, "The email or password is wrong.") }
        return "ticket of \(email) on \(visitor.name)"
    }

    func register(
        email: String, password: String, code: String?, by visitor: BrowserVisitor
    ) async throws -> String {
        try check()
        guard hasNobody || code == "invite" else { throw ClientFailure(.accountRefused, "An invite is needed.") }
        return "ticket of \(email) with \(code ?? "none")"
    }

    func enter(_ ticket: String) async throws -> BrowserAccount? { nil }
    func leave(_ ticket: String) async throws {}
}

@MainActor @Suite struct SignInStateHolderTests {
    private func holder(_ door: MadeUpDoor, _ mode: SignInState.Mode? = nil) -> SignInStateHolder {
        SignInStateHolder(
            door, visitor: BrowserVisitor(network: "127.0.0.1", isLocal: true, name: "Firefox on Linux"),
            words: .english, mode: mode)
    }

    @Test(
        arguments: [
            (true, nil, SignInState.Mode.createAccount), (false, nil, .signIn), (false, .createAccount, .createAccount),
            (true, .signIn, .signIn),
        ] as [(Bool, SignInState.Mode?, SignInState.Mode)])
    func theFirstPersonIsOfferedAnAccountAndOthersWhatTheyAskFor(
        _ isFirst: Bool, _ asked: SignInState.Mode?, _ shown: SignInState.Mode
    ) async {
        let holder = holder(MadeUpDoor(hasNobody: isFirst), asked)
        await holder.open()
        #expect(holder.state.mode == shown && holder.state.isFirst == isFirst && holder.state.notice == nil)
    }

    @Test func whoKnowsThePasswordGetsATicket() async {
        let holder = holder(MadeUpDoor())
        await holder.open()
        #expect(await holder.signIn(email: "me@example.org", password: "wrong") == nil)
        #expect(holder.state.notice == Notice("The email or password is wrong.", tone: .failure))
        #expect(holder.state.email == "me@example.org", "what was typed is kept")
        let ticket = await holder.signIn(email: "me@example.org", password: "right")
        #expect(ticket == "ticket of me@example.org on Firefox on Linux" && holder.state.notice == nil)
    }

    @Test func anAccountIsMadeByTheFirstPersonOrWithAnInvite() async {
        #expect(
            await holder(MadeUpDoor(hasNobody: true)).createAccount(email: "me@example.org", password: "p", code: nil)
                == "ticket of me@example.org with none")
        let later = holder(MadeUpDoor(), .createAccount)
        #expect(await later.createAccount(email: "me@example.org", password: "p", code: nil) == nil)
        #expect(later.state.notice?.text == "An invite is needed." && later.state.email == "me@example.org")
        #expect(await later.createAccount(email: "me@example.org", password: "p", code: "invite") != nil)
        #expect(later.state.notice == nil)
    }

    @Test func aServerThatFailsIsTold() async {
        let holder = holder(MadeUpDoor(failure: ClientFailure(.serverBusy, "The server is busy.")))
        await holder.open()
        #expect(holder.state.notice == Notice("The server is busy.", tone: .failure) && !holder.state.isFirst)
    }
}
