/// Where a request about an account comes from.
package struct AccountOrigin: Hashable, Sendable {
    /// An IPv4 address, or an IPv6 /64, as text: what sign-ins are slowed by.
    package var network: String
    /// From this machine itself, and through no proxy.
    package var isLocal: Bool

    package init(network: String, isLocal: Bool) {
        self.network = network
        self.isLocal = isLocal
    }
}
