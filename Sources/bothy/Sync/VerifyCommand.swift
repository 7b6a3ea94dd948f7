import ArgumentParser
import BothyClient
import BothySync

/// `bothy verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read the files of the folders in step, and name those that are damaged.",
        discussion: """
            Each file is held against the SHA-256 that both sides last agreed on; so is what is kept here for times without \
            a connection, where no path is named. What was edited since is counted, and not judged. Nothing is changed and \
            nothing is sent; it needs no connection, and the agent may go on meanwhile. What a server stores is read by \
            “bothy server verify”, on its machine.

            Exit status 1 when something is damaged, 5 when something could not be read.
            """)

    @Argument(help: "Folders in step, or files and folders in them; without one, all there is.", completion: .file())
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
