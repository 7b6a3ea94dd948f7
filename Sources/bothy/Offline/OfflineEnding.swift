import ArgumentParser
import BothyClient
import BothyContract

/// `--wait`, of commands that write down what cannot be sent.
struct WaitOptions: ParsableArguments {
    @Flag(help: "Wait for a connection, and until the server has done it.")
    var wait = false
}

/// What a command does once its own work is done: it keeps what is known here fresh, and says what could not be sent.
struct OfflineEnding {
    /// For a person; nil where a script reads, or nobody wants to hear.
    var output: OutputOptions?
    var waits = false

    /// Pages of changes that a command fetches beside its own work; a first link of more continues with the next command.
    private static let pages = 3
    /// The most seconds that keeping up may take.
    private static let patience = 2.0

    /// - Throws: `Finished` where something that the command did waits to be sent.
    func run(_ home: DeviceHome) async throws {
        let reach = home.files.reach
        if waits, !reach.recorded.isEmpty {
            try await ServerWait(home: home) { [output] words in output?.note(words) }.run()
        }
        if reach.isOffline {
            // One that does not start sends nothing; the words say so.
            let isLeft = !reach.recorded.isEmpty || reach.handedOn > 0
            let isSeenTo = isLeft ? (try? await HomeAgent.goOn()) ?? false : false
            if isSeenTo { await HomeAgent.look() }
            try await tell(home, isSeenTo: isSeenTo)
        } else if reach.wasReached, try home.account.signedIn() != nil {
            await keepUp(home)
        }
        try await tellNews(home)
        try await tellSetAside(home)
        if try await isWaiting(home) { throw Finished(status: .queued) }
    }

    /// Whether something that this command did is not done at the server yet.
    private func isWaiting(_ home: DeviceHome) async throws -> Bool {
        if home.files.reach.handedOn > 0 { return true }
        let mine = Set(home.files.reach.recorded)
        guard !mine.isEmpty else { return false }
        return try await home.replica.operations().contains { mine.contains($0.id) && $0.state != .acknowledged }
    }

    /// What the command did is done: how fresh the replica is, is no reason to fail it, or to keep anybody waiting.
    private func keepUp(_ home: DeviceHome) async {
        await Self.inTime {
            guard (try? await home.replica.pull(pages: Self.pages)) == true else { return }
            try? await Upkeep.once(home)
        }
    }

    /// Sends what waits, of a command that has found the server and sends nothing itself: what stands in its way is told with it.
    static func sendWhatWaits(_ home: DeviceHome) async throws {
        guard try await home.conditions.hold(on: .byItself) == nil,
            try await home.replica.operations().contains(where: { $0.state != .acknowledged && !$0.waitsForAPerson })
        else { return }
        // What stays unsent is told by the journal, with its reason.
        await inTime { try? await home.files.sendWhatWaits() }
    }

    private static func inTime(_ work: @escaping @Sendable () async -> Void) async {
        let working = Task { await work() }
        let alarm = Task {
            guard (try? await Task.sleep(for: .seconds(patience))) != nil else { return }
            working.cancel()
        }
        await working.value
        alarm.cancel()
    }

    /// What was met on the way, and what was decided about it.
    private func tellNews(_ home: DeviceHome) async throws {
        guard let output, !output.quiet, !output.json else { return }
        for one in try await home.replica.takeNews() {
            switch one {
            case .waits(let operation):
                let deed = try await OperationWords(operation, in: home.replica).deed
                output.note(
                    "Not done yet: \(deed). \(operation.lastError?.words ?? "It needs you.") “bothy conflicts” lists it."
                )
            case .decided(let decision):
                output.note("\(DecisionWords(decision).told) “bothy resolve --undo \(decision.id)” undoes that.")
            }
        }
    }

    private func tellSetAside(_ home: DeviceHome) async throws {
        guard let output, let (path, rescued) = try await home.replica.setAside() else { return }
        let along =
            switch rescued {
            case 0: "No unsent change could be read from it."
            case 1: "1 unsent change was kept."
            default: "\(rescued) unsent changes were kept."
            }
        output.note(
            "This device's list of files was damaged or from a newer Bothy. It was moved to “\(path)”, and a new one was started. \(along)"
        )
    }

    /// - Parameter isSeenTo: whether an agent sends what waits once there is a connection. Without one nothing is sent by itself.
    private func tell(_ home: DeviceHome, isSeenTo: Bool) async throws {
        guard let output, !output.quiet, !output.json else { return }
        let count = home.files.reach.recorded.count + home.files.reach.handedOn
        let words: String
        if count > 0 {
            let what = count == 1 ? "This" : "These \(count)"
            words = "There is no connection. \(what) will be sent when there is one\(isSeenTo ? "" : Self.laterOn)."
        } else if let seen = try await home.replica.pulledAt() {
            let waiting = try await home.replica.operations().count { $0.state != .acknowledged }
            let along =
                switch waiting {
                case 0: ""
                case 1: ", with 1 change that is not sent yet: “bothy journal” shows it"
                default: ", with \(waiting) changes that are not sent yet: “bothy journal” shows them"
                }
            words = "There is no connection. This is the last known state, from \(MomentText.text(seen))\(along)."
        } else {
            return
        }
        Terminal().writeError(words + "\n")
    }

    private static let laterOn = ", \(sentWithoutAgent)"

    /// When, where no agent sends it.
    static let sentWithoutAgent =
        "with the next command that reaches the server; “bothy agent --background” does it automatically"
}
