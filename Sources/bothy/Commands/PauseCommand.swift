import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy pause`
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause background sync and transfers on this device.",
        discussion: "Commands that you type (put, get, …) still run. “bothy resume” ends the pause.")

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
            "Background sync and transfers are paused\(end). “bothy resume” ends the pause.",
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
        abstract: "End the pause and continue in the background.",
        discussion:
            "The agent is started unless it runs already or BOTHY_AGENT=off. Transfers paused one by one stay paused: “bothy transfers resume”."
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
            ? "Background sync and transfers have resumed. “bothy status” shows them."
            : "The pause is over. No agent is running and BOTHY_AGENT=off prevents starting it: run “bothy agent” to continue."
        try output.tell(
            hold.map { "The pause is over. \($0.words) \($0.remedy)" } ?? words, PauseDocument(paused: false))
    }
}

/// Whether automatic work is held.
struct PauseDocument: Encodable {
    var paused: Bool
    var until: Timestamp?
}
