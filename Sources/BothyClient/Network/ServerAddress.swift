import Foundation

/// Where a server answers: `https://files.example.org`, `http://127.0.0.1:8080`. Scheme, host and port, no path.
public struct ServerAddress: Hashable, Sendable {
    /// Scheme, host and port, without a slash at the end.
    public let origin: String

    /// Reads what a person types. Without a scheme it is `http` for this machine and `https` for every other.
    ///
    /// - Throws: `refused` with words for what is no address.
    public init(_ text: String) throws(ClientFailure) {
        let typed = text.trimmingCharacters(in: .whitespaces)
        guard let parts = URLComponents(string: Self.withScheme(typed)), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.query == nil, parts.fragment == nil, parts.path.isEmpty || parts.path == "/"
        else {
            throw ClientFailure(
                .refused, "“\(text)” is not a server's address.",
                remedy: "Give it like https://files.example.org or http://127.0.0.1:8080.")
        }
        let named = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host.lowercased()
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : $0 }
        origin = "\(scheme)://\(named)\(port.map { ":\($0)" } ?? "")"
    }

    /// Where a reference from the server points, and whether that is this server itself.
    ///
    /// - Returns: nil for what is no http address.
    package func resolve(_ reference: String) -> (url: String, own: Bool)? {
        if reference.hasPrefix("/"), !reference.hasPrefix("//") { return (origin + reference, true) }
        guard let parts = URLComponents(string: reference), let scheme = parts.scheme, let host = parts.host,
            let address = try? ServerAddress("\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")")
        else { return nil }
        return (reference, address == self)
    }

    private static func withScheme(_ typed: String) -> String {
        if typed.contains("://") { return typed }
        let host = URLComponents(string: "https://\(typed)")?.host ?? ""
        return (isThisMachine(host) ? "http://" : "https://") + typed
    }

    /// By the whole name: `localhost.example.org` and `127.example.org` are somebody else's, who must not get a password in clear.
    private static func isThisMachine(_ host: String) -> Bool {
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        return ["localhost", "[::1]", "::1"].contains(host.lowercased())
    }
}

extension ServerAddress: CustomStringConvertible {
    public var description: String { origin }
}

extension ServerAddress: Codable {
    public init(from decoder: any Decoder) throws {
        self = try ServerAddress(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(origin)
    }
}
