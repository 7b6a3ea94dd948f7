import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// Lets requests in: looks where they come from, who they are, and whether a form is one of ours, before a screen sees
/// them.
struct Door: Sendable {
    let tickets: any BrowserTickets
    let settings: WebSettings
    let writer: PageWriter
    let now: @Sendable () -> Timestamp

    func answer(_ screen: Screen, _ request: Request, _ caller: WebCaller) async throws -> Response {
        guard request.head.path?.first == "/" else {
            throw Problem(.malformedRequest, "Whole addresses are what proxies are asked for; this is none.")
        }
        guard var visit = visit(request, caller) else { return misdirected(request) }
        do {
            if let ticket = visit.cookies[Cookies.ticket] { visit.account = try await tickets.enter(ticket) }
            if screen.access == .signedIn, visit.account == nil { return try turnedAway(visit) }
            if screen.isOfFeed, visit.account?.hasFeed == false {
                throw ClientFailure(.notFound, visit.words[.feedOff])
            }
            if let device = visit.account?.device, !visit.wantsFragments, !visit.wantsData {
                let holder = await StandingStateHolder(
                    device.standing, words: visit.words, clock: visit.laterClock)
                await holder.open()
                visit.standing = await holder.state
            }
            if screen.body == .nothing { return try await screen.answer(visit, nil) }
            if screen.body == .key { return try await screen.answer(visit, try await FormBody.read(visit)) }
            guard isFromOurPage(visit) else { return try refusedForm(visit) }
            let form = screen.body == .form ? try await FormBody.read(visit) : nil
            let token = form?["token"] ?? request.headers[.formToken] ?? ""
            guard writer.tokens.isGood(token, visit: visit.mark, account: visit.account?.deviceId) else {
                return try refusedForm(visit)
            }
            try checkPerson(form?["person"] ?? request.headers[.person], visit)
            return try await screen.answer(visit, form)
        } catch let failure as ClientFailure {
            return try refused(failure, visit)
        }
    }

    // MARK: - Looking

    /// - Returns: nil for a request to a name that is not this server's.
    private func visit(_ request: Request, _ caller: WebCaller) -> Visit? {
        guard let authority = request.head.authority, let origin = settings.origin(ofHost: authority) else {
            return nil
        }
        let cookies = Cookies(request.headers, settings)
        let brought = cookies[Cookies.visit].flatMap { FormTokens.isVisit($0) ? $0 : nil }
        let (now, zone) = (now, zone(cookies[Cookies.zone]))
        return Visit(
            request: request, caller: caller, origin: origin, cookies: cookies,
            mark: brought ?? FormTokens.newVisit(), words: .english, clock: PersonsClock(now: now(), zone: zone),
            laterClock: { PersonsClock(now: now(), zone: zone) }, account: nil)
    }

    /// As the browser says, since only it knows; else that of this machine, where the browser is on it, or UTC.
    private func zone(_ name: String?) -> TimeZone {
        guard let name, name.utf8.count <= 60, let zone = TimeZone(identifier: name.replacing("%2F", with: "/")) else {
            return settings.loopbackPort == nil ? .gmt : .current
        }
        return zone
    }

    /// Every browser of today says where a form was sent from; one that does not say is believed for its token alone.
    private func isFromOurPage(_ visit: Visit) -> Bool {
        if let origin = visit.request.headers[.origin] { return origin.lowercased() == visit.origin }
        guard let site = visit.request.headers[.fetchSite] else { return true }
        return site == "same-origin"
    }

    /// A request that a page sends by itself gets a new token where its own is old. That is no leave to do it for somebody else, who has
    /// signed in to this browser meanwhile.
    ///
    /// - Parameter person: whose page it says it is of; nil where it does not say.
    /// - Throws: `refused` where that is not who is signed in.
    private func checkPerson(_ person: String?, _ visit: Visit) throws(ClientFailure) {
        guard let person, person != visit.account.map({ String($0.user.id) }) else { return }
        throw ClientFailure(.refused, visit.words[.formOfAnother]).with {
            $0.status = HTTPResponse.Status.conflict.code
        }
    }

    // MARK: - Refusing

    private func turnedAway(_ visit: Visit) throws -> Response {
        if visit.wantsData {
            let words = visit.words
            let failure = ClientFailure(.signInNeeded, words[.signedOutNotice], remedy: words[.signInAgain])
            return try writer.data(Refusal(failure, words), visit: visit, status: .unauthorized)
        }
        if visit.wantsEvents {
            let headers = writer.headers(visit)
            return EventResponse.make(visit.request, headers: headers) { tell in try tell(.signedOut) }
        }
        if visit.request.method == .get, visit.wantsFragments { return Response(status: .noContent) }
        let here = visit.request.method == .get ? visit.request.uri.string : Destination.home.link
        let place = here == Destination.home.link ? Destination.signIn.link : SignInRoutes.link(then: here)
        let cookies = visit.cookies[Cookies.ticket] == nil ? [] : [visit.cookies.forgetting(Cookies.ticket)]
        return writer.redirect(to: place, visit: visit, cookies: cookies)
    }

    private func refusedForm(_ visit: Visit) throws -> Response {
        let words = visit.words
        // Every page gives one along: who brings none keeps none.
        let reason = words[visit.cookies[Cookies.visit] == nil ? .cookiesNeeded : .formOld]
        if visit.wantsData {
            // The script asks for a new token once, and comes again.
            let failure = ClientFailure(.signInNeeded, reason, remedy: words[.signInAgain])
            return try writer.data(Refusal(failure, words), visit: visit, status: .forbidden)
        }
        if visit.wantsFragments {
            return writer.fragments(
                writer.toast(Notice(reason, tone: .failure), visit), visit: visit, status: .forbidden)
        }
        return writer.message(words[.failedTitle], reason, visit: visit, status: .forbidden)
    }

    private func refused(_ failure: ClientFailure, _ visit: Visit) throws -> Response {
        let status = failure.answer
        let words = visit.words
        if visit.wantsData { return try writer.data(Refusal(failure, words), visit: visit, status: status) }
        if visit.wantsFragments {
            return writer.fragments(writer.toast(words.failure(failure), visit), visit: visit, status: status)
        }
        let notice = words.failure(failure)
        let heading = words[notice.needsConnection ? .connectionNeeded : .failedTitle]
        return writer.message(heading, notice.text, visit: visit, status: status)
    }

    /// Says nothing of what lies here: a request under another's name may come from anyone's page.
    private func misdirected(_ request: Request) -> Response {
        let words = Words.english
        return Response(
            status: .misdirectedRequest, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: .init(string: "\(words[.wrongHostTitle]). \(words[.wrongHostLead])\n")))
    }
}
