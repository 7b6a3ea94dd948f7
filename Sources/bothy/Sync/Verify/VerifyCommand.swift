import ArgumentParser
import BothyClient
import BothySync

/// `bothy verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the files in synced folders, and list damaged ones.",
        discussion: """
            Each file is compared with the SHA-256 of the last sync; without a path, files pinned for offline use are checked \
            as well. Files edited since are counted, but not checked. Nothing is changed or sent. It works offline, and while \
            the agent is running. To check what a server stores, use “bothy server verify” on its machine.

            Exit status 1 if something is damaged, 5 if something could not be read.
            """)

    @Argument(help: "Synced folders, or files and folders in them. Default: everything.", completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            try await Interruption.guarding {
                let session = VerifySession(home: home, output: output)
                do {
                    try await session.run(paths)
                } catch {
                    await session.display.end()
                    // Whatever a stopped reading fails with, what happened is that it was stopped.
                    if Task.isCancelled { throw CancellationError() }
                    throw error
                }
            }
        }
    }
}
