import ArgumentParser
import BothyAgent
import BothyClient

/// `bothy status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what this device is doing, what is waiting, and why.",
        discussion: "It changes nothing and works offline. “bothy doctor” checks for problems.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let document = try await Home.looking { home in
            try await DeviceReport(home: home, client: HomeAgent.launcher.client).gather()
        }
        if output.json { return try output.print(document) }
        output.print(StatusPage(document).table)
    }
}
