import BothyContract
import Foundation
import NIOCore
import NIOPosix

/// Asks the server that runs on a data folder to do something.
package struct AdminClient: Sendable {
    private let folder: DataFolder

    package init(_ folder: DataFolder) { self.folder = folder }

    /// - Parameter onLine: what the server says while it works.
    /// - Throws: ``ServerFault``: no server runs there, or what the server answered.
    package func run(_ request: AdminRequest, onLine: (AdminLine) throws -> Void) async throws {
        let connection = try await connect()
        let ending = try await connection.executeThenClose { inbound, outbound -> AdminReply? in
            try await outbound.write(AdminWire.encode(request))
            for try await line in inbound {
                switch try AdminWire.decode(AdminReply.self, from: line) {
                case .line(let line): try onLine(line)
                case let ending: return ending
                }
            }
            return nil
        }
        switch ending {
        case .done: return
        case .failed(let kind, let words): throw ServerFault(kind, words)
        case .line, nil:
            throw ServerFault(
                .failed, "The server stopped before the command was done. Its log says why; then run the command again."
            )
        }
    }

    private func connect() async throws -> AdminWire.Connection {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw ServerFault(.missing, "There is no data folder \(folder.path). Name the server's with --data.")
        }
        let place = try AdminWire.Place(folder)
        defer { place.close() }
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: place.path) { channel in
                    channel.eventLoop.makeCompletedFuture { try AdminWire.configure(channel) }
                }
        } catch {
            throw ServerFault(
                .failed,
                "No server is running on \(folder.path), or it belongs to another user. Start it with “bothy server --data \(folder.path.asTyped)”, then run this command again."
            )
        }
    }
}
