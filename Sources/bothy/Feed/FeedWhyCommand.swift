import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed why`
struct FeedWhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Tell why a post is in your feed, and what of it waits on this device.",
        discussion: "It asks nobody: it tells what is known here.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them, or a number as “bothy feed outbox” shows it.")
    var post: String

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        /// Absent for one that waits.
        var post: Int64?
        /// `yours`, `followed`, `shared`, or `seen` for one that is in no feed here.
        var because: String?
        var sharedBy: AuthorPreview?
        var audience: PostAudience?
        var waiting: [OperationDocument]
    }

    func run() async throws {
        try await Home.looking { home in
            let operations = try await home.feed.operations()
            if let number = Int64(post), let waiting = operations.first(where: { $0.id == number && $0.holdsWords }) {
                return try tell([], waiting: [waiting], Document(waiting: []))
            }
            let id = try await PostArgument.find(post, in: home)
            let about = operations.filter { $0.postId == id && $0.state != .acknowledged }
            let known = try await home.feed.keptPreview(id)
            let you = try home.account.signedIn()?.user.id
            let (because, words) = Self.reason(known, you: you)
            let audience = known.map { AudienceWords.told($0.preview.audience, author: $0.preview.author.name) }
            try tell(
                [words] + [audience].compactMap(\.self), waiting: about,
                Document(
                    post: id, because: because, sharedBy: known?.preview.sharedBy, audience: known?.preview.audience,
                    waiting: []))
        }
    }

    private static func reason(
        _ known: (preview: PostPreview, isInFeed: Bool)?, you: Int64?
    ) -> (because: String?, words: String) {
        guard let known else { return (nil, "This device has only heard of it.") }
        let author = known.preview.author
        if author.id == you { return ("yours", "You wrote it.") }
        if let sharer = known.preview.sharedBy {
            return ("shared", "It is in your feed because \(sharer.name) shared it; \(author.name) wrote it.")
        }
        guard known.isInFeed else {
            return ("seen", "It is not in your feed; it was seen here. \(author.name) wrote it.")
        }
        return ("followed", "It is in your feed because you follow \(author.name).")
    }

    private func tell(_ lines: [String], waiting: [FeedOperation], _ document: Document) throws {
        if output.json {
            var document = document
            document.waiting = waiting.map { OperationDocument($0, path: nil) }
            return try output.print(document)
        }
        output.print(lines)
        for operation in waiting {
            let since = MomentText.text(operation.createdAt)
            output.print([
                "Number \(operation.id), since \(since): \(FeedOperationWords.deed(operation)) — \(operation.standingWords)"
            ])
            if let remedy = operation.remedyWords { output.print([remedy]) }
        }
        if waiting.isEmpty { output.print(["Nothing of it waits to be sent."]) }
    }
}
