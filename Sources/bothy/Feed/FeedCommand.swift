import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed`
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Read what people post whom you follow.",
        discussion: """
            Without a connection it shows what was read here before, and what you wrote meanwhile. The digits beside each \
            post name it for “bothy read”, “bothy like” and the others.
            """,
        subcommands: [List.self, Waiting.self, Retry.self, Discard.self], defaultSubcommand: List.self)

    /// `bothy feed list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List posts, the newest first.")

        @Option(name: [.customShort("n"), .long], help: "How many to show at most, 1 to 100.")
        var limit = FeedLimits.defaultPage

        @Option(help: "The posts of one person, by name or number.")
        var of: String?

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...FeedLimits.maximumPage).contains(limit) else {
                throw ValidationError("“--limit” should be 1 to \(FeedLimits.maximumPage).")
            }
        }

        func run() async throws {
            try await Home.looking { home in
                let page: FeedPage
                if let of {
                    let person = try await PersonArgument.find(of, in: home)
                    page = try await home.posts.posts(of: person.id, after: nil, limit: limit)
                } else {
                    page = try await home.posts.feed(after: nil, limit: limit)
                }
                try show(page)
            }
        }

        private func show(_ page: FeedPage) throws {
            for post in page.waiting {
                try output.list(PostWords.waiting(post), WaitingPostDocument(post))
            }
            for var post in page.posts {
                // Signed, and good for an hour: nothing for a script to keep.
                post.attachmentPreviewImageUrl = nil
                try output.list(PostWords.preview(post), post)
            }
            if let failure = page.unreached {
                output.note("\(failure.words) This is what was read here before.")
            }
            if page.posts.isEmpty, page.waiting.isEmpty {
                output.note(
                    "Nothing here yet. “bothy people” lists whom you could follow; “bothy post” says something.")
            }
        }
    }

    /// `bothy feed waiting`
    struct Waiting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "waiting", abstract: "List the posts that were written here and are not posted yet.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.looking { home in
                let waiting = try await FeedCommand.waiting(in: home)
                for post in waiting { try output.list(PostWords.waiting(post), WaitingPostDocument(post)) }
                if waiting.isEmpty { output.note("No post waits.") }
            }
        }
    }

    /// `bothy feed retry`
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Try once more to post what was refused.")

        @Argument(help: "Numbers, as “bothy feed waiting” shows them; all without any.")
        var numbers: [Int64] = []

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                let waiting = try await FeedCommand.chosen(numbers, in: home)
                guard !waiting.isEmpty else { return output.note("No post waits.") }
                for post in waiting { try await home.posts.tryAgain(post.id) }
                let asked = Set(waiting.map(\.id))
                let left = try await home.feed.operations().filter { $0.state == .refused && asked.contains($0.id) }
                guard left.isEmpty else {
                    throw Complaint(
                        left[0].lastError ?? ClientFailure(.refused, "The server will not have it."))
                }
                try await FeedEnding(output: output).tell(home, done: "Everything was posted.")
            }
        }
    }

    /// `bothy feed discard`
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard", abstract: "Give up posts that were written here and are not posted yet.")

        @Argument(help: "Numbers, as “bothy feed waiting” shows them.")
        var numbers: [Int64]

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                for post in try await FeedCommand.chosen(numbers, in: home) {
                    try await home.posts.discard(post.id)
                    try output.tell("\(post.id) is discarded.", WaitingPostDocument(post))
                }
            }
        }
    }

    /// What is posted and has not come into the feed here yet waits for nothing.
    private static func waiting(in home: DeviceHome) async throws -> [WaitingPost] {
        try await home.feed.operations().filter { $0.state != .acknowledged }.compactMap(\.waitingPost)
    }

    private static func chosen(_ numbers: [Int64], in home: DeviceHome) async throws -> [WaitingPost] {
        let waiting = try await waiting(in: home)
        for number in numbers where !waiting.contains(where: { $0.id == number }) {
            throw Complaint(
                .notThere, "No post that waits has the number \(number).", remedy: "“bothy feed waiting” lists them.",
                status: .notThereOrInConflict)
        }
        return numbers.isEmpty ? waiting : waiting.filter { numbers.contains($0.id) }
    }
}

extension OutputOptions {
    /// Lines for a person, or the same as a document, however quiet it is: it was asked for.
    func list(_ lines: [String], _ document: some Encodable) throws {
        if json { return try print(document) }
        for line in lines { print(line: line) }
    }
}
