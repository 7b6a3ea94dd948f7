import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/sign-in`, `/sign-out`: coming in and going.
struct SignInRoutes: Sendable {
    let sessions: any BrowserSessions
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page(Destination.signIn.link, for: .anyone, show),
            .form(Destination.signIn.link, for: .anyone, come),
            .form("/sign-out", for: .anyone) { visit, _ in try await SigningOut.answer(visit, sessions, writer) },
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        if visit.account != nil { return writer.redirect(to: Self.then(visit.query("then")), visit: visit) }
        let mode: SignInState.Mode? = visit.query("new") == nil ? nil : .createAccount
        let holder = await SignInStateHolder(sessions, visitor: visit.visitor, words: visit.words, mode: mode)
        await holder.open()
        return page(await holder.state, then: visit.query("then"), visit, status: .ok)
    }

    @Sendable private func come(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let mode = SignInState.Mode(rawValue: form["mode"] ?? "") ?? .signIn
        let holder = await SignInStateHolder(sessions, visitor: visit.visitor, words: visit.words, mode: mode)
        await holder.open()
        let (email, password) = (form["email"] ?? "", form["password"] ?? "")
        let code = form["code"].flatMap { $0.isEmpty ? nil : $0 }
        let ticket =
            switch mode {
            case .signIn: await holder.signIn(email: email, password: password)
            case .createAccount: await holder.createAccount(email: email, password: password, code: code)
            }
        guard let ticket else {
            return page(await holder.state, then: form["then"], visit, status: .unprocessableContent)
        }
        // Another mark from here on: one that was planted before the sign-in is worth nothing after it.
        let mark = FormTokens.newVisit()
        return writer.redirect(
            to: Self.then(form["then"]), visit: visit,
            cookies: [
                visit.cookies.secret(Cookies.ticket, ticket, days: WebApp.ticketDays),
                visit.cookies.secret(Cookies.visit, mark, days: WebApp.ticketDays),
            ])
    }

    /// Only places of this app: a link must not lead a person elsewhere once they have signed in.
    private static func then(_ link: String?) -> String {
        (link.flatMap { Destination(link: $0) } ?? .home).link
    }

    private func page(
        _ state: SignInState, then: String?, _ visit: Visit, status: HTTPResponse.Status
    ) -> Response {
        let words = visit.words
        let isNew = state.mode == .createAccount
        var context: [String: Any] = [
            "isNew": isNew, "isFirst": state.isFirst, "email": state.email, "mode": state.mode.rawValue,
            "asksForCode": isNew && !(state.isFirst && visit.caller.isLocal), "then": then ?? "",
            "heading": words[isNew ? .createAccountTitle : .signInTitle],
            "lead": words[state.isFirst ? .createAccountLead : .signInLead],
            "submit": words[isNew ? .createAccount : .signIn],
        ]
        if let notice = state.notice { context["notice"] = notice.text }
        return writer.page(
            .signIn, context, title: words[isNew ? .createAccount : .signIn], visit: visit, status: status)
    }
}
