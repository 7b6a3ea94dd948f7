import BothyContract
import Foundation
import HTTPTypes
import Hummingbird

/// Who a request comes from, by address.
package struct ClientAddress: Hashable, Sendable {
    /// Nil where the transport has none, as in a test.
    package var address: IPAddress?
    /// From this machine itself, by no other site's page, through no proxy but a trusted one, and addressed to it by a name
    /// that only it answers to.
    package var isLocal: Bool

    package static let unknown = ClientAddress(address: nil, isLocal: false)

    package init(address: IPAddress?, isLocal: Bool) {
        self.address = address
        self.isLocal = isLocal
    }

    package var origin: AccountOrigin { AccountOrigin(network: address?.network ?? "unknown", isLocal: isLocal) }
}

/// Finds out where requests come from. Only a trusted proxy is believed when it says whom it speaks for.
package struct ClientAddresses: RouterMiddleware {
    package typealias Context = APIContext

    /// Proxies in a row; what claims more is not followed further.
    private static let mostProxies = 16
    private static let forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"]
        .compactMap { HTTPField.Name($0) }
    private static let forwardedFor = HTTPField.Name("x-forwarded-for")!

    private let trustedProxies: [IPNetwork]
    /// The server is meant to be reached from elsewhere, so a request over loopback may be anyone's.
    private let isPublic: Bool
    /// Told of the first request that a proxy forwarded.
    private let notice: ForwardingNotice?

    package init(trustedProxies: [IPNetwork], isPublic: Bool, notice: ForwardingNotice? = nil) {
        self.trustedProxies = trustedProxies
        self.isPublic = isPublic
        self.notice = notice
    }

    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if let notice, Self.isForwarded(request.headers) { notice.forwarded() }
        var context = context
        context.client = client(
            peer: IPAddress(context.remoteAddress), headers: request.headers, authority: request.head.authority)
        return try await next(request, context)
    }

    func client(peer: IPAddress?, headers: HTTPFields, authority: String?) -> ClientAddress {
        guard let peer else { return .unknown }
        var address = peer
        let claimed = headers[values: Self.forwardedFor].flatMap { $0.split(separator: ",") }.suffix(Self.mostProxies)
        for claim in claimed.reversed() where isTrusted(address) {
            // The proxy forwards for somebody, and cannot say for whom (`unknown`, `unix:`): that is a stranger, and not the proxy.
            guard let further = Self.address(claimed: claim) else { return .unknown }
            address = further
        }
        // A proxy that nobody told us of makes every stranger look local, so what it forwards never counts as local.
        let isHearsay = Self.isForwarded(headers) && !(isTrusted(peer) && !claimed.isEmpty)
        let isLocal =
            !isPublic && !isHearsay && address.isLoopback && Self.isLocalName(authority)
            && Self.isOwn(headers[.origin], authority)
        return ClientAddress(address: address, isLocal: isLocal)
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }

    private static func isForwarded(_ headers: HTTPFields) -> Bool {
        forwardingHeaders.contains { headers[$0] != nil }
    }

    /// `203.0.113.9`, `203.0.113.9:5678`, `2001:db8::9`, `[2001:db8::9]` and `[2001:db8::9]:5678`.
    ///
    /// - Returns: nil for anything else.
    private static func address(claimed claim: Substring) -> IPAddress? {
        let text = claim.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            let inside = String(text[text.index(after: text.startIndex)..<end])
            return inside.contains(":") ? IPAddress(text: inside) : nil
        }
        guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
            return IPAddress(text: text)
        }
        return isPort(text[colon...]) ? IPAddress(text: String(text[..<colon])) : nil
    }

    /// Nothing, or a colon and a number.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
    }

    /// A web page may send requests here under its own name (DNS rebinding); those are not this machine's owner's.
    private static func isLocalName(_ authority: String?) -> Bool {
        guard let authority else { return true }
        let host = withoutPort(authority)
        return host.lowercased() == "localhost" || IPAddress(text: host) != nil
    }

    /// Any web page that is open in a browser here may send requests to this machine; they say where they come from.
    private static func isOwn(_ origin: String?, _ authority: String?) -> Bool {
        guard let origin else { return true }
        guard let authority else { return false }
        return ["http", "https"].contains { "\($0)://\(authority)".lowercased() == origin.lowercased() }
    }

    /// `[::1]:80`, `127.0.0.1:80` and `localhost:80` without what is not the host.
    private static func withoutPort(_ text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<end])
        }
        let colons = text.filter { $0 == ":" }.count
        return colons == 1 ? String(text.prefix { $0 != ":" }) : text
    }
}
