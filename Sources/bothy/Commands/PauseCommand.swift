import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy pause`
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Hold everything that goes on by itself on this device.",
        discussion: "What you type yourself (put, get, …) still runs. “bothy resume” lifts it.")

    @Option(name: .customLong("for"), help: "How long: 30m, 1h, 2d. Without it, until “bothy resume”.")
    var span: TimeSpan?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let pause = try await Home.using { home in
            let pause = try await home.settings.setPause(seconds: span?.seconds)
            await HomeAgent.look()
            await Self.askWatches(FolderBindings(home: home))
            return pause
        }
        let end = pause.until.map { " until \(MomentText.text($0, seenAt: SystemTime.now()))" } ?? ""
        try output.tell(
            "Nothing goes on by itself here\(end). “bothy resume” goes on.",
            PauseDocument(paused: true, until: pause.until))
    }

    /// A watch that has lent its folder looks at what holds it before it goes on: what is done from here on is not sent. One that does not
    /// lend it looks within a second.
    private static func askWatches(_ bindings: FolderBindings) async {
        let watched = ((try? await bindings.all()) ?? []).filter { bindings.watch(of: $0) != nil }
        await withTaskGroup { group in
            // One that does not lend its folder looks within a second.
            for binding in watched { group.addTask { _ = try? await bindings.borrow(binding) } }
        }
    }
}

/// `bothy resume`
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lift the pause: what waits goes on, in the background.",
        discussion:
            "The agent is started where none runs, unless BOTHY_AGENT=off. Transfers that were stopped one by one stay: “bothy transfers resume”."
    )

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let hold = try await Home.using { home in
            try await home.settings.liftPause()
            return try await home.conditions.hold(on: .byItself)
        }
        let goesOn = try await HomeAgent.goOn()
        await HomeAgent.look()
        let words =
            goesOn
            ? "What waits goes on. “bothy status” shows it."
            : "The pause is over. No agent runs, and BOTHY_AGENT=off starts none: “bothy agent” does, and goes on."
        try output.tell(
            hold.map { "The pause is over. \($0.words) \($0.remedy)" } ?? words, PauseDocument(paused: false))
    }
}

/// Whether what goes on by itself is held.
struct PauseDocument: Encodable {
    var paused: Bool
    var until: Timestamp?
}
