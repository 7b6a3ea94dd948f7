import BothyContract

/// Something that a person did with posts, comments and people here, as the journal has it.
package struct FeedOperation: DomainOperation, Equatable, Identifiable {
    package static let domain = JournalDomainName.feed

    package enum Action: Codable, Equatable, Sendable {
        /// Makes its subject, a post.
        case publish(NewPostRequest)
        case delete
        case interact(PostInteraction)
        /// Makes its subject, a comment.
        case comment(NewCommentRequest)
        case deleteComment
        /// Its subject is a person.
        case follow(Bool)
    }

    package let id: Int64
    package let requestId: String
    package var action: Action
    /// The post, the comment or the person that it is about.
    package let subject: LUID
    /// The post that a comment is on; nil of what is about a post itself.
    package let post: LUID?
    /// Files that it shows and that had not reached the server when it was written.
    package let files: [LUID]
    /// The server's id of its subject; nil while the server does not have it.
    package var subjectId: Int64?
    /// The server's id of the post that it is about; nil for one that it makes.
    package var postId: Int64?
    package var state: JournalOperation.State
    package var sent: Bool
    package var attempts: Int
    package var nextAttemptAt: Timestamp?
    package var lastError: ClientFailure?
    package var acknowledgedVersion: Int64?
    package let createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: Int64, requestId: String, action: Action, subject: LUID, post: LUID? = nil, files: [LUID] = [],
        subjectId: Int64? = nil, postId: Int64? = nil, state: JournalOperation.State = .queued, createdAt: Timestamp
    ) {
        self.id = id
        self.requestId = requestId
        self.action = action
        self.subject = subject
        self.post = post
        self.files = files
        self.subjectId = subjectId
        self.postId = postId
        self.state = state
        (sent, attempts) = (false, 0)
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    package var kind: String {
        switch action {
        case .publish: "post"
        case .delete: "delete_post"
        case .interact: "interact"
        case .comment: "comment"
        case .deleteComment: "delete_comment"
        case .follow: "follow"
        }
    }

    /// It makes a post or a comment: there are words in it that are nowhere else.
    package var holdsWords: Bool {
        switch action {
        case .publish, .comment: true
        case .delete, .interact, .deleteComment, .follow: false
        }
    }

    /// The draft that its post takes along, at the version that is posted. What was written anew after it had been sent is another post
    /// than that of its draft, which stays.
    package var postedDraft: (id: Int64, version: Int64)? {
        guard case .publish(let request) = action, let id = request.draftId, String(id) == requestId else {
            return nil
        }
        return (id, request.draftVersion ?? .max)
    }

    /// The server does not have it for certain: it was never asked, or has refused it for good.
    var isNowhereElse: Bool {
        guard sent else { return true }
        return state == .parked && lastError.map { !$0.isWorthRetrying && $0.problem != nil } ?? false
    }

    /// What is done with one post keeps its order, and what one person posts does. A post waits for the files that it shows.
    package var facts: DomainFacts {
        var facts = DomainFacts(subject: subject, lane: .feed)
        facts.creates = holdsWords
        facts.canMeet = false
        facts.rollsBack = !holdsWords
        if case .publish = action { facts.writes.insert(.writing) }
        if let post {
            facts.writes.insert(.thing(post))
            facts.needs.insert(post)
        }
        facts.reads.formUnion(files.map(DomainFacts.Key.thing))
        facts.needs.formUnion(files)
        return facts
    }

    /// Whether what is shown has it done.
    package var isShown: Bool { !waitsForAPerson }
}

extension FeedOperation.Action {
    /// Its subject is a post.
    var isAboutPost: Bool {
        switch self {
        case .publish, .delete, .interact: true
        case .comment, .deleteComment, .follow: false
        }
    }

    /// - Returns: it with another text and another warning before it; nil for what can have none of these.
    func rewritten(_ change: WaitingPost.Change) -> Self? {
        switch self {
        case .publish(var request):
            request.content = change.content ?? request.content
            if let warning = change.contentWarning { request.contentWarning = warning.isEmpty ? nil : warning }
            return .publish(request)
        case .comment(var request):
            guard change.contentWarning == nil else { return nil }
            request.content = change.content ?? request.content
            return .comment(request)
        case .delete, .interact, .deleteComment, .follow: return nil
        }
    }
}
