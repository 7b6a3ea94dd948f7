import ArgumentParser
import BothyAgent
import BothyClient

/// `bothy agent`
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Look after this device's files in the background.",
        discussion: """
            Each home has one agent. It resumes interrupted transfers, keeps folders synced and is idle while nothing \
            changes. Commands that need the agent start it; all others work without it. “bothy status” shows what it does.

            Without an option it runs in the foreground until Ctrl-C, as a service manager expects.
            """)

    @Flag(help: "Start the agent in the background, or replace an older version of it, and return once it runs.")
    var background = false

    @Flag(help: "Stop the running agent, and return once it has stopped.")
    var stop = false

    @Flag(
        inversion: .prefixedNo,
        help: "Serve the web app to browsers on this machine (“bothy open” opens it), now and when it starts again.")
    var web: Bool?

    @Option(help: .hidden)
    var readyDescriptor: Int32?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var running: Bool
        var pid: Int32?
        var release: String?
    }

    func validate() throws {
        if background, stop { throw ValidationError("Use either --background or --stop.") }
        if background || stop, web != nil {
            throw ValidationError("--web and --no-web are for an agent in the foreground; otherwise use “bothy open”.")
        }
    }

    func run() async throws {
        if stop {
            let ran = try await HomeAgent.launcher.stop()
            try output.tell(ran ? "The agent has ended." : "No agent was running.", Document(running: false))
        } else if background {
            try await HomeAgent.launcher.ensure()
            let hello = try await HomeAgent.launcher.client.hello()
            try output.tell(
                "The agent runs\(hello.map { ": process \($0.pid)" } ?? "").",
                Document(running: hello != nil, pid: hello?.pid, release: hello?.version.release))
        } else {
            let run = AgentRun(
                directory: DeviceHome.defaultDirectory(), servesWeb: web,
                readiness: AgentReadiness(descriptor: readyDescriptor))
            try await Self.untilInterrupted { try await run.run() }
        }
    }

    /// An agent that is stopped while it starts ends in order, too.
    private static func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await Interruption.guarding(work)
        } catch is CancellationError {
            // It has ended in order.
        }
    }
}
