import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed search`
struct FeedSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find posts by their words, or by a hashtag.",
        discussion: """
            A post matches if it has a word beginning with each word that you type; case and accents do not matter. A single \
            “#tag” finds posts with that hashtag. Each says whether the server found it or this device. Posts that wait to be sent \
            are found, too. Without a connection, only the posts that are kept on this device are searched: the whole text of \
            posts that were opened here, and the beginning of the others.
            """)

    @Argument(help: "Words, or one “#tag”.")
    var words: [String]

    @Option(name: [.customShort("n"), .long], help: "The maximum number of results, 1 to 100.")
    var limit = FeedLimits.defaultPage

    @Option(help: "Continue after a page: the “next” value that “--json” prints.")
    var after: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...FeedLimits.maximumPage).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(FeedLimits.maximumPage).")
        }
        guard (1...SearchResponse.maximumQueryBytes).contains(typed.utf8.count) else {
            throw ValidationError("Give words of at most \(SearchResponse.maximumQueryBytes) bytes.")
        }
    }

    private var typed: String { words.joined(separator: " ") }

    func run() async throws {
        try await Home.looking { home in
            let page: FeedPage
            if typed.hasPrefix("#"), let tag = PostTag.folded(String(typed.dropFirst())) {
                page = try await home.postSearch.posts(tagged: tag, after: after, limit: limit)
            } else {
                page = try await home.postSearch.posts(having: typed, after: after, limit: limit)
            }
            if output.json { return try output.print(await FeedDocument(page, home)) }
            show(page, names: try await FeedOutbox.names(in: home))
        }
    }

    private func show(_ page: FeedPage, names: [Int64: String]) {
        for post in page.waiting { output.print(PostWords.waiting(post, names: names)) }
        for post in page.posts { output.print(PostWords.preview(post, from: page.source)) }
        let isAlone = page.source == .device
        if isAlone {
            let reason = page.unreached.map { "\($0.words) " } ?? ""
            output.note("\(reason)These are only the posts that are kept on this device.")
        }
        guard page.posts.isEmpty, page.waiting.isEmpty else { return }
        output.note("Nothing \(isAlone ? "that is kept on this device" : "that you can read") has these words.")
    }
}

/// `bothy feed tags`
struct FeedTagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "List hashtags, the most used first.")

    @Argument(help: "The beginning of a hashtag.")
    var prefix = ""

    @Option(name: [.customShort("n"), .long], help: "The maximum number of results, 1 to 100.")
    var limit = TagsResponse.defaultLimit

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...TagsResponse.maximumLimit).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(TagsResponse.maximumLimit).")
        }
    }

    func run() async throws {
        try await Home.looking { home in
            let tags = try await home.postSearch.tags(beginningWith: prefix, limit: limit)
            try output.list(
                tags.map { "#\($0.tag) · \($0.postCount) \($0.postCount == 1 ? "post" : "posts")" },
                TagsResponse(tags: tags))
            if tags.isEmpty { output.note("No post that you can read has such a hashtag.") }
        }
    }
}
