import ArgumentParser
import BothyClient
import BothyContract
import BothyPresentation
import Foundation

/// `bothy post`
struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post something, for everybody on this server to read.",
        discussion: """
            The text may have marks of Markdown: **strong**, *emphasised*, # headings, - lists, > quotes, links. Without a \
            connection it waits, and is posted when there is one.
            """)

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String] = []

    @Option(
        name: .shortAndLong, help: "A picture or video on the server, to go with it. May be given again.",
        completion: RemoteNames.completion)
    var attach: [String] = []

    @Option(help: "Delete a post of yours, by its digits.")
    var delete: String?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        /// False where it waits for a connection.
        var posted: Bool
    }

    private struct DeletedDocument: Encodable {
        var deleted: Int64
    }

    func validate() throws {
        guard (delete == nil) != (text.isEmpty && attach.isEmpty) else {
            throw ValidationError("Give a text to post, or “--delete” with the digits of a post.")
        }
        guard attach.count <= FeedLimits.maximumAttachments else {
            throw ValidationError("A post has at most \(FeedLimits.maximumAttachments) pictures and videos.")
        }
    }

    func run() async throws {
        try await Home.using { home in
            if let delete {
                let id = try await PostArgument.find(delete, in: home)
                let document = DeletedDocument(deleted: id)
                if try await home.posts.delete(id) { return try output.tell("The post is deleted.", document) }
                return try await FeedEnding(output: output).tell(home, done: "The post is deleted.", document)
            }
            guard let written = PostEncoder.text(of: try typed()) else {
                throw Complaint.usage(
                    "That is more than a post may have.",
                    remedy:
                        "It takes \(ByteText.text(Int64(FeedLimits.maximumContentBytes))) of text, and 5,000 paragraphs and entries of lists."
                )
            }
            guard !written.isEmpty || !attach.isEmpty else {
                throw Complaint.usage("There is nothing to post.", remedy: "Write a few words, or attach a picture.")
            }
            var attachments = [NewAttachment]()
            for path in attach {
                attachments.append(
                    try AttachableFile(try await home.files.file(at: RemoteArgument(path).path)).attachment)
            }
            let request = NewPostRequest(
                requestId: nil, content: written.html, attachments: attachments.isEmpty ? nil : attachments)
            let isThere = try await home.posts.publish(request)
            if isThere { return try output.tell("Posted.", Document(posted: true)) }
            try await FeedEnding(output: output).tell(home, done: "Posted.", Document(posted: false))
        }
    }

    private func typed() throws -> String {
        guard text == ["-"] else { return text.joined(separator: " ") }
        let data = try FileHandle.standardInput.read(upToCount: FeedLimits.maximumContentBytes + 1) ?? Data()
        guard data.count <= FeedLimits.maximumContentBytes, let typed = String(data: data, encoding: .utf8) else {
            throw Complaint.usage(
                "A post is a text of at most \(ByteText.text(Int64(FeedLimits.maximumContentBytes))).")
        }
        return typed
    }
}

/// `bothy read`
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Show a post whole.",
        discussion: "Addresses of pictures and videos are good for an hour.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them.")
    var post: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            let read = try await home.posts.post(try await PostArgument.find(post, in: home))
            let server = try home.account.signedIn()?.server.description ?? ""
            try output.list(PostWords.whole(read.post, server: server), read.post)
            if let failure = read.unreached { output.note("\(failure.words) This is what was read here before.") }
        }
    }
}
