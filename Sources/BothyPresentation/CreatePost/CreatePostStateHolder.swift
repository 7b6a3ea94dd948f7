import BothyClient
import BothyContract
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
    public var attached = [Attached]()
    public var audience = AudienceChoice()
    /// By which it is posted once, however often it is sent.
    public var requestId = ""
    public var isPublished = false
    public var notice: Notice?
}

/// Writing a post.
@MainActor @Observable
public final class CreatePostStateHolder {
    public private(set) var state = CreatePostState()

    @ObservationIgnored private let posts: any PostsRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private var requests = [ItemID: NewAttachment]()

    /// Whom it is to, where it is to people.
    @ObservationIgnored private var chosen = [Int64]()
    @ObservationIgnored private let newRequestId: @Sendable () -> String

    /// - Parameters:
    ///   - requestId: that of what is sent once more; nil for a new one.
    ///   - newRequestId: another one each time.
    public init(
        _ posts: any PostsRepository, words: Words, requestId: String? = nil,
        newRequestId: @escaping @Sendable () -> String
    ) {
        self.posts = posts
        self.words = words
        self.newRequestId = newRequestId
        state.requestId = requestId ?? newRequestId()
    }

    /// Attaches pictures and videos; what can not be attached is said.
    ///
    /// - Parameter captions: by their place; empty for none.
    public func attach(_ ids: [ItemID], captions: [String] = []) async {
        for (place, id) in ids.enumerated() where requests[id] == nil {
            guard requests.count < FeedLimits.maximumAttachments else { return }
            do {
                let file = try await posts.attachable(id)
                requests[id] = file.attachment
                state.attached.append(
                    CreatePostState.Attached(
                        id: id, name: ShownName.of(file.name), type: file.attachment.type,
                        caption: captions.indices.contains(place) ? captions[place] : ""))
            } catch {
                state.notice = words.failure(error)
            }
        }
    }

    /// Who is to read it, of whom there are to choose.
    public func open(
        to kind: PostAudience.Kind = .everyone, _ chosen: [Int64] = [], of people: any PeopleRepository
    ) async {
        state.audience = await AudienceChoice.open(kind, chosen, from: people)
        self.chosen = chosen
    }

    /// Goes on writing.
    public func keep(_ written: WrittenText) { state.written = written }

    public func publish(_ written: WrittenText) async {
        state.written = written
        // A long text takes its time, and every screen of a server waits for this actor.
        guard let text = await Task.detached(operation: { written.text }).value else {
            state.notice = Notice(words[.postTooLong], tone: .failure)
            return
        }
        guard !text.isEmpty || !state.attached.isEmpty else {
            state.notice = Notice(words[.postOfNobody], tone: .failure)
            return
        }
        guard let audience = state.audience.audience(chosen) else {
            state.notice = Notice(words[.audienceNobody], tone: .failure)
            return
        }
        let request = NewPostRequest(
            requestId: state.requestId, content: text.html,
            attachments: state.attached.isEmpty ? nil : state.attached.compactMap(attachment), audience: audience)
        do {
            let isThere = try await posts.publish(request)
            state.isPublished = true
            state.notice = Notice(words[isThere ? .postPublished : .postQueued])
        } catch let failure as ClientFailure where failure.problem?.code == .idempotencyMismatch {
            // This form has posted something else before: it was gone back to, and changed.
            state.requestId = newRequestId()
            state.notice = Notice(words[.postedBefore], tone: .failure)
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func attachment(_ attached: CreatePostState.Attached) -> NewAttachment? {
        var attachment = requests[attached.id]
        let caption = attached.caption.prefix(FeedLimits.maximumCaption)
        attachment?.caption = caption.isEmpty ? nil : String(caption)
        return attachment
    }
}
