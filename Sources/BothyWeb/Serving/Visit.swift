import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Who is at the other end, as the server that this is mounted in knows.
package struct WebCaller: Sendable {
    /// Its network, as text.
    package var network: String
    /// From this machine itself, and through no proxy.
    package var isLocal: Bool
    /// The id in the address, where it has one.
    package var id: String?

    package init(network: String, isLocal: Bool, id: String?) {
        self.network = network
        self.isLocal = isLocal
        self.id = id
    }
}

/// One request of a browser, as screens see it.
struct Visit: Sendable {
    var request: Request
    var caller: WebCaller
    /// `http://127.0.0.1:8420`: checked to be this server's.
    var origin: String
    var cookies: Cookies
    /// The browser's mark; new where it brought none.
    var mark: String
    var words: Words
    var clock: PersonsClock
    /// The same, later: for what goes on while a page is open.
    var laterClock: @Sendable () -> PersonsClock
    var account: BrowserAccount?
    /// How the device stands, where one does, for the line on each of its pages.
    var standing: StandingState?

    var id: ItemID { ItemID(caller.id ?? BothyContract.File.rootId) }

    /// Who is signed in, on a screen for people who are.
    var person: BrowserAccount {
        guard let account else { preconditionFailure("the door lets nobody else in") }
        return account
    }

    /// What the device shows of itself, on a screen that only a device has.
    ///
    /// - Throws: `notFound` in a server's own web app.
    func device() throws(ClientFailure) -> DeviceScreens {
        guard let device = account?.device else {
            throw ClientFailure(.notFound, words[.notFoundLead])
        }
        return device
    }

    var visitor: BrowserVisitor {
        BrowserVisitor(
            network: caller.network, isLocal: caller.isLocal,
            name: BrowserName.of(request.headers[.userAgent] ?? "", words), lastTicket: cookies[Cookies.known])
    }

    /// The same browser at another address, of which it has heard nothing yet.
    func going(to address: String) -> Visit {
        var visit = self
        var head = request.head
        head.path = address
        head.headerFields[.lastEventID] = nil
        visit.request = Request(head: head, body: request.body)
        visit.caller.id = nil
        return visit
    }

    /// The same, for the thing of this id.
    func at(_ id: String) -> Visit {
        var visit = self
        visit.caller.id = id
        return visit
    }

    /// The script asks, and wants fragments; a browser that goes somewhere wants a page.
    ///
    /// The script says so itself: `Sec-Fetch-Dest` is sent over TLS and from this machine alone.
    var wantsFragments: Bool { request.headers[.fragments] != nil || wantsEvents }

    /// A page listens.
    var wantsEvents: Bool { request.headers[.accept] == "text/event-stream" }

    /// The script asks for what it acts on itself.
    var wantsData: Bool { request.headers[.accept] == "application/json" }

    /// A plus is a space, as forms write one; who means a plus writes `%2B`.
    func query(_ name: String) -> String? {
        guard let written = request.uri.query else { return nil }
        let plain = written.contains("+") ? URI("/?" + written.replacing("+", with: "%20")) : request.uri
        return plain.queryParameters[Substring(name)].map(String.init)
    }

    func number(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
        query(name).flatMap { Int($0) }.map { min(max($0, bounds.lowerBound), bounds.upperBound) }
    }

    /// How large a picture is asked for; nil for the content itself.
    var quality: MediaQuality? { query(MediaQuality.parameter).flatMap { MediaQuality(rawValue: $0) } }

    /// Whether it is to be played: a film that is right for the connection may stand for it.
    var isPlayed: Bool { query(FilmQuality.parameter) != nil }

    /// What the person wants a folder sorted by: as the address says, or as they chose last.
    var order: FileOrder {
        (query("order") ?? cookies[Cookies.order]).flatMap { FileOrder(rawValue: $0) } ?? .name
    }

    var layout: FileListLayout {
        (query("layout") ?? cookies[Cookies.layout]).flatMap { FileListLayout(rawValue: $0) } ?? .list
    }
}

/// How a folder's files are laid out.
enum FileListLayout: String, Sendable { case list, grid }

/// What a browser calls itself, in few words: for the list of devices.
enum BrowserName {
    static func of(_ agent: String, _ words: Words) -> String {
        let browser = first(
            in: agent, [("Firefox", "Firefox"), ("Edg", "Edge"), ("Chrome", "Chromium"), ("Safari", "Safari")])
        let system = first(
            in: agent,
            [
                ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
                ("Mac OS", "Mac"), ("Linux", "Linux"),
            ])
        return switch (browser, system) {
        case (let browser?, let system?): words.filled(.browserOn, browser, system)
        case (let browser?, nil): browser
        default: words[.aBrowser]
        }
    }

    private static func first(in agent: String, _ marks: [(String, String)]) -> String? {
        marks.first { agent.contains($0.0) }?.1
    }
}
