import NIOCore

/// `HOST:PORT`; an IPv6 address stands in brackets, port 0 takes any free one.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Returns: nil for what is no address.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Only this machine can reach it.
    package var isLoopback: Bool { IPAddress(text: host)?.isLoopback ?? (host == "localhost") }

    /// Where a person on this machine reaches it: `0.0.0.0` and `::` are no address to type.
    package func reachable(port: Int) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        default: ListenAddress(host: host, port: port).description
        }
    }
}
