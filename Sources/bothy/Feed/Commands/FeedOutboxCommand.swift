import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed outbox`
struct FeedOutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "List posts from this device that have not been sent yet.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            let waiting = try await FeedOutbox.waiting(in: home)
            let names = try await FeedOutbox.names(in: home)
            for post in waiting { try output.list(PostWords.waiting(post, names: names), WaitingPostDocument(post)) }
            if waiting.isEmpty { output.note("No posts are waiting.") }
        }
    }
}

/// `bothy feed retry`
struct FeedRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry posts that were refused.")

    @Argument(help: "Numbers, as “bothy feed outbox” shows them. Default: all.")
    var numbers: [Int64] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let waiting = try await FeedOutbox.chosen(numbers, in: home)
            guard !waiting.isEmpty else { return output.note("No posts are waiting.") }
            let asked = Set(waiting.map(\.id))
            for post in waiting { try await home.posts.tryAgain(post.id) }
            let left = try await home.feed.operations().filter { $0.state == .parked && asked.contains($0.id) }
            guard left.isEmpty else {
                throw Complaint(left[0].lastError ?? ClientFailure(.refused, "The server refuses this post."))
            }
            try await FeedEnding(output: output, of: asked).tell(home, done: "Everything was posted.")
        }
    }
}

/// `bothy feed discard`
struct FeedDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Discard posts that have not been sent yet.")

    @Argument(help: "Numbers, as “bothy feed outbox” shows them.")
    var numbers: [Int64]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            for post in try await FeedOutbox.chosen(numbers, in: home) {
                try await home.posts.discard(post.id)
                let files =
                    post.files == nil ? "" : " Its attachments are still uploaded to “/\(AttachArgument.folder)”."
                try output.tell("\(post.id) is discarded.\(files)", WaitingPostDocument(post))
            }
        }
    }
}

/// The posts that wait on this device, as commands name them.
enum FeedOutbox {
    /// What people are called, of those who are known here.
    static func names(in home: DeviceHome) async throws -> [Int64: String] {
        Dictionary(try await home.feed.people().map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// What is posted and has not come into the feed here yet waits for nothing.
    static func waiting(in home: DeviceHome) async throws -> [WaitingPost] {
        try await home.feed.waiting()
    }

    /// - Throws: `notThere` for a number that no waiting post has.
    static func chosen(_ numbers: [Int64], in home: DeviceHome) async throws -> [WaitingPost] {
        let waiting = try await waiting(in: home)
        for number in numbers where !waiting.contains(where: { $0.id == number }) {
            throw Complaint(
                .notThere, "No waiting post has the number \(number).",
                remedy: "“bothy feed outbox” lists the waiting posts.",
                status: .notThereOrInConflict)
        }
        return numbers.isEmpty ? waiting : waiting.filter { numbers.contains($0.id) }
    }
}
