import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird
import NIOCore

/// Makes answers out of views.
struct PageWriter: Sendable {
    let views: Views
    let assets: Assets
    let tokens: FormTokens
    /// See ``InstallRoutes``.
    let isInstallable: Bool

    func headers(_ visit: Visit) -> HTTPFields {
        var headers = PageHeaders.fields(origin: visit.origin, assets: assets, isInstallable: isInstallable)
        if isInstallable {
            headers[.account] = visit.account?.deviceId ?? "-"
            headers[.person] = visit.account.map { String($0.user.id) }
        }
        return headers
    }

    /// A whole page.
    func page(
        _ view: Views.Name, _ context: [String: Any], title: String, visit: Visit, status: HTTPResponse.Status = .ok,
        cookies: [HTTPField] = []
    ) -> Response {
        var context = context
        context["title"] = title
        if let account = visit.account {
            var room: [String: Any] = [
                "email": account.user.email, "used": visit.words.used(account.quota),
            ]
            if let share = Self.share(account) { room["share"] = ["percent": share, "high": StorageState.nearlyFull] }
            context["account"] = room
        }
        if let standing = visit.standing { context["device"] = StandingRoutes.context(standing) }
        let said = visit.cookies[Cookies.said].flatMap { Said.notice(in: $0) }
        if let said { context["said"] = Said.context(said) }
        var response = answer(html(view, context, visit), visit, status: status)
        if said != nil { response.headers.append(visit.cookies.said("")) }
        for cookie in cookies { response.headers.append(cookie) }
        return response
    }

    /// Pieces of a page, for the script to put where they belong.
    func fragments(_ text: String, visit: Visit, status: HTTPResponse.Status = .ok) -> Response {
        answer(text, visit, status: status)
    }

    /// A piece of a page, for the script to put into what has this id, where the page has it.
    static func piece(_ html: String, at id: String) -> String {
        "<template data-put=\"\(id)\">\(html)</template>\n"
    }

    /// What is said in passing; nothing for nil.
    ///
    /// - Parameter undo: the form that takes it back, as its view names things.
    func toast(_ notice: Notice?, undo: [String: Any]? = nil, _ visit: Visit) -> String {
        guard let notice else { return "" }
        var context: [String: Any] = [
            "tone": notice.tone.rawValue, "text": notice.text, "isFailure": notice.tone == .failure,
        ]
        if let undo { context["undo"] = undo }
        return html(.toast, context, visit)
    }

    /// A view, with what every view may ask for.
    func html(_ view: Views.Name, _ context: [String: Any], _ visit: Visit) -> String {
        var context = context
        context["words"] = WordsView(words: visit.words)
        context["styles"] = Assets.Name.styles.map { ["path": assets.path($0)] }
        context["scripts"] = Assets.Name.scripts.map { ["path": assets.path($0)] }
        context["feedStyles"] = Assets.Name.feedStyles.map { ["path": assets.path($0)] }
        context["feedScripts"] = Assets.Name.feedScripts.map { ["path": assets.path($0)] }
        context["icons"] = assets.path(.icons)
        context["streams"] = assets.path(.streamsScript)
        context["hashing"] = assets.path(.hashScript)
        context["token"] = token(visit)
        if let person = visit.account?.user.id { context["person"] = person }
        context["hasFeed"] = visit.account?.hasFeed ?? false
        if isInstallable {
            context["worker"] = InstallRoutes.worker
            context["manifest"] = InstallRoutes.manifest
            context["touchIcon"] = assets.path(.icon192)
        }
        return views.render(view, context)
    }

    /// What a script is told, as JSON.
    func data(_ value: some Encodable, visit: Visit, status: HTTPResponse.Status = .ok) throws -> Response {
        answer(
            String(decoding: try WireCoding.encode(value), as: UTF8.self), visit, status: status,
            type: "application/json")
    }

    /// The mark that forms of this visit carry.
    func token(_ visit: Visit) -> String { tokens.token(visit: visit.mark, account: visit.account?.deviceId) }

    /// A page that could not be made, in words.
    func failed(_ notice: Notice, isMissing: Bool = false, visit: Visit) -> Response {
        message(
            visit.words[isMissing ? .notFoundTitle : notice.needsConnection ? .connectionNeeded : .failedTitle],
            notice.text,
            remedy: isMissing ? nil : notice.remedy,
            again: notice.needsConnection && visit.request.method == .get ? visit.request.uri.string : nil,
            visit: visit,
            status: isMissing ? .notFound : notice.isOfAddress ? .badRequest : .serviceUnavailable)
    }

    /// A page that says one thing, and where to go from there.
    ///
    /// - Parameters:
    ///   - remedy: what to do now, where there is something to do.
    ///   - again: the page to try again; nil where that would change nothing.
    ///   - isDoor: the person has to sign in first, and that cannot be done on a page.
    func message(
        _ title: String, _ lead: String, remedy: String? = nil, again: String? = nil, isDoor: Bool = false,
        visit: Visit, status: HTTPResponse.Status
    ) -> Response {
        var context: [String: Any] = ["lead": lead, "heading": title, "isDoor": isDoor]
        if let remedy { context["remedy"] = remedy }
        if let again { context["again"] = again }
        let path = visit.request.uri.path
        context["isOfFeed"] = ["/feed", "/posts", "/people"].contains { path == $0 || path.hasPrefix($0 + "/") }
        return page(.message, context, title: title, visit: visit, status: status)
    }

    /// - Parameter notice: what the next page says.
    func redirect(
        to place: String, visit: Visit, saying notice: Notice? = nil, cookies: [HTTPField] = []
    ) -> Response {
        var response = answer("", visit, status: .seeOther)
        response.headers[.location] = place
        for cookie in cookies { response.headers.append(cookie) }
        if let notice { response.headers.append(visit.cookies.said(Said.text(of: notice))) }
        return response
    }

    private func answer(
        _ text: String, _ visit: Visit, status: HTTPResponse.Status, type: String = "text/html; charset=utf-8"
    ) -> Response {
        var headers = self.headers(visit)
        headers[.contentType] = type
        if let ticket = visit.account?.renewedTicket {
            headers.append(visit.cookies.secret(Cookies.ticket, ticket, days: WebApp.ticketDays))
        }
        if visit.cookies[Cookies.visit] != visit.mark {
            headers.append(visit.cookies.secret(Cookies.visit, visit.mark, days: WebApp.ticketDays))
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Whole per cents of the room that are used, for a meter; nil where there is no limit.
    private static func share(_ account: BrowserAccount) -> Int? {
        guard let limit = account.quota.limit, limit > 0 else { return nil }
        return min(100, Int(account.quota.used * 100 / limit))
    }
}
