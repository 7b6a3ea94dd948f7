import BothyClient
import BothyContract
import Foundation
import Logging

@testable import BothyAgent

/// A home for agents, which goes with its last owner.
final class AgentHome: Sendable {
    let path: String
    let place: AgentPlace

    /// - Parameter depth: folders above it, of 40 letters each.
    init(depth: Int = 0) throws {
        let names = (0..<depth).map { _ in "/" + String(repeating: "d", count: 40) }.joined()
        path = "\(NSTemporaryDirectory())/bothy-agent-\(UUID().uuidString)\(names)"
            .replacingOccurrences(of: "//", with: "/")
        place = try AgentPlace.make(in: path)
    }

    /// - Parameter socketPath: bytes of its socket's path.
    init(socketPath length: Int) throws {
        let above = "\(NSTemporaryDirectory())/bothy-agent-\(UUID().uuidString.prefix(8))-".replacingOccurrences(
            of: "//", with: "/")
        path = above + String(repeating: "d", count: max(1, length - AgentSocketPath.inside(above).utf8.count))
        place = try AgentPlace.make(in: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static let version = AgentVersion(release: "1.2.3", build: 100)
    static let logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    func lock(_ version: AgentVersion = AgentHome.version) throws -> AgentLock {
        try AgentLock.take(
            place, as: .init(pid: getpid(), version: version, startedAt: Timestamp(seconds: 1)), disk: SystemDisk())
    }

    func client(_ version: AgentVersion = AgentHome.version) -> AgentClient { AgentClient(home: path, own: version) }

    /// A program of a few lines of shell in place of `bothy`.
    func program(_ lines: String) throws -> String {
        let file = "\(path)/program"
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, 0o700)
        try waitUntilNobodyWrites(file)
        return file
    }

    /// A process that another test starts just now has this one's open files until it becomes what it is to be, and what is
    /// open for writing cannot be run («text file busy»). A read lease is given once nobody writes any more: fcntl(2).
    private func waitUntilNobodyWrites(_ file: String) throws {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        defer { try? handle.close() }
        let setLease: Int32 = 1024  // F_SETLEASE
        while fcntl(handle.fileDescriptor, setLease, F_RDLCK) != 0, errno == EAGAIN { sched_yield() }
        _ = fcntl(handle.fileDescriptor, setLease, F_UNLCK)
    }

    /// Nobody gives up: what a busy machine takes is no matter here.
    private struct PatientClock: ClientClock {
        func now() -> Timestamp { SystemClock().now() }
        func uptime() -> Double { 0 }
        func sleep(seconds: Double) async throws { try await SystemClock().sleep(seconds: seconds) }
    }

    func launcher(_ program: String, own: AgentVersion = AgentHome.version) -> AgentLauncher {
        var environment = ClientEnvironment.live
        environment.clock = PatientClock()
        return AgentLauncher(home: path, program: program, own: own, environment: environment)
    }

    func read(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// Runs `body` while an agent listens that answers so.
    @discardableResult
    func listening<Value: Sendable>(
        as version: AgentVersion = AgentHome.version, language: Int = AgentHello.language,
        to commands: PeerIdentity = .own,
        _ answer: @escaping AgentListener.Answer, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let lock = try lock(version)
        defer { withExtendedLifetime(lock) {} }
        let hello = AgentHello(language: language, version: version, pid: getpid())
        let listener = AgentListener(place, hello: hello, logger: Self.logger, commands: commands, answer: answer)
        let (listening, told) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await listener.run { told.finish() }
                return nil
            }
            group.addTask {
                for await _ in listening {}
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }
}
