import ArgumentParser
import BothyClient
import BothyContract
import BothyPresentation
import Foundation

/// `bothy feed post`
struct FeedPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post something for everybody on this server, or for some people.",
        discussion: """
            The text is Markdown: **bold**, *italics*, # headings, - lists, > quotes, links. Without a connection the post \
            waits in the outbox, and is sent once there is one.

            You can attach pictures and videos from this machine or from the server. A path that begins with “/” and names a \
            file on the server is that file; all other paths are on this machine, so “./” always means this machine. Local files \
            are copied at once and uploaded to the folder “/Posts” on the server; the post waits until they are there. A file \
            that is already there is not uploaded again, and a different file of the same name gets a number.
            """)

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String] = []

    @Option(
        name: .shortAndLong,
        help: "A picture or video to attach, from this machine or the server. Can be repeated.",
        completion: .file())
    var attach: [String] = []

    @Option(
        name: [.long, .customLong("alt")],
        help:
            "A description of a picture, for people who cannot see it. Give one for each “--attach”, in the same order."
    )
    var caption: [String] = []

    @Option(
        help:
            "A content warning, shown instead of the post until the reader opens it. With “--draft” it replaces the draft's; “” for none."
    )
    var warning: String?

    @Option(
        help:
            "Who can read it: everyone, followers, or a person as “bothy feed people” shows them. Can be repeated for several people. A draft keeps its own audience by default."
    )
    var to: [String] = []

    @Option(help: "When to post it: \(ScheduleArgument.examples), in your own time zone.")
    var at: String?

    @Option(help: "Post this draft as it is, by its digits as “bothy feed drafts” shows them.")
    var draft: String?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        /// False where it waits for a connection, or for its time.
        var posted: Bool
        /// The server's number of the post; absent where the server does not have it, and where it waits there for its time.
        var postId: Int64?
        /// Its number in the outbox; absent where it does not wait on this device.
        var number: Int64?
        /// When the server posts it; absent for what is posted at once.
        var publishAt: Timestamp?
        /// What is attached, in the order in which it was given; absent for nothing.
        var attached: [Attached]?
    }

    private struct Attached: Encodable {
        /// As it was typed.
        var path: String
        var isOnServer: Bool

        init(_ argument: AttachArgument, _ found: PostFile) {
            path = argument.typed
            isOnServer = if case .there = found { true } else { false }
        }
    }

    func validate() throws {
        guard draft == nil || text.isEmpty && attach.isEmpty else {
            throw ValidationError("A draft is posted as it is: leave out the text and pictures.")
        }
        guard draft != nil || !text.isEmpty || !attach.isEmpty else {
            throw ValidationError("Write a few words, or attach a picture.")
        }
        guard attach.count <= FeedLimits.maximumAttachments else {
            throw ValidationError("A post has at most \(FeedLimits.maximumAttachments) pictures and videos.")
        }
        guard caption.isEmpty || caption.count == attach.count else {
            throw ValidationError("Give a “--caption” for each “--attach”, in the same order; “” for none.")
        }
        try WarningArgument.validate(warning)
        guard caption.allSatisfy({ $0.unicodeScalars.count <= FeedLimits.maximumCaption }) else {
            throw ValidationError("A caption has at most \(FeedLimits.maximumCaption) characters.")
        }
    }

    func run() async throws {
        try await Home.using { home in
            let now = SystemTime.now()
            let asked = try at.map { try ScheduleArgument($0, now: now).time }
            var (request, names): (NewPostRequest, [Int64: String]) =
                if let draft { try await posting(draft, home) } else { (try written(), [:]) }
            if !to.isEmpty { request.audience = try await AudienceArgument.find(to, in: home) }
            if request.audience?.kind == .people, request.audience?.people?.isEmpty ?? true { throw Self.toNobody }
            if let warning { request.contentWarning = warning.isEmpty ? nil : warning }
            request.publishAt = asked ?? request.publishAt.flatMap { $0 > now ? $0 : nil }
            let files = try await attachments(home)
            let ending = try await FeedEnding(output: output, after: home, orAs: request.requestId)
            let isThere = try await publish(request, files.map(\.found), home)
            let time = request.publishAt
            let made = try await ending.own(home).last
            names.merge(try await FeedOutbox.names(in: home)) { name, _ in name }
            var document = Document(
                posted: isThere && time == nil, postId: isThere ? made?.postId : nil, number: isThere ? nil : made?.id,
                publishAt: time)
            if !files.isEmpty { document.attached = files.map { Attached($0.argument, $0.found) } }
            let done = Self.done(document, AudienceWords.mark(request.audience, names: names))
            if isThere { return try output.tell(done, document) }
            if let number = document.number { output.note("It is in the outbox as number \(number).") }
            try await ending.tell(home, done: done, document)
        }
    }

    /// «Posted as 767046, for Cy only.»
    private static func done(_ document: Document, _ audience: String?) -> String {
        let end = (audience.map { ", \($0)" } ?? "") + "."
        if let time = document.publishAt { return "Your post is scheduled for \(MomentText.text(time))\(end)" }
        return "Posted" + (document.postId.map { " as \(PostWords.digits($0))" } ?? "") + end
    }

    private func publish(_ request: NewPostRequest, _ files: [PostFile], _ home: DeviceHome) async throws -> Bool {
        var (request, there) = (request, [NewAttachment]())
        for file in files {
            guard case .there(let attachment) = file else {
                return try await home.postFiles.publish(request, with: files, in: AttachArgument.folder)
            }
            there.append(attachment)
        }
        if !there.isEmpty { request.attachments = there }
        return try await home.posts.publish(request)
    }

    private func written() throws -> NewPostRequest {
        let written = try PostTyped.text(text)
        guard !written.isEmpty || !attach.isEmpty else {
            throw Complaint.usage("There is nothing to post.", remedy: "Write a few words, or attach a picture.")
        }
        return NewPostRequest(requestId: nil, content: written.html)
    }

    private func attachments(_ home: DeviceHome) async throws -> [(argument: AttachArgument, found: PostFile)] {
        var files = [(argument: AttachArgument, found: PostFile)]()
        for (place, typed) in attach.enumerated() {
            let words = caption.isEmpty ? "" : caption[place]
            let argument = AttachArgument(typed: typed, caption: words.isEmpty ? nil : words)
            files.append((argument, try await argument.find(in: home)))
        }
        for file in files { output.note(file.argument.told(file.found)) }
        return files
    }

    /// To nobody is not to everyone.
    private static var toNobody: Complaint {
        .usage(
            "This draft is for certain people, but names nobody.",
            remedy: "Give the audience: “--to PERSON”, or “--to everyone”.")
    }

    /// The post that a draft becomes: its id is the request's, so that it is posted once, wherever it is posted from.
    ///
    /// - Returns: it, and what those are called whom it is to.
    private func posting(
        _ argument: String, _ home: DeviceHome
    ) async throws -> (request: NewPostRequest, names: [Int64: String]) {
        let draft = try await DraftArgument.find(argument, in: home)
        let attachments = draft.attachments.compactMap { attachment in
            attachment.type.known.map {
                NewAttachment(type: $0, contentUrl: attachment.contentUrl, caption: attachment.caption)
            }
        }
        guard !PostText(html: draft.content).isEmpty || !attachments.isEmpty else {
            throw Complaint.usage("This draft is empty.", remedy: "Continue writing it in a browser.")
        }
        let request = NewPostRequest(
            requestId: String(draft.draftId), content: draft.content,
            attachments: attachments.isEmpty ? nil : attachments, draftId: draft.draftId, draftVersion: draft.version,
            audience: draft.audience.map { NewPostAudience(kind: $0.kind, people: $0.people?.map(\.id)) },
            publishAt: draft.publishAt, contentWarning: draft.contentWarning)
        let named = (draft.audience?.people ?? []).map { ($0.id, $0.name) }
        return (request, Dictionary(named) { name, _ in name })
    }
}
