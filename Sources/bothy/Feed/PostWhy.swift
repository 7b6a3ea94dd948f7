import BothyClient
import BothyContract

/// Why a post is in a feed, and what of it waits.
struct PostWhy {
    let home: DeviceHome
    let output: OutputOptions

    private struct Document: Encodable {
        /// Absent for one that waits.
        var post: Int64?
        /// `yours`, `followed`, `shared`, or `seen` for one that is in no feed here.
        var because: String?
        var sharedBy: AuthorPreview?
        var audience: PostAudience?
        var waiting: [OperationDocument]
    }

    /// - Returns: false for what names no post that is known here.
    func tellIfKnown(_ typed: String) async throws -> Bool {
        guard !typed.isEmpty, typed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        if try await waiting(typed) == nil {
            guard typed.count >= PostArgument.fewest else { return false }
            let isSeen = try await home.feed.knownPosts().contains { String($0).hasSuffix(typed) }
            guard isSeen else { return false }
        }
        try await tell(typed)
        return true
    }

    /// - Parameter typed: the digits of a post, or a number of the outbox.
    func tell(_ typed: String) async throws {
        if let waiting = try await waiting(typed) { return try tell([], waiting: [waiting], Document(waiting: [])) }
        let id = try await PostArgument.find(typed, in: home)
        let about = try await home.feed.operations().filter { $0.postId == id && $0.state != .acknowledged }
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

    /// What waits under this number, and makes a post or a comment.
    private func waiting(_ typed: String) async throws -> FeedOperation? {
        guard let number = Int64(typed) else { return nil }
        return try await home.feed.operations().first { $0.id == number && $0.holdsWords }
    }

    private static func reason(
        _ known: (preview: PostPreview, isInFeed: Bool)?, you: Int64?
    ) -> (because: String?, words: String) {
        guard let known else { return (nil, "This device knows only its number.") }
        let author = known.preview.author
        if author.id == you { return ("yours", "You wrote it.") }
        if let sharer = known.preview.sharedBy {
            return ("shared", "It is in your feed because \(sharer.name) shared it; \(author.name) wrote it.")
        }
        guard known.isInFeed else {
            return ("seen", "It is not in your feed; you have opened it here. \(author.name) wrote it.")
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
        if waiting.isEmpty { output.print(["Nothing is waiting to be sent for it."]) }
    }
}
