import BothyClient
import BothyContract

/// Runs the parts while nothing holds them back, and tells how each stands.
///
/// What it goes by is on the disk: who is signed in, and whether the person has paused. It looks when it is told to, when a
/// pause ends, and when its rules say that things have turned; it never looks for the sake of looking.
package actor AgentEngine {
    private enum Standing {
        case running
        case failed(ClientFailure)
    }

    private let parts: [any AgentPart]
    private let rules: any AgentRules
    private let clock: any ClientClock
    private var standing = [String: Standing]()
    private var hold: AgentHold?
    /// The rules could not be read: that holds everything back, and may be over by the next time.
    private var isUnread = false
    private var hasLooked = false
    private var isStopped = false
    private var looking: Task<Void, Never>?
    private var turning: Task<Void, Never>?

    /// Seconds until it is asked again whether things have turned, where that could not be told.
    private static let patience = 10.0
    /// Seconds until the calendar is looked at again, where something ends at a time of it.
    private static let longestWait = 60.0

    package init(parts: [any AgentPart], rules: any AgentRules, clock: any ClientClock) {
        precondition(Set(parts.map(\.name)).count == parts.count, "parts have names of their own")
        self.parts = parts
        self.rules = rules
        self.clock = clock
    }

    /// Looks at what holds, and starts or stops the parts accordingly. Returns once that is done; those who ask meanwhile
    /// are answered by a look that began after they asked.
    package func look() async {
        let earlier = looking
        let task = Task {
            await earlier?.value
            await lookOnce()
        }
        looking = task
        await task.value
    }

    /// Lends one of a part's subjects for as long as `use` takes, and takes it back however that ends: a command that went away
    /// while it waited for it must not keep it.
    ///
    /// - Parameter part: by its name; one that does not run has nothing to lend.
    package func lend(_ subject: String, of part: String, while use: () async throws -> Void) async throws {
        let part = parts.first { $0.name == part }
        await part?.lend(subject)
        do {
            try await use()
        } catch {
            await Self.takeBack(subject, from: part)
            throw error
        }
        await Self.takeBack(subject, from: part)
    }

    /// Also where its holder is cancelled.
    private static func takeBack(_ subject: String, from part: (any AgentPart)?) async {
        await Task { await part?.takeBack(subject) }.value
    }

    /// Ends all parts, in order, for good.
    package func stop() async {
        isStopped = true
        turning?.cancel()
        await looking?.value
        await stopParts()
    }

    package func status() async -> [AgentStatusLine] {
        guard hasLooked else { return [AgentStatusLine("agent", .working, "It is starting.")] }
        if let hold { return [hold.line] }
        var lines = [AgentStatusLine]()
        for part in parts {
            switch standing[part.name] {
            case .running: lines += await part.status()
            case .failed(let failure): lines.append(AgentStatusLine(part.name, failure))
            case nil: break
            }
        }
        return lines
    }

    // MARK: - One look

    private func lookOnce() async {
        guard !isStopped else { return }
        do {
            hold = try await rules.hold()
            isUnread = false
        } catch {
            hold = AgentHold(error)
            isUnread = true
        }
        hasLooked = true
        guard !isStopped else { return }
        wakeWhenItTurns()
        guard hold == nil else { return await stopParts() }
        for part in parts where !isStopped { await run(part) }
    }

    private func run(_ part: any AgentPart) async {
        do {
            if case .running? = standing[part.name] { try await part.look() } else { try await part.start() }
            standing[part.name] = .running
        } catch {
            standing[part.name] = .failed(AgentHold.failure(error))
        }
    }

    /// The last one first: what stands on others goes before them.
    private func stopParts() async {
        for part in parts.reversed() where standing.removeValue(forKey: part.name) != nil { await part.stop() }
    }

    private func wakeWhenItTurns() {
        turning?.cancel()
        turning = Task { [weak self, hold, isUnread, rules, clock] in
            do {
                if isUnread {
                    try await clock.sleep(seconds: Self.patience)
                } else if let end = hold?.until {
                    try await Self.wait(for: end, clock)
                } else if try await !rules.turned(from: hold) {
                    return
                }
            } catch {
                // What could not be read now may be read later.
                guard (try? await clock.sleep(seconds: Self.patience)) != nil else { return }
            }
            await self?.look()
        }
    }

    /// The calendar may be set meanwhile, so it is looked at again and again.
    private static func wait(for end: Timestamp, _ clock: any ClientClock) async throws {
        repeat {
            let left = Double(max(0, end.seconds(since: clock.now()))) + 1
            try await clock.sleep(seconds: min(left, longestWait))
        } while clock.now() < end
    }
}

/// What decides whether an agent may work now.
package protocol AgentRules: Sendable {
    /// - Returns: nil when nothing stands in the way.
    func hold() async throws -> AgentHold?

    /// Returns once something else holds than `hold` though nobody has said anything.
    ///
    /// - Returns: false where that cannot come.
    func turned(from hold: AgentHold?) async throws -> Bool
}

/// What holds everything back.
package struct AgentHold: Equatable, Sendable {
    package var line: AgentStatusLine
    /// When it ends by itself.
    package var until: Timestamp?

    package init(_ line: AgentStatusLine, until: Timestamp? = nil) {
        self.line = line
        self.until = until
    }

    /// What could not even be found out.
    init(_ error: any Error) { line = AgentStatusLine("agent", Self.failure(error)) }

    /// What stopped a part, in words.
    package static func failure(_ error: any Error) -> ClientFailure {
        error as? ClientFailure ?? ClientFailure(.agentFailed, "The agent had an unexpected error: \(error).")
    }
}
