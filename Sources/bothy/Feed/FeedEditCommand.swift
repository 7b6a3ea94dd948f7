import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed edit`
struct FeedEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Write anew what waits to be posted.",
        discussion: "What was refused is sent again with its new text. The text is Markdown, as in “bothy feed post”.")

    @Argument(help: "A number, as “bothy feed outbox” shows it.")
    var number: Int64

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var number: Int64
        /// False where it waits for a connection.
        var posted: Bool
    }

    func run() async throws {
        try await Home.using { home in
            let written = try PostTyped.text(text)
            guard !written.isEmpty else { throw Complaint.usage("There is nothing to post.") }
            try await home.posts.rewrite(number, content: written.html)
            let left = try await home.feed.operation(number)
            if let failure = left?.lastError, left?.state == .parked { throw Complaint(failure) }
            if left == nil || left?.state == .acknowledged {
                return try output.tell("Posted.", Document(number: number, posted: true))
            }
            try await FeedEnding(output: output).tell(home, done: "Posted.", Document(number: number, posted: false))
        }
    }
}
