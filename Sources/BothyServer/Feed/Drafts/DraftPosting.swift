import BothyContract

/// A draft that becomes a post, once: its id is the post's request id.
struct DraftPosting {
    private let db: any SQLConnection
    private let author: Int64

    init(_ db: any SQLConnection, by author: Int64) {
        self.db = db
        self.author = author
    }

    /// A post has been made of it: the draft goes. Where it was changed after the version that was posted, that change stays, as
    /// a draft of its own.
    func posted(_ draft: PostedDraft) throws {
        let drafts = DraftTable(db, of: author)
        guard let row = try drafts.find(draft.id) else { return }
        if let version = draft.version, row.version > version {
            // A save that comes just before the post has the same words under a later version.
            if try !draft.says(row.saved()) { return try drafts.move(draft.id, to: draft.otherId) }
        }
        _ = try drafts.delete(draft.id)
    }

    /// - Throws: `draft_posted` where a post was made of it, also when that waits for its time, or is deleted by now.
    func refusePosted(_ id: Int64) throws {
        if let post = try post(of: id) { throw Self.posted(as: post) }
        guard try ScheduledPostTable(db, of: author).made(by: String(id)) == nil else {
            throw Problem(.draftPosted, "This draft is already scheduled as a post.")
        }
    }

    /// A scheduled post was deleted: the draft that it was, which may still be open somewhere, can be posted again.
    func deleted(_ scheduled: ScheduledPostTable.Row) throws {
        let outcomes = OutcomeTable(db, drive: author)
        guard let requestId = scheduled.requestId, let known = try outcomes.known(requestId), known.route == Self.route,
            try WireCoding.decode(Posts.Made.self, fromText: known.answer).isOfDraft == true
        else { return }
        try outcomes.forget(requestId)
    }

    /// The post that was made of a draft, which may be deleted by now; nil where none was made.
    func post(of id: Int64) throws -> Int64? {
        if let made = try PostTable(db).made(by: String(id), of: author) { return made.postId }
        guard let known = try OutcomeTable(db, drive: author).known(String(id)), known.route == Self.route else {
            return nil
        }
        let made = try WireCoding.decode(Posts.Made.self, fromText: known.answer)
        return made.isScheduled == true ? nil : made.postId
    }

    static let route = "POST /v1/posts"

    static func posted(as post: Int64) -> Problem {
        Problem(.draftPosted, "This draft was already posted, from here or from another device.").with {
            $0.postId = post
        }
    }
}
