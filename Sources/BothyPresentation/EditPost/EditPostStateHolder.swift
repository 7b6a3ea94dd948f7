import BothyClient
import BothyContract
import Foundation
import Observation

/// What the page that edits a post shows.
public struct EditPostState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown, saved
        case gone(Notice)
        case failed(Notice)
    }

    /// What a post says now.
    public struct Elsewhere: Equatable, Sendable {
        public var text: PostText
        /// See ``PostRow/warning``.
        public var warning: String?
    }

    /// Kept when it was not saved.
    public var written = WrittenText.markdown("")
    /// What stands before it; empty for nothing.
    public var warning = ""
    public var attached = [CreatePostState.Attached]()
    /// Who may read it; nil where that is not known.
    public var reach: PostReach?
    /// The version that is edited.
    public var baseVersion = 0
    /// By which it is edited once, however often it is sent.
    public var requestId = ""
    /// What the post says now, where it was edited elsewhere in the meantime.
    public var elsewhere: Elsewhere?
    public var standing = Standing.fresh
    public var notice: Notice?
}

/// Editing a post: its text, and what it shows with its captions.
@MainActor @Observable
public final class EditPostStateHolder {
    /// What a form sends back.
    public struct Sent: Sendable {
        public var written: WrittenText
        /// What stands before it; empty for nothing.
        public var warning: String
        /// In their order, with captions.
        public var attached: [(id: ItemID, caption: String)]
        public var baseVersion: Int
        public var requestId: String?

        public init(
            written: WrittenText, warning: String, attached: [(id: ItemID, caption: String)], baseVersion: Int,
            requestId: String?
        ) {
            self.written = written
            self.warning = warning.trimmingCharacters(in: .whitespacesAndNewlines)
            self.attached = attached
            self.baseVersion = baseVersion
            self.requestId = requestId
        }
    }

    public private(set) var state = EditPostState()

    @ObservationIgnored private let posts: any PostsRepository
    @ObservationIgnored private let you: Int64
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let newRequestId: @Sendable () -> String

    /// What each is for the server, by its id on the page.
    @ObservationIgnored private var requests = [ItemID: NewAttachment]()

    /// - Parameter newRequestId: another one each time.
    public init(
        _ posts: any PostsRepository, you: Int64, words: Words, newRequestId: @escaping @Sendable () -> String
    ) {
        self.posts = posts
        self.you = you
        self.words = words
        self.newRequestId = newRequestId
        state.requestId = newRequestId()
    }

    /// Shows the post as it is.
    public func open(_ id: Int64) async {
        guard let post = await read(id) else { return }
        state.written = .html(post.content)
        state.warning = post.contentWarning ?? ""
        state.baseVersion = post.version
        state.attached = post.attachments.compactMap(shown)
        state.standing = .shown
    }

    /// Goes on with what was typed.
    public func keep(_ sent: Sent, of id: Int64) async {
        take(sent)
        guard let post = await read(id) else { return }
        await attach(sent, to: post)
        state.standing = .shown
    }

    public func save(_ sent: Sent, of id: Int64) async {
        take(sent)
        guard let post = await read(id) else { return }
        state.standing = .shown
        let own = Set(post.attachments.map(Self.id))
        // Attachments of another version have other names.
        guard sent.attached.allSatisfy({ own.contains($0.id) || !Self.isPosted($0.id) }) else { return await meet(id) }
        await attach(sent, to: post)
        guard state.notice == nil else { return }
        let written = sent.written
        // A long text takes its time, and every screen of a server waits for this actor.
        guard let text = await Task.detached(operation: { written.text }).value else {
            return refuse(Notice(words[.postTooLong], tone: .failure))
        }
        guard !text.isEmpty || !state.attached.isEmpty else {
            return refuse(Notice(words[.postOfNobody], tone: .failure))
        }
        let request = EditPostRequest(
            requestId: state.requestId, baseVersion: sent.baseVersion,
            content: Self.says(post, text, typed: written) ? nil : text.html, attachments: changed(from: post),
            contentWarning: sent.warning == post.contentWarning ?? "" ? nil : sent.warning)
        guard request.content != nil || request.attachments != nil || request.contentWarning != nil else {
            return state.standing = .saved
        }
        do {
            try await posts.edit(id, request)
            state.standing = .saved
            state.notice = Notice(words[.postEditDone])
        } catch let failure as ClientFailure where Self.isOverrun(failure) {
            await meet(id)
        } catch let failure as ClientFailure where failure.isNetworks {
            refuse(Notice(words[.postEditOffline], tone: .failure))
        } catch let failure as ClientFailure where failure.code == .notFound {
            refuse(Notice(words[.postEditGone], tone: .failure))
        } catch {
            refuse(words.failure(error))
        }
    }

    /// Somebody else has edited the version that was edited here, or this form has saved something else before.
    private static func isOverrun(_ failure: ClientFailure) -> Bool {
        failure.problem?.code == .postChanged || failure.problem?.code == .idempotencyMismatch
    }

    /// What was typed stays, beside what the post says now: to save it once more replaces that.
    private func meet(_ id: Int64) async {
        if let post = await read(id) {
            state.baseVersion = post.version
            state.elsewhere = EditPostState.Elsewhere(
                text: PostText(html: post.content), warning: post.contentWarning.map(ShownName.of))
        }
        state.requestId = newRequestId()
        refuse(Notice(words[.postEditConflict], tone: .failure))
    }

    // MARK: - The post, and what was typed

    /// - Returns: nil for what is not there, or cannot be read now; what was typed stays where there is some.
    private func read(_ id: Int64) async -> PostDetail? {
        do {
            let read = try await posts.post(id)
            // What is saved over its beginning would be all that is left of it.
            if read.isBeginning, let unreached = read.unreached { throw unreached }
            let post = read.post
            guard post.author.id == you else {
                state.standing = .gone(Notice(words[.postGone], tone: .failure))
                return nil
            }
            state.reach = PostReach(post.audience, you: you, words: words)
            return post
        } catch let failure as ClientFailure where failure.code == .notFound {
            lose(Notice(words[.postGone], tone: .failure), typed: Notice(words[.postEditGone], tone: .failure))
        } catch let failure as ClientFailure where failure.isNetworks {
            lose(words.failure(failure), typed: Notice(words[.postEditOffline], tone: .failure))
        } catch {
            lose(words.failure(error), typed: words.failure(error))
        }
        return nil
    }

    /// - Parameter typed: what is said where somebody has typed already.
    private func lose(_ notice: Notice, typed: Notice) {
        guard state.written.isEmpty && state.attached.isEmpty else {
            state.standing = .shown
            return refuse(typed)
        }
        state.standing = notice.text == words[.postGone] ? .gone(notice) : .failed(notice)
    }

    private func refuse(_ notice: Notice) { state.notice = notice }

    private func take(_ sent: Sent) {
        (state.notice, state.elsewhere) = (nil, nil)
        state.written = sent.written
        state.warning = sent.warning
        state.baseVersion = sent.baseVersion
        state.requestId = sent.requestId ?? state.requestId
    }

    private func attach(_ sent: Sent, to post: PostDetail) async {
        let own = post.attachments.compactMap(shown)
        for (id, caption) in sent.attached where !state.attached.contains(where: { $0.id == id }) {
            if var one = own.first(where: { $0.id == id }) {
                one.caption = caption
                state.attached.append(one)
                continue
            }
            do {
                let file = try await posts.attachable(id).onServer()
                requests[id] = file.attachment
                state.attached.append(
                    CreatePostState.Attached(
                        id: id, name: ShownName.of(file.name), type: file.attachment.type, caption: caption))
            } catch {
                state.notice = words.failure(error)
            }
        }
    }

    /// - Returns: nil for what only newer screens know how to show.
    private func shown(_ attachment: Attachment) -> CreatePostState.Attached? {
        guard let type = attachment.type.known else { return nil }
        let id = Self.id(of: attachment)
        requests[id] = NewAttachment(type: type, contentUrl: attachment.contentUrl)
        return CreatePostState.Attached(
            id: id, name: words[type == .image ? .kindImage : .kindVideo], type: type,
            caption: attachment.caption ?? "", posted: attachment.id)
    }

    /// What is posted already is named by its post, and not by the file that it came from.
    private static func id(of attachment: Attachment) -> ItemID { ItemID(posted + String(attachment.id)) }

    private static func isPosted(_ id: ItemID) -> Bool { id.text.hasPrefix(posted) }

    private static let posted = "posted-"

    // MARK: - What changed

    /// Mentions and hashtags are made by the server: what differs in them alone is the same.
    private static func says(_ post: PostDetail, _ text: PostText, typed: WrittenText) -> Bool {
        let there = PostText(html: post.content).unnamed
        // A field without marks had it as Markdown, which has no underlines.
        if case .markdown(let typed) = typed, lines(typed) == lines(PostMarkdown.text(of: there)) { return true }
        return there == text.unnamed
    }

    private static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

    /// - Returns: nil where they stay as they are.
    private func changed(from post: PostDetail) -> [NewAttachment]? {
        let before = post.attachments.filter { $0.type.known != nil }.map { (Self.id(of: $0), $0.caption ?? "") }
        guard !state.attached.elementsEqual(before, by: { $0.id == $1.0 && $0.caption == $1.1 }) else { return nil }
        return state.attached.compactMap { attached in
            var attachment = requests[attached.id]
            let caption = attached.caption.prefix(FeedLimits.maximumCaption)
            attachment?.caption = caption.isEmpty ? nil : String(caption)
            return attachment
        }
    }
}

extension PostText {
    /// The same with no links to people and hashtags.
    fileprivate var unnamed: PostText {
        PostText(
            blocks.map { block in
                PostText.Block(
                    block.kind,
                    block.runs.map { run in
                        var run = run
                        run.reference = nil
                        return run
                    }, depth: block.depth)
            })
    }
}
