import BothyClient
import CShims
import Foundation

/// Sees to it that an agent of at least this release runs.
package struct AgentLauncher: Sendable {
    private let home: String
    private let program: String
    private let own: AgentVersion
    private let environment: ClientEnvironment

    /// Seconds that an agent may take to listen: it may have a database to bring up to date.
    private static let patience: Int32 = 30
    /// Bytes of the log after which it is put aside, once.
    private static let longestLog: Int64 = 1 << 20
    /// Bytes of what an agent says instead of that it listens.
    private static let longestWord = 64 << 10

    /// - Parameter program: the path of `bothy` itself.
    package init(home: String, program: String, own: AgentVersion, environment: ClientEnvironment) {
        self.home = home
        self.program = program
        self.own = own
        self.environment = environment
    }

    package var client: AgentClient { AgentClient(home: home, own: own) }

    /// Starts an agent where none runs, and another in the place of one that is older than this program.
    ///
    /// - Throws: why it does not start.
    package func ensure() async throws {
        let place = try AgentPlace.make(in: home)
        // Two commands at once start one agent.
        let lock = try await FileLock.take(place.startingLockPath, clock: environment.clock)
        defer { withExtendedLifetime(lock) {} }
        if let hello = try await client.hello() {
            guard hello.version < own else { return }
            _ = try await stop()
        }
        try await start(place)
    }

    /// Ends the agent that runs, and returns once the home is free.
    ///
    /// - Returns: false when none ran.
    package func stop() async throws -> Bool {
        guard let place = try AgentPlace.find(in: home), AgentLock.isHeld(place) else { return false }
        let giveUp = environment.clock.uptime() + Double(Self.patience)
        var isTold = false
        while AgentLock.isHeld(place) {
            do {
                if !isTold { _ = try await client.ask(.stop) }
                isTold = true
            } catch let failure as ClientFailure where failure.code == .agentFailed {
                // It does not listen yet, or was gone before it could answer: the lock says.
            }
            guard environment.clock.uptime() < giveUp else {
                throw AgentLock.unanswering(place, disk: environment.disk)
            }
            try await environment.clock.sleep(seconds: 0.02)
        }
        return true
    }

    private func start(_ place: AgentPlace) async throws {
        try rotateLog(place)
        let log = open(place.logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw ClientFailure(errno: errno, path: place.logPath, doing: "be written") }
        defer { close(log) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ClientFailure(errno: errno, path: place.folder, doing: "be watched") }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reading) }
        let failed = spawn(log: log, ready: writing)
        close(writing)
        guard failed == 0 else { throw ClientFailure(errno: failed, path: program, doing: "be started") }
        let word = try await DiskQueue("agent-start").run { Self.word(from: reading) }
        try await heed(word, place)
    }

    /// What the agent said before it closed the pipe: `ready`, or a failure.
    private func heed(_ word: Data?, _ place: AgentPlace) async throws {
        if word == Self.ready { return }
        // What is no failure is told below as an agent that ended.
        if let word, let failure = try? JSONDecoder().decode(ClientFailure.self, from: word) {
            // Somebody typed “bothy agent” at the same moment: theirs is as good.
            if failure.code == .agentRunning, try await client.hello() != nil { return }
            throw failure
        }
        throw ClientFailure(
            .agentFailed, word == nil ? "The agent does not start." : "The agent stopped right after it started.",
            remedy: "Its log, “\(place.logPath)”, says why.")
    }

    /// What an agent writes when it listens.
    package static let ready = Data("ready".utf8)

    /// - Returns: nil when nothing came in time.
    private static func word(from descriptor: Int32) -> Data? {
        var word = Data()
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while word.count < longestWord {
            guard poll(&waiting, 1, patience * 1000) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            if count <= 0 { return word }
            word.append(contentsOf: bytes[..<count])
        }
        return word
    }

    private func spawn(log: Int32, ready: Int32) -> Int32 {
        var variables = ProcessInfo.processInfo.environment
        variables["BOTHY_HOME"] = home
        let arguments = [program, "agent", "--ready-descriptor", "3"]
        return Self.withCStrings(arguments) { arguments in
            Self.withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                var child: pid_t = 0
                return bothy_start_detached(program, arguments, variables, log, ready, &child)
            }
        }
    }

    private static func withCStrings<Value>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }

    private func rotateLog(_ place: AgentPlace) throws {
        guard let facts = try environment.disk.facts(of: place.logPath), facts.size > Self.longestLog else { return }
        try environment.disk.rename(place.logPath, to: place.logPath + ".old", replacing: true)
    }
}

extension AgentLock {
    /// The lock is held, and nobody answers.
    static func unanswering(_ place: AgentPlace, disk: any LocalDisk) -> ClientFailure {
        let who = holder(place, disk: disk).map { "Process \($0.pid)" } ?? "A process"
        return ClientFailure(
            .agentFailed, "\(who) is this home's agent, and does not answer.",
            remedy: "Stop it with “kill”; the next agent continues its work.")
    }
}
