import HTTPTypes

/// The cookies that a browser sent, and those that it is given.
struct Cookies: Sendable {
    /// The ticket of a signed-in browser.
    static let ticket = "bothy"
    /// The ticket of this browser's last sign-in, which outlives its sign-out: it lets nobody in, and says which browser this is.
    static let known = "bothy-known"
    /// A random mark of this browser's visit, which form tokens are bound to.
    static let visit = "bothy-visit"
    /// What the form before came to: see ``Said``.
    static let said = "bothy-said"
    /// What a person chose to see, and their time zone: no secrets, and forged ones only look odd.
    static let order = "bothy-order"
    static let layout = "bothy-layout"
    static let zone = "bothy-zone"

    /// Cookies that are looked at in one request.
    private static let most = 50
    private static let year = 365 * 24 * 3600

    private let values: [String: String]
    private let isSecure: Bool
    private let ending: String

    init(_ headers: HTTPFields, _ settings: WebSettings) {
        isSecure = settings.isSecure
        ending = settings.cookieEnding
        let pairs = headers[values: .cookie].flatMap { $0.split(separator: ";") }.prefix(Self.most)
        values = Dictionary(
            pairs.compactMap { pair -> (String, String)? in
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return (String(parts[0].drop { $0 == " " }), String(parts[1]))
            }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ name: String) -> String? { values[isSecret(name) ? secretName(name) : name] }

    /// `Set-Cookie` for what the next page says.
    func said(_ text: String) -> HTTPField {
        let seconds = text.isEmpty ? 0 : Said.seconds
        return HTTPField(name: .setCookie, value: "\(Self.said)=\(text); HttpOnly; \(scope); Max-Age=\(seconds)")
    }

    /// `Set-Cookie` for a secret, which no script reads and no other site's page sends.
    func secret(_ name: String, _ value: String, days: Int) -> HTTPField {
        let (name, seconds) = (secretName(name), days * 24 * 3600)
        return HTTPField(name: .setCookie, value: "\(name)=\(value); HttpOnly; \(scope); Max-Age=\(seconds)")
    }

    /// `Set-Cookie` that makes the browser forget.
    func forgetting(_ name: String) -> HTTPField { secret(name, "", days: 0) }

    /// `Set-Cookie` for a choice.
    func choice(_ name: String, _ value: String) -> HTTPField {
        HTTPField(name: .setCookie, value: "\(name)=\(value); \(scope); Max-Age=\(Self.year)")
    }

    /// For this host and no other site's pages; where pages come encrypted, never without that.
    private var scope: String { "Path=/; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    private func isSecret(_ name: String) -> Bool { [Self.ticket, Self.known, Self.visit].contains(name) }

    /// `__Host-`: the browser takes it only from this host itself, over TLS (RFC 6265bis §4.1.3).
    private func secretName(_ name: String) -> String { (isSecure ? "__Host-" : "") + name + ending }
}
