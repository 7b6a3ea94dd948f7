import Hummingbird
import Logging
import NIOCore

/// What travels with a request from the socket to its route.
package struct APIContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Set by `Authentication` on every route that asks for an account.
    package var caller: Caller?
    /// The client's address: the socket's, or what a trusted proxy says it is.
    package var remoteAddress: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.remoteAddress = source.channel.remoteAddress
    }

    /// JSON and simple uploads are collected in memory up to this; streams have their own bounds.
    package var maxUploadSize: Int { 8 << 20 }
}
