import BothyClient
import Foundation
import NIOCore
import NIOPosix

/// Talks to the agent of a home, where one runs.
package struct AgentClient: Sendable {
    private let home: String
    private let own: AgentVersion
    private let agents: PeerIdentity

    /// - Parameter own: which Bothy asks.
    package init(home: String, own: AgentVersion) { self.init(home: home, own: own, agents: .own) }

    /// - Parameter agents: whose agent is talked to.
    init(home: String, own: AgentVersion, agents: PeerIdentity) {
        self.home = home
        self.own = own
        self.agents = agents
    }

    /// Who listens there.
    ///
    /// - Returns: nil when no agent runs.
    package func hello() async throws -> AgentHello? {
        guard let connection = try await connect() else { return nil }
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(AgentWire.frame(ownHello))
                for try await frame in inbound { return try AgentWire.read(AgentHello.self, from: frame) }
                return nil
            }
        } catch let error as IOError where error.isOfOneThatEnded {
            return nil
        }
    }

    /// Asks, and takes the answers as they come. Cancelling it hangs up.
    ///
    /// - Parameter take: called with everything but the ending.
    /// - Returns: false when no agent runs.
    /// - Throws: what the agent failed with; `agentFailed` when it ended in the middle.
    package func ask(
        _ request: AgentRequest, take: @Sendable (AgentAnswer) throws -> Void = { _ in }
    ) async throws -> Bool {
        guard let connection = try await connect() else { return false }
        var isThere = false
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(AgentWire.frame(ownHello))
                try await outbound.write(AgentWire.frame(request))
                var frames = inbound.makeAsyncIterator()
                guard let first = try await frames.next() else { throw Self.broken }
                isThere = true
                try requireLanguage(of: AgentWire.read(AgentHello.self, from: first))
                while let frame = try await frames.next() {
                    switch try AgentWire.read(AgentAnswer.self, from: frame) {
                    case .done: return true
                    case .failed(let failure): throw failure
                    case let answer: try take(answer)
                    }
                }
                throw Self.broken
            }
        } catch let error as IOError where error.isOfOneThatEnded {
            // One that was killed listens until the last of it is gone.
            guard isThere else { return false }
            throw Self.broken
        }
    }

    /// Runs `body` while the agent leaves `subject` alone, where one runs.
    package func borrowing<Value: Sendable>(
        _ subject: String, of part: String, _ body: () async throws -> Value
    ) async throws -> Value {
        let (granted, grant) = AsyncStream<Void>.makeStream()
        let asking = Task {
            defer { grant.finish() }
            _ = try await ask(.lend(part: part, subject: subject)) { if $0 == .granted { grant.finish() } }
        }
        defer { asking.cancel() }
        for await _ in granted {}
        return try await body()
    }

    /// What the agent does.
    ///
    /// - Returns: nil when none runs.
    package func status() async throws -> AgentStatus? {
        let kept = LastStatus()
        guard try await ask(.status, take: { answer in if case .status(let status) = answer { kept.keep(status) } })
        else { return nil }
        return kept.status
    }

    private var ownHello: AgentHello { AgentHello(version: own, pid: getpid()) }

    private func requireLanguage(of hello: AgentHello) throws {
        guard hello.language == AgentHello.language else {
            throw ClientFailure(
                .agentFailed, "The agent is Bothy \(hello.version.release), and this is \(own.release).",
                remedy: "Update the older one; “bothy agent --stop” stops the agent.")
        }
    }

    private func connect() async throws -> AgentWire.Connection? {
        guard let place = try AgentPlace.find(in: home) else { return nil }
        defer { withExtendedLifetime(place) {} }
        // A socket that nobody listens at is left over from an agent that was killed.
        guard access(place.reachableSocketPath, F_OK) == 0, AgentLock.isHeld(place) else { return nil }
        do {
            let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: place.reachableSocketPath) { channel in
                    channel.eventLoop.makeCompletedFuture { try AgentWire.configure(channel) }
                }
            // Only a connected socket has somebody at its other end. Nothing has been said to them yet.
            do {
                try await agents.require(of: connection.channel).get()
            } catch {
                // A connection that is let go without having been served ends the process.
                try? await connection.executeThenClose { _, _ in }
                throw error
            }
            return connection
        } catch is PeerIdentity.Stranger {
            throw ClientFailure(
                .homeUnusable, "Another user's process listens at “\(place.socketPath)”.",
                remedy: "Check who it is: “ls -l \(place.folder)”.")
        } catch let error as IOError where [ECONNREFUSED, ENOENT].contains(error.errnoCode) {
            return nil
        } catch let error as IOError where error.errnoCode == EBADF || error.isOfOneThatEnded {
            // The agent ended before it could be asked who it is.
            return nil
        } catch {
            throw ClientFailure(.agentFailed, "The agent at “\(place.socketPath)” does not answer: \(error).")
        }
    }

    private static let broken = ClientFailure(.agentFailed, "The agent stopped before it answered.")

    /// Answers come one after the other, before the asking ends.
    private final class LastStatus: @unchecked Sendable {
        private(set) var status: AgentStatus?
        func keep(_ status: AgentStatus) { self.status = status }
    }
}

extension IOError {
    /// The process at the other end is no longer there.
    fileprivate var isOfOneThatEnded: Bool { [ECONNRESET, EPIPE].contains(errnoCode) }
}
