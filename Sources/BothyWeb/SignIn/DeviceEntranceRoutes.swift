import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/enter`, `/sign-in`: coming in to the web app of a device, from that device.
struct DeviceEntranceRoutes: Sendable {
    let entrance: DeviceEntrance
    let writer: PageWriter

    /// Of the page that comes after the way in: there a browser shows whether it kept its cookies.
    private static let entered = "entered"

    var screens: [Screen] {
        [
            .key("/enter", enter), .page(Destination.signIn.link, for: .anyone, show),
            .form("/sign-out", for: .anyone) { visit, _ in try await SigningOut.answer(visit, entrance, writer) },
        ]
    }

    /// What `bothy open` has the browser send.
    @Sendable private func enter(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let ticket = try await entrance.come(with: form["token"] ?? "") else {
            let words = visit.words
            return writer.message(
                words[.openOldTitle], words[.openAgain], isDoor: true, visit: visit, status: .forbidden)
        }
        let mark = FormTokens.newVisit()
        return writer.page(
            .entering, ["refresh": "0;url=\(Destination.signIn.link)?\(Self.entered)=1"], title: visit.words[.appName],
            visit: visit,
            cookies: [
                visit.cookies.secret(Cookies.ticket, ticket, days: WebApp.ticketDays),
                visit.cookies.secret(Cookies.visit, mark, days: WebApp.ticketDays),
            ])
    }

    /// Says how to come in: nothing that is typed here could prove that it is typed by the owner of this device.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        if visit.account != nil { return writer.redirect(to: Destination.home.link, visit: visit) }
        let words = visit.words
        let lacksCookies = visit.query(Self.entered) != nil && visit.cookies[Cookies.visit] == nil
        return writer.message(
            words[.openTitle], words[lacksCookies ? .cookiesNeeded : .openAgain],
            remedy: lacksCookies ? words[.openAgain] : nil, isDoor: true, visit: visit, status: .ok)
    }
}
