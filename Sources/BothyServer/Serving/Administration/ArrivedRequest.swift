import NIOCore
import Synchronization

/// A connection that nobody talks on yet. Nothing of it is read before somebody does, and if nobody ever will, because the
/// server ends between its coming and its turn, it is closed. (A `NIOAsyncChannel` that is let go without having been served
/// ends the process.)
final class ArrivedRequest: Sendable {
    private let channel: Mutex<(any Channel)?>

    /// - Parameter channel: made with automatic reading off.
    init(_ channel: any Channel) { self.channel = Mutex(channel) }

    deinit { channel.withLock { $0 }?.close(promise: nil) }

    /// Begins to read. The caller serves the connection to its end; only the first call is answered.
    func begin() async throws -> AdminWire.Connection {
        guard let channel = channel.withLock({ $0.take() }) else { throw ChannelError.alreadyClosed }
        return try await channel.eventLoop.submit {
            let connection = try AdminWire.configure(channel)
            channel.setOption(.autoRead, value: true).assumeIsolated().whenFailure { _ in channel.close(promise: nil) }
            return connection
        }.get()
    }
}
