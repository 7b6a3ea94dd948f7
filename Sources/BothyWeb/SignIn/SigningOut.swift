import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/sign-out`: what the browser carries is worth nothing from here on, and what it kept is thrown away.
enum SigningOut {
    static func answer(
        _ visit: Visit, _ tickets: any BrowserTickets, _ writer: PageWriter
    ) async throws -> Response {
        if let ticket = visit.cookies[Cookies.ticket] { try await tickets.leave(ticket) }
        var visit = visit
        visit.account = nil
        var response = writer.redirect(
            to: Destination.signIn.link, visit: visit, cookies: [visit.cookies.forgetting(Cookies.ticket)])
        response.headers[.clearSiteData] = "\"cache\""
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let clearSiteData = Self("Clear-Site-Data")!
}
