import BothyContract

/// A post as the server's model has it, with what people did with it.
struct SimulatedPost: Sendable {
    let id: Int64
    let author: Int64
    let requestId: String?
    let createdAt: Timestamp
    let audience: PostAudience.Kind
    /// Those who are named, besides the author.
    let named: Set<Int64>
    var content: String
    var version = 1
    var editedAt: Timestamp?
    var isDeleted = false
    var likers = Set<Int64>()
    var bookmarkers = Set<Int64>()
    /// Who has shared it, with the place in feeds that this gave it.
    var sharers = [Int64: Int64]()
    var comments = [SimulatedComment]()
    // Counted along, as the server does it: whether they are right is for others to say.
    var likeCount = 0
    var shareCount = 0
    var commentCount = 0

    func comment(_ id: Int64) -> SimulatedComment? { comments.first { $0.id == id && !$0.isDeleted } }

    /// What a person's request has made here, also where it is deleted by now.
    func comment(madeBy requestId: String, of person: Int64) -> SimulatedComment? {
        comments.first { $0.author == person && $0.requestId == requestId }
    }

    /// Thread by thread, the oldest first.
    var listedComments: [SimulatedComment] {
        comments.filter { !$0.isDeleted }.sorted { ($0.thread, $0.id) < ($1.thread, $1.id) }
    }
}

/// A comment as the server's model has it.
struct SimulatedComment: Sendable {
    let id: Int64
    /// The comment that begins its thread; its own id where it does.
    let thread: Int64
    let parent: Int64?
    let author: Int64
    let requestId: String?
    let content: String
    let createdAt: Timestamp
    var isDeleted = false
}
