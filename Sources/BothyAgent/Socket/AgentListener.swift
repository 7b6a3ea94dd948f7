import BothyClient
import Foundation
import Logging
import NIOCore
import NIOPosix

/// Answers commands on the home's socket.
package struct AgentListener: Sendable {
    package typealias Say = @Sendable (AgentAnswer) async throws -> Void
    package typealias Answer = @Sendable (AgentRequest, Say) async throws -> Void

    /// Commands of one person at a time, those that stay connected while they work included.
    private static let mostAtOnce = 64

    private let place: AgentPlace
    private let hello: AgentHello
    private let logger: Logger
    private let commands: PeerIdentity
    private let answer: Answer

    /// - Parameter answer: does what is asked; it is cancelled when the command hangs up.
    package init(_ place: AgentPlace, hello: AgentHello, logger: Logger, answer: @escaping Answer) {
        self.init(place, hello: hello, logger: logger, commands: .own, answer: answer)
    }

    /// - Parameter commands: whose commands are answered.
    init(
        _ place: AgentPlace, hello: AgentHello, logger: Logger, commands: PeerIdentity, answer: @escaping Answer
    ) {
        self.commands = commands
        self.place = place
        self.hello = hello
        self.logger = logger
        self.answer = answer
    }

    /// Listens until it is cancelled. The home's lock is this process's.
    ///
    /// - Parameter isListening: called once commands can connect.
    package func run(isListening: @Sendable () async -> Void) async throws {
        let server = try await listen()
        defer { unlink(place.reachableSocketPath) }
        await isListening()
        do {
            try await serve(server)
        } catch is CancellationError {
            return
        }
    }

    private func listen() async throws -> NIOAsyncChannel<ArrivedCommand?, Never> {
        // What an agent that was killed left behind; the lock says that no other one listens there.
        unlink(place.reachableSocketPath)
        do {
            let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelOption(.autoRead, value: false)
                .bind(unixDomainSocketPath: place.reachableSocketPath) { channel in
                    commands.require(of: channel).map { Optional(ArrivedCommand(channel)) }
                        .flatMapErrorThrowing { _ in
                            channel.close(promise: nil)
                            return nil
                        }
                }
            guard chmod(place.reachableSocketPath, 0o600) == 0 else {
                throw ClientFailure(errno: errno, path: place.socketPath, doing: "be restricted to its owner")
            }
            return server
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw ClientFailure(.homeUnusable, "The socket “\(place.socketPath)” cannot be created: \(error).")
        }
    }

    private func serve(_ server: NIOAsyncChannel<ArrivedCommand?, Never>) async throws {
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                let slots = Slots(Self.mostAtOnce)
                for try await case let command? in connections {
                    let isFree = await slots.take()
                    group.addTask {
                        await converse(command, isFree: isFree)
                        if isFree { await slots.giveBack() }
                    }
                }
            }
        }
    }

    private func converse(_ command: ArrivedCommand, isFree: Bool) async {
        do {
            try await command.begin().executeThenClose { inbound, outbound in
                try await outbound.write(AgentWire.frame(hello))
                var frames = inbound.makeAsyncIterator()
                guard try await frames.next() != nil, let frame = try await frames.next() else { return }
                guard isFree else {
                    let busy = ClientFailure(.agentFailed, "Too many commands talk to the agent at once.")
                    return try await outbound.write(AgentWire.frame(AgentAnswer.failed(busy)))
                }
                // What cannot be read is answered so.
                guard let request = try? AgentWire.read(AgentRequest.self, from: frame) else {
                    let unknown = ClientFailure(
                        .agentFailed, "The agent (Bothy \(hello.version.release)) does not know this request.",
                        remedy: "Restart it with “bothy agent --stop” and “bothy agent --background”.")
                    return try await outbound.write(AgentWire.frame(AgentAnswer.failed(unknown)))
                }
                try await run(request, until: Hangup(frames), outbound)
            }
        } catch {
            // The caller is gone, and hears nothing any more.
            logger.debug("A command's connection ended.", metadata: ["error": "\(error)"])
        }
    }

    /// Answers, unless the command hangs up before.
    private func run(
        _ request: AgentRequest, until hangup: Hangup, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let ending = await outcome(of: request) { try await outbound.write(AgentWire.frame($0)) }
                try await outbound.write(AgentWire.frame(ending))
            }
            group.addTask { await hangup.wait() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func outcome(of request: AgentRequest, say: @escaping Say) async -> AgentAnswer {
        do {
            try await answer(request, say)
            return .done
        } catch let failure as ClientFailure {
            return .failed(failure)
        } catch {
            return .failed(ClientFailure(.agentFailed, "The agent had an unexpected error: \(error)."))
        }
    }

    /// The end of what a command says.
    ///
    /// Unchecked because one task alone reads on from where the request ended.
    private final class Hangup: @unchecked Sendable {
        private var frames: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

        init(_ frames: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.frames = frames }

        func wait() async {
            // However the connection ends, the caller is gone.
            while (try? await frames.next()) != nil {}
        }
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
