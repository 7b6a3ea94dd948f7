import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed list`
struct FeedListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List posts, newest first.")

    @Option(name: [.customShort("n"), .long], help: "The maximum number of posts, 1 to 100.")
    var limit = FeedLimits.defaultPage

    @Option(help: "List the posts of one person, as @handle, by name or by number.")
    var of: String?

    @Flag(help: "List your bookmarks.")
    var bookmarks = false

    @Option(help: "Continue after a page: the “next” value that “--json” prints.")
    var after: String?

    @Option(help: "List the posts right above one in your feed, by the digits that this command shows beside it.")
    var above: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...FeedLimits.maximumPage).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(FeedLimits.maximumPage).")
        }
        guard above == nil || (of == nil && !bookmarks && after == nil) else {
            throw ValidationError("Give “--above” without “--after”, “--of” and “--bookmarks”.")
        }
        guard of == nil || !bookmarks else { throw ValidationError("Give “--of” or “--bookmarks”, not both.") }
    }

    func run() async throws {
        try await Home.looking { home in
            let page: FeedPage
            if bookmarks {
                page = try await home.posts.bookmarks(after: after, limit: limit)
            } else if let of {
                let person = try await PersonArgument.find(of, in: home)
                page = try await home.posts.posts(of: person.id, after: after, limit: limit)
            } else if let above {
                page = try await home.posts.feed(above: EntryArgument.find(above, in: home), limit: limit)
            } else {
                page = try await home.posts.feed(after: after, limit: limit)
            }
            if output.json { return try output.print(await FeedDocument(page, home)) }
            show(page, names: try await FeedOutbox.names(in: home))
        }
    }

    /// - Parameter isUnreached: only what this device has fetched was looked through.
    private func emptiness(isUnreached: Bool) -> String {
        if above != nil { return "There is nothing newer than that post." }
        if bookmarks { return "No bookmarks yet. “bothy feed bookmark POST” adds one." }
        if let of, isUnreached { return "No posts by \(of) are on this device. With a connection, they are shown." }
        if let of { return "\(of) has not posted anything yet." }
        return "Nothing here yet. “bothy feed people” lists who is here; “bothy feed post TEXT” posts something."
    }

    private func show(_ page: FeedPage, names: [Int64: String]) {
        if let newer = page.newer { output.print(PostWords.newer(above: newer)) }
        for post in page.waiting { output.print(PostWords.waiting(post, names: names)) }
        for post in page.posts {
            output.print(PostWords.preview(post))
            if let gap = page.gaps[post.postId] { output.print(PostWords.missing(gap)) }
        }
        output.note(unreached: page.unreached)
        if page.posts.isEmpty, page.waiting.isEmpty, page.newer == nil {
            output.note(emptiness(isUnreached: page.unreached != nil))
        }
    }
}

extension OutputOptions {
    /// Lines that were asked for, however quiet it is.
    func print(_ lines: [String]) { for line in lines { print(line: line) } }

    /// Says that what is shown is what was known here before, where it is.
    func note(unreached failure: ClientFailure?) {
        if let failure { note("\(failure.words) This is what this device has fetched before.") }
    }

    /// The same, or a document.
    func list(_ lines: [String], _ document: some Encodable) throws {
        if json { return try print(document) }
        print(lines)
    }
}
