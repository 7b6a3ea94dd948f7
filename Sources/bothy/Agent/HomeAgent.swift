import BothyAgent
import BothyClient
import BothySync
import Foundation

/// The agent of the home that commands work from, as they talk to it. Every command works without it too.
enum HomeAgent {
    private static let version = AgentVersion.ofThisProcess()

    static var launcher: AgentLauncher {
        AgentLauncher(
            home: DeviceHome.defaultDirectory(), program: program, own: version, environment: Home.environment)
    }

    /// Whether commands start an agent for what is to go on after them. In a script or a container nobody may want one.
    private static var startsByItself: Bool { ProcessInfo.processInfo.environment["BOTHY_AGENT"] != "off" }

    /// Sees to it that an agent continues what a command leaves to be done, unless the person wants none.
    ///
    /// - Returns: whether one runs now.
    static func goOn() async throws -> Bool {
        guard startsByItself else { return (try? await launcher.client.hello()) != nil }
        try await launcher.ensure()
        return true
    }

    /// Tells the agent, where one runs, that something has changed here.
    static func look() async {
        // The agent looks at the same files when it next starts: what was changed is written down already.
        _ = try? await launcher.client.ask(.look)
    }

    /// Runs `work` with the agent watching, where one runs: it continues what a killed command leaves behind.
    static func attended<Value: Sendable>(
        _ home: DeviceHome, _ work: () async throws -> Value
    ) async throws -> Value {
        let (client, runner) = (launcher.client, home.transfers.runnerId)
        // Without an agent nobody attends, and the next one adopts what is left.
        let attending = Task { _ = try? await client.ask(.attend(runner: runner)) }
        defer { attending.cancel() }
        return try await work()
    }

    /// Runs `work` while the agent, where one runs, leaves a bound folder to this command. What has changed about the
    /// binding it looks at afterwards.
    static func borrowing<Value: Sendable>(_ binding: Binding, _ work: () async throws -> Value) async throws -> Value {
        try await launcher.client.borrowing(binding.id, of: FoldersPart.partName, work)
    }

    /// The file of this program; of the one that took its place, where it was replaced while it ran.
    static var program: String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return CommandLine.arguments[0]
        }
        let replaced = " (deleted)"
        return path.hasSuffix(replaced) ? String(path.dropLast(replaced.count)) : path
    }
}
