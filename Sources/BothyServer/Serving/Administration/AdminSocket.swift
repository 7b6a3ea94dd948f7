import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens on a socket in the data folder that only its owner opens, and does what is asked there.
package struct AdminSocket: Service {
    /// People administer one thing at a time; this is room for a backup, a check, and someone who looks.
    private static let mostAtOnce = 8

    private let folder: DataFolder
    private let commands: AdminCommands
    private let logger: Logger

    package init(_ folder: DataFolder, commands: AdminCommands, logger: Logger) {
        self.folder = folder
        self.commands = commands
        self.logger = logger
    }

    package func run() async throws {
        let place = try AdminWire.Place(folder)
        defer { place.close() }
        let server = try await listen(place)
        defer { unlink(place.path) }
        do {
            try await cancelWhenGracefulShutdown { try await serve(server) }
        } catch is CancellationError {
            return
        }
    }

    private func listen(_ place: AdminWire.Place) async throws -> NIOAsyncChannel<ArrivedRequest, Never> {
        // What a server that was killed left behind; the folder's lock says that no other one listens there.
        unlink(place.path)
        do {
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelOption(.autoRead, value: false)
                .bind(try AdminWire.bind(place)) { $0.eventLoop.makeSucceededFuture(ArrivedRequest($0)) }
        } catch {
            throw ServerFault(.folder, "The socket \(folder.adminSocket) cannot be created: \(error)")
        }
    }

    private func serve(_ server: NIOAsyncChannel<ArrivedRequest, Never>) async throws {
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                let slots = Slots(Self.mostAtOnce)
                for try await request in connections {
                    let isFree = await slots.take()
                    group.addTask {
                        await answer(request, isFree: isFree)
                        if isFree { await slots.giveBack() }
                    }
                }
            }
        }
    }

    private func answer(_ request: ArrivedRequest, isFree: Bool) async {
        do {
            try await request.begin().executeThenClose { inbound, outbound in
                for try await line in inbound {
                    guard isFree else {
                        return try await outbound.write(
                            AdminWire.encode(
                                AdminReply.failed(
                                    .failed, "Other commands are running on this server. Wait for one of them.")))
                    }
                    // What cannot be read is answered so.
                    guard line.readableBytes <= AdminWire.longestLine,
                        let request = try? AdminWire.decode(AdminRequest.self, from: line)
                    else {
                        return try await outbound.write(
                            AdminWire.encode(
                                AdminReply.failed(
                                    .failed, "This server does not know the command. Is it of another version?")))
                    }
                    try await run(request, outbound)
                    return
                }
            }
        } catch {
            // The caller is gone, and hears nothing any more.
            logger.debug("A command's connection ended.", metadata: ["error": "\(error)"])
        }
    }

    private func run(_ request: AdminRequest, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws {
        let ending: AdminReply
        do {
            try await commands.run(request) { try await outbound.write(AdminWire.encode(AdminReply.line($0))) }
            ending = .done
        } catch let fault as ServerFault {
            ending = .failed(fault.kind, fault.description)
        } catch {
            logger.error("A command failed.", metadata: ["error": "\(error)"])
            ending = .failed(.failed, AdminCommands.words(error))
        }
        try await outbound.write(AdminWire.encode(ending))
    }

    private actor Slots {
        private var free: Int

        init(_ free: Int) { self.free = free }

        func take() -> Bool {
            guard free > 0 else { return false }
            free -= 1
            return true
        }

        func giveBack() { free += 1 }
    }
}
