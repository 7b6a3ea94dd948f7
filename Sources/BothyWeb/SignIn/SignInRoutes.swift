import BothyClient
import BothyPresentation
import Foundation
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
                visit.cookies.secret(Cookies.known, ticket, days: WebApp.knownDays),
                visit.cookies.secret(Cookies.visit, mark, days: WebApp.ticketDays),
            ])
    }

    /// The way in that leads on to a place of this app, with all that was asked of it there.
    static func link(then place: String) -> String {
        Destination.signIn.link + "?then=" + (place.addingPercentEncoding(withAllowedCharacters: inQuery) ?? "")
    }

    /// Characters that stand for themselves in the value of a query (RFC 3986 §3.4); what a form would read otherwise is spelt.
    private static let inQuery = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "&+;="))

    /// Only places of this app: a link must not lead a person elsewhere once they have signed in.
    private static func then(_ link: String?) -> String {
        guard let link, let place = Destination(link: link), place != .signIn else { return Destination.home.link }
        // As long as addresses are in any browser, and what can stand in one line of an answer.
        let isAddress = link.utf8.count <= 2000 && link.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isAddress ? link : place.link
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
        let onward = then.flatMap { $0.isEmpty ? nil : Self.link(then: $0) }
        context["signInLink"] = onward ?? Destination.signIn.link
        context["createLink"] = onward.map { $0 + "&new=1" } ?? Destination.signIn.link + "?new=1"
        // The address stands there already, and is seldom what was wrong.
        context["beginsAtPassword"] = state.notice != nil && !isNew && !state.email.isEmpty
        if let notice = state.notice { context["notice"] = notice.text }
        return writer.page(
            .signIn, context, title: words[isNew ? .createAccount : .signIn], visit: visit, status: status)
    }
}
