import Hummingbird
import Logging
import NIOCore

/// What travels with a request from the socket to its route.
package struct APIContext: RequestContext, Sendable {
    package var coreContext: CoreRequestContextStorage
    /// Set by `Authentication` on every route that asks for an account.
    package var caller: Caller?
    /// The address at the other end of the socket, which may be a proxy's: see ``client``.
    package let remoteAddress: SocketAddress?
    /// Where the request comes from, as far as the proxies that are trusted say; set by ``ClientAddresses``.
    package var client = ClientAddress.unknown
    /// What its body takes of the memory for all; set by ``BodyBounds``.
    var claim: BodyClaim?
    /// What the request's line in the log says beyond its head.
    package let notes = RequestNotes()

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.remoteAddress = source.channel.remoteAddress
    }

    /// JSON and simple uploads are collected in memory up to this; streams have their own bounds.
    package var maxUploadSize: Int { 8 << 20 }
}
