import ArgumentParser
import BothyClient
import BothyContract
import BothyPresentation
import Foundation

/// `bothy feed post`
struct FeedPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post something for everybody on this server to read, or for some.",
        discussion: """
            The text is Markdown: **bold**, *italics*, # headings, - lists, > quotes, links. Without a connection the post \
            waits in the outbox, and is sent once there is one.
            """)

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String] = []

    @Option(
        name: .shortAndLong, help: "A picture or video on the server to post with it. May be given more than once.",
        completion: RemoteNames.completion)
    var attach: [String] = []

    @Option(
        help:
            "Who may read it: everyone, followers, or a person as “bothy feed people” shows her. May be given for several people."
    )
    var to: [String] = []

    @Option(help: "When to post it: \(ScheduleArgument.examples), in your own time zone.")
    var at: String?

    @Option(help: "Post this draft as it is, as “bothy feed drafts” shows its digits.")
    var draft: String?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        /// False where it waits for a connection, or for its time.
        var posted: Bool
        /// When the server posts it; absent for what is posted at once.
        var publishAt: Timestamp?
    }

    func validate() throws {
        guard draft == nil || text.isEmpty && attach.isEmpty else {
            throw ValidationError("A draft is posted as it is: give no text and no picture with it.")
        }
        guard draft != nil || !text.isEmpty || !attach.isEmpty else { throw ValidationError("Give a text to post.") }
        guard attach.count <= FeedLimits.maximumAttachments else {
            throw ValidationError("A post has at most \(FeedLimits.maximumAttachments) pictures and videos.")
        }
    }

    func run() async throws {
        try await Home.using { home in
            let time = try at.map { try ScheduleArgument($0, now: SystemTime.now()).time }
            var request = if let draft { try await posting(draft, home) } else { try await written(home) }
            request.audience = try await AudienceArgument.find(to, in: home)
            request.publishAt = time
            let isThere = try await home.posts.publish(request)
            let done = time.map { "Your post comes out on \(MomentText.text($0))." } ?? "Posted."
            if isThere { return try output.tell(done, Document(posted: time == nil, publishAt: time)) }
            try await FeedEnding(output: output).tell(home, done: done, Document(posted: false, publishAt: time))
        }
    }

    private func written(_ home: DeviceHome) async throws -> NewPostRequest {
        let written = try PostTyped.text(text)
        guard !written.isEmpty || !attach.isEmpty else {
            throw Complaint.usage("There is nothing to post.", remedy: "Write a few words, or attach a picture.")
        }
        var attachments = [NewAttachment]()
        for path in attach {
            attachments.append(try AttachableFile(try await home.files.file(at: RemoteArgument(path).path)).attachment)
        }
        return NewPostRequest(
            requestId: nil, content: written.html, attachments: attachments.isEmpty ? nil : attachments)
    }

    /// The post that a draft becomes: its id is the request's, so that it is posted once, wherever it is posted from.
    private func posting(_ argument: String, _ home: DeviceHome) async throws -> NewPostRequest {
        let draft = try await DraftArgument.find(argument, in: home)
        let attachments = draft.attachments.compactMap { attachment in
            attachment.type.known.map {
                NewAttachment(type: $0, contentUrl: attachment.contentUrl, caption: attachment.caption)
            }
        }
        guard !PostText(html: draft.content).isEmpty || !attachments.isEmpty else {
            throw Complaint.usage("There is nothing written in this draft yet.", remedy: "Go on with it in a browser.")
        }
        return NewPostRequest(
            requestId: String(draft.draftId), content: draft.content,
            attachments: attachments.isEmpty ? nil : attachments, draftId: draft.draftId, draftVersion: draft.version)
    }
}
