/// Where browsers find this web app.
package struct WebSettings: Sendable {
    /// Where clients reach the server, where its owner said so: `https://bothy.example.org`.
    package var publicURL: String?
    /// This process speaks TLS itself.
    package var hasTLS: Bool
    /// Served to this machine alone, here; nil for a server.
    package private(set) var loopbackPort: Int?
    /// What the names of secret cookies end with: browsers keep cookies by host, and all ports of one share them. Who signs in
    /// at one of two servers of a host stays signed in at the other.
    private(set) var cookieEnding: String

    /// - Parameter server: letters and digits that tell this server from others; none of its secrets.
    package init(publicURL: String?, hasTLS: Bool, server: String) {
        self.publicURL = publicURL
        self.hasTLS = hasTLS
        cookieEnding = "-\(server)"
    }

    /// The web app of a device, for browsers on this machine alone.
    package init(loopbackPort: Int) {
        self.init(publicURL: nil, hasTLS: false, server: "\(loopbackPort)")
        self.loopbackPort = loopbackPort
    }

    /// What browsers see is encrypted, here or by a proxy before it.
    var isSecure: Bool { hasTLS || publicURL?.lowercased().hasPrefix("https://") == true }

    /// The origin of a request's host; nil for a host that is not this server's.
    ///
    /// A page of anyone's can have its own name point here (DNS rebinding), so a name counts only where it is known to be
    /// ours: the one that the owner gave, an address, or a name that no public page can have.
    func origin(ofHost authority: String) -> String? {
        let authority = authority.lowercased()
        guard authority.utf8.count <= 255, authority.utf8.allSatisfy(Self.isHostByte) else { return nil }
        if let loopbackPort {
            let own = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(loopbackPort)" }
            return own.contains(authority) ? "http://" + authority : nil
        }
        if let publicURL = publicURL?.lowercased(), let name = Self.authority(of: publicURL), name == authority {
            return Self.origin(of: publicURL)
        }
        guard Self.isOwn(Self.host(of: authority)) else { return nil }
        return (hasTLS ? "https://" : "http://") + authority
    }

    private static func isOwn(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") { return true }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
        // One label, and names that no registry gives out (RFC 6761, 6762, 8375).
        let isLocal = labels.count == 1 || ["localhost", "local", "lan", "internal"].contains(labels.last)
        return isIPv4 || isLocal || host.hasSuffix(".home.arpa")
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" })
    }

    private static func authority(of url: String) -> String? {
        url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map(String.init)
    }

    private static func origin(of url: String) -> String? {
        authority(of: url).map { url.prefix { $0 != ":" } + "://" + $0 }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: ".-:[]_".utf8.contains(byte)
        }
    }
}
