import BothyClient
import BothyContract
import Foundation
import Observation

/// What the page for a new post shows.
public struct CreatePostState: Equatable, Sendable {
    public struct Attached: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var type: AttachmentType
        public var caption: String
        /// The attachment of a post that it is, where it is posted already.
        public var posted: Int64?
    }

    /// Kept when it was refused.
    public var written = WrittenText.markdown("")
    /// What stands before it; empty for nothing. Nil where nobody said, so that what the draft has stays.
    public var warning: String?
    public var attached = [Attached]()
    public var audience = AudienceChoice()
    /// When it shall come out, as ``PostTime`` reads it; empty for at once.
    public var time = ""
    /// The draft that it is, and by which it is posted once, however often it is sent.
    public var mark: DraftMark
    /// What is shown was saved as a draft.
    public var isSaved = false
    /// The draft that it was has become a post.
    public var isPostedBefore = false
    /// Nobody could be asked to save it.
    public var isUnreached = false
    public var isPublished = false
    public var notice: Notice?
}

/// Writing a post, which is a draft of the account until it is posted.
@MainActor @Observable
public final class CreatePostStateHolder {
    public internal(set) var state: CreatePostState

    @ObservationIgnored private let posts: any PostsRepository
    @ObservationIgnored let drafts: any DraftsRepository
    @ObservationIgnored let words: Words
    @ObservationIgnored let clock: PersonsClock
    @ObservationIgnored let newDraftId: @Sendable () -> Int64
    @ObservationIgnored private var requests = [ItemID: NewAttachment]()

    /// What a draft says of its attachments: the content as it was attached, whatever became of the file.
    @ObservationIgnored var known = [ItemID: AttachableFile]()
    /// When the draft shall come out, as it was saved.
    @ObservationIgnored var savedTime: Timestamp?

    /// Whom it is to; nil where that was not chosen, and no draft says it.
    @ObservationIgnored var chosen: NewPostAudience?
    /// What the people are called whom a draft names.
    @ObservationIgnored var named = [AuthorPreview]()

    /// - Parameters:
    ///   - mark: that of what is sent once more; nil for a new one.
    ///   - newDraftId: another one each time, at random, from 1 to ``FeedLimits/maximumDraftId``.
    public init(
        _ posts: any PostsRepository, drafts: any DraftsRepository, words: Words, clock: PersonsClock,
        mark: DraftMark? = nil, newDraftId: @escaping @Sendable () -> Int64
    ) {
        self.posts = posts
        self.drafts = drafts
        self.words = words
        self.clock = clock
        self.newDraftId = newDraftId
        state = CreatePostState(mark: mark ?? DraftMark(newDraftId(), editor: String(newDraftId())))
    }

    /// Attaches pictures and videos. What can not be attached is said, and stays until it is taken out: posted without it, it would be
    /// lost unseen.
    ///
    /// - Parameter captions: by their place; empty for none.
    public func attach(_ ids: [ItemID], captions: [String] = []) async {
        for (place, id) in ids.enumerated() where !state.attached.contains(where: { $0.id == id }) {
            guard state.attached.count < FeedLimits.maximumAttachments else { return }
            let caption = captions.indices.contains(place) ? captions[place] : ""
            do {
                if let file = known[id] {
                    add(id, file, caption: caption)
                } else {
                    add(id, try await posts.attachable(id), caption: caption)
                }
            } catch {
                state.notice = words.failure(error)
                state.attached.append(
                    CreatePostState.Attached(
                        id: id, name: words[.postUnattachable], type: .image, caption: caption))
            }
        }
    }

    func add(_ id: ItemID, _ file: AttachableFile, caption: String) {
        requests[id] = file.attachment
        state.attached.append(
            CreatePostState.Attached(
                id: id, name: ShownName.of(file.name), type: file.attachment.type, caption: caption))
    }

    /// Who is to read it.
    ///
    /// - Parameter people: for ``PostAudience/Kind/people``; nobody where none is chosen yet.
    public func choose(_ kind: PostAudience.Kind, _ people: [Int64] = []) {
        chosen = NewPostAudience(kind: kind, people: kind == .people ? people : nil)
    }

    /// Shows who is there to choose from, and who is chosen.
    public func open(of people: any PeopleRepository) async {
        let audience = chosen ?? NewPostAudience(kind: .everyone)
        state.audience = await AudienceChoice.open(audience, named, from: people)
    }

    /// Goes on writing.
    public func keep(_ written: WrittenText) { state.written = written }

    /// - Parameter warning: what stands before it; empty for nothing. Nil leaves what the draft has.
    public func warn(_ warning: String?) {
        state.warning = warning.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// - Parameter typed: as ``PostTime`` reads it.
    public func choose(time typed: String) { state.time = typed }

    /// When it shall come out; nil for at once, and for what is no time to come. What the draft says stays to the second.
    var publishAt: Timestamp? {
        if let savedTime, PostTime.text(savedTime, at: clock) == state.time { return savedTime }
        return if case .at(let time) = PostTime(state.time, at: clock) { time } else { nil }
    }

    public func publish(_ written: WrittenText) async {
        state.written = written
        // Why was said when it was to be attached.
        guard state.attached.allSatisfy({ requests[$0.id] != nil }) else { return }
        guard let text = await text() else { return }
        guard !text.isEmpty || !state.attached.isEmpty else {
            state.notice = Notice(words[.postOfNobody], tone: .failure)
            return
        }
        let audience = chosen ?? NewPostAudience(kind: .everyone)
        guard audience.kind != .people || audience.people?.isEmpty == false else {
            state.notice = Notice(words[.audienceNobody], tone: .failure)
            return
        }
        guard isTimeToCome() else { return }
        let request = NewPostRequest(
            requestId: state.mark.requestId, content: text.html, attachments: attachments,
            draftId: state.mark.draft, draftVersion: state.mark.savedVersion, audience: audience,
            publishAt: publishAt, contentWarning: state.warning.flatMap { $0.isEmpty ? nil : $0 })
        do {
            let isThere = try await posts.publish(request)
            state.isPublished = true
            state.notice = Notice(
                isThere ? published() : words[.postQueued], subject: state.mark.draft.map(Notice.Subject.postedDraft))
        } catch let failure as ClientFailure where Self.isPostedBefore(failure) {
            // This form, or the same draft elsewhere, has posted something else before: it was gone back to, and changed.
            state.mark = DraftMark(newDraftId(), editor: state.mark.editor)
            state.notice = Notice(words[.postedBefore], tone: .failure)
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func isTimeToCome() -> Bool {
        switch PostTime(state.time, at: clock) {
        case .atOnce, .at: return true
        case .over: state.notice = Notice(words[.scheduledOver], tone: .failure)
        case .unreadable: state.notice = Notice(words[.scheduledUnreadable], tone: .failure)
        }
        return false
    }

    private func published() -> String {
        publishAt.map { words.filled(.postScheduled, words.moment($0, at: clock)) } ?? words[.postPublished]
    }

    private static func isPostedBefore(_ failure: ClientFailure) -> Bool {
        failure.problem?.code == .idempotencyMismatch || failure.problem?.code == .draftPosted
    }

    /// - Returns: nil where there is more than a post may have, which is said.
    func text() async -> PostText? {
        let written = state.written
        // A long text takes its time, and every screen of a server waits for this actor.
        if let text = await Task.detached(operation: { written.text }).value { return text }
        state.notice = Notice(words[.postTooLong], tone: .failure)
        return nil
    }

    /// A draft is the server's, and names nothing that the server does not have.
    var isWaitingForFiles: Bool { requests.values.contains { $0.fileUnderWay != nil } }

    /// Nil for none.
    var attachments: [NewAttachment]? {
        state.attached.isEmpty
            ? nil
            : state.attached.compactMap { attached in
                var attachment = requests[attached.id]
                let caption = attached.caption.prefix(FeedLimits.maximumCaption)
                attachment?.caption = caption.isEmpty ? nil : String(caption)
                return attachment
            }
    }
}
