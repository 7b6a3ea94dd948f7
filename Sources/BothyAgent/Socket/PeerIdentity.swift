import Foundation
import NIOCore
import NIOPosix

/// Who is at the other end of a socket, as the kernel says.
struct PeerIdentity: Sendable {
    /// Whose process may be there.
    let person: UInt32

    /// The person whose process this is.
    static let own = PeerIdentity(person: getuid())

    struct Stranger: Error {}

    /// `struct ucred` of unix(7).
    private struct Credentials {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
    }

    /// - Returns: fails with ``Stranger`` for anyone but the person.
    func require(of channel: any Channel) -> EventLoopFuture<Void> {
        #if os(Linux)
            guard let socket = channel as? any SocketOptionProvider else {
                return channel.eventLoop.makeFailedFuture(Stranger())
            }
            let option = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
            return socket.unsafeGetSocketOption(level: .socket, name: option)
                .flatMapThrowing { [person] (credentials: Credentials) in
                    guard credentials.uid == person else { throw Stranger() }
                }
        #else
            // The folder is its owner's alone.
            return channel.eventLoop.makeSucceededVoidFuture()
        #endif
    }
}
