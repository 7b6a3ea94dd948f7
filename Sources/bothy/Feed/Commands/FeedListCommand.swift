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

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...FeedLimits.maximumPage).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(FeedLimits.maximumPage).")
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
            } else {
                page = try await home.posts.feed(after: after, limit: limit)
            }
            if output.json { return try output.print(await FeedDocument(page, home)) }
            show(page, names: try await FeedOutbox.names(in: home))
        }
    }

    private var emptiness: String {
        if bookmarks { return "No bookmarks yet. “bothy feed bookmark POST” adds one." }
        if let of { return "\(of) has not posted anything yet." }
        return "Nothing here yet. “bothy feed people” lists who is here; “bothy feed post TEXT” posts something."
    }

    private func show(_ page: FeedPage, names: [Int64: String]) {
        for post in page.waiting { output.print(PostWords.waiting(post, names: names)) }
        for post in page.posts {
            output.print(PostWords.preview(post))
            if let place = page.gaps[post.postId] { output.print(PostWords.missing(after: place)) }
        }
        output.note(unreached: page.unreached)
        if page.posts.isEmpty, page.waiting.isEmpty {
            output.note(emptiness)
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
