import BothyClient
import BothyContract

/// The feed of a server, as a value: a call in, an answer out. What is in whose feed is written when it is posted, shared or
/// followed, and counts are changed with what they count, as the server does both.
struct FeedServerModel: Sendable {
    /// A post in somebody's feed.
    struct Entry: Sendable {
        /// Its place: greater is newer.
        var id: Int64
        /// Who brought it here by sharing it; nil where it is here for its author's or its reader's sake.
        var sharedBy: Int64?
    }

    private struct Outcome: Sendable {
        var call: FeedCall
        var answer: FeedAnswer
    }

    /// Their ids.
    let people: ClosedRange<Int64>
    let mistakes: Set<FeedMistake>
    var posts = [Int64: SimulatedPost]()
    /// Whom each person follows.
    var following = [Int64: Set<Int64>]()
    /// Who follows each person.
    var followers = [Int64: Set<Int64>]()
    /// What each person's feed has, by post.
    var entries = [Int64: [Int64: Entry]]()
    private var outcomes = [FeedRequestKey: Outcome]()
    private var lastId: Int64 = 0
    /// Posts that were made, and those that should have been.
    var countOfPosts = 0

    init(people: ClosedRange<Int64>, mistakes: Set<FeedMistake> = []) {
        self.people = people
        self.mistakes = mistakes
    }

    /// The same request acts once, and is answered the same again. One that was refused may come again.
    ///
    /// - Parameter requestId: nil for what has none.
    mutating func perform(
        _ call: FeedCall, requestId: String?, by person: Int64, at now: Timestamp
    ) throws(Problem) -> FeedAnswer {
        let isKnownAgain = !mistakes.contains(.forgetsRequestIds)
        let key = isKnownAgain ? requestId.map { FeedRequestKey(person: person, requestId: $0) } : nil
        if let key, let known = outcomes[key] {
            guard known.call == call else {
                throw Problem(.idempotencyMismatch, "Something else was done under this request.")
            }
            return known.answer
        }
        let answer = try act(call, requestId, by: person, at: now)
        if let key { outcomes[key] = Outcome(call: call, answer: answer) }
        return answer
    }

    // MARK: - Ids

    /// 2025-01-01, in milliseconds.
    private static let epoch: Int64 = 1_735_689_600_000
    /// Of an id, below its milliseconds.
    private static let bitsBelow: Int64 = 12

    /// Greater than all before, also where the clock was set back.
    mutating func nextId(at now: Timestamp) -> Int64 {
        lastId = max((now.milliseconds - Self.epoch) << Self.bitsBelow, lastId + 1)
        return lastId
    }

    // MARK: - Access

    func mayRead(_ post: SimulatedPost, _ reader: Int64) -> Bool {
        guard !post.isDeleted else { return false }
        if mistakes.contains(.readsToAnyone) || post.author == reader { return true }
        return switch post.audience {
        case .everyone: true
        case .followers: following[reader]?.contains(post.author) ?? false
        case .people: post.named.contains(reader)
        }
    }

    /// - Throws: `not_found`, also for what the reader may not read.
    func require(_ id: Int64, for reader: Int64) throws(Problem) -> SimulatedPost {
        guard let post = posts[id], mayRead(post, reader) else {
            throw Problem(.notFound, "There is no such post. It may have been deleted.")
        }
        return post
    }
}
