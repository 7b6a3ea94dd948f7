import Logging
import Synchronization

/// Says once that requests come through a proxy, and that this server does not know the address that people use.
package final class ForwardingNotice: Sendable {
    private let logger: Logger
    private let wasSaid = Mutex(false)

    private init(_ logger: Logger) { self.logger = logger }

    /// Warns at once where proxies are trusted, else at the first request that one forwards.
    ///
    /// - Returns: nil where there is nothing to warn of.
    package static func make(_ config: ServerConfig, logger: Logger) -> ForwardingNotice? {
        guard config.publicURL == nil else { return nil }
        let notice = ForwardingNotice(logger)
        if !config.trustedProxies.isEmpty { notice.forwarded() }
        return notice
    }

    /// A request came through a proxy.
    func forwarded() {
        let isFirst = wasSaid.withLock { said in
            defer { said = true }
            return !said
        }
        guard isFirst else { return }
        logger.warning(
            """
            Requests come through a proxy, and “publicUrl” is not set. Set it to the address that people use, such as \
            https://bothy.example.org, and “trustedProxies” to the proxy's. Otherwise clients that the proxy does not name can \
            count as local ones, which may register.
            """)
    }
}
