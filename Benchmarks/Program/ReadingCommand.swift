import ArgumentParser
import Foundation

/// Reads and likes posts on a device that keeps them, while nobody answers at its server's address.
struct ReadingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reading", abstract: "Measures the feed on a device that keeps it and has no server to ask.",
        discussion:
            "Makes a device's home, fills it with posts as pages of a feed bring them, and prints milliseconds as JSON."
    )

    @Option(help: "The folder of the device's home, which is made.") var home: String
    @Option(help: "Posts that the device keeps.") var posts = 10_000
    @Option(help: "How often each is measured, after a tenth as often that does not count.") var samples = 400
    @Option(help: "The same seed makes the same posts.") var seed: UInt64 = 1

    func validate() throws {
        guard posts > 0, samples > 0 else { throw ValidationError("Posts and samples are 1 or more.") }
    }

    func run() async throws {
        let device = try await KeptFeed(posts: posts, seed: seed).open(at: URL(fileURLWithPath: home).path)
        let figures = try await ReadingFigures(device, samples: samples)
        try await device.close()
        try figures.printAsJSON()
    }
}
