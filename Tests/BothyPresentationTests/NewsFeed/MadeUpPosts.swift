import BothyClient
import BothyContract
import Synchronization

/// A feed that is what a test says.
final class MadeUpPosts: PostsRepository {
    private struct State {
        var page = FeedPage(posts: [])
        var arrivals = FeedArrivalsResponse(count: 0, hasMore: false, arrival: "")
        var done = [String]()
        var failure: ClientFailure?
        var look: (@Sendable () async -> Bool)?
        var seen = [Bool]()
    }

    private let state = Mutex(State())

    var done: [String] { state.withLock { $0.done } }
    /// What a screen showed while something was done.
    var seen: [Bool] { state.withLock { $0.seen } }
    func whileActing(_ look: @escaping @Sendable () async -> Bool) { state.withLock { $0.look = look } }
    func show(_ page: FeedPage) { state.withLock { $0.page = page } }
    func arrive(_ arrivals: FeedArrivalsResponse) { state.withLock { $0.arrivals = arrivals } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    private func act(_ deed: String) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.done.append(deed)
        }
    }

    func feed(after place: String?, limit: Int) async throws -> FeedPage {
        try act("feed \(place ?? "")")
        return state.withLock { $0.page }
    }
    func feed(above entry: Int64, limit: Int) async throws -> FeedPage {
        try act("feed above \(entry)")
        return state.withLock { $0.page }
    }
    func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse {
        try act("arrivals \(arrival ?? "")")
        return state.withLock { $0.arrivals }
    }
    func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage {
        try act("posts of \(person)")
        return state.withLock { $0.page }
    }
    func bookmarks(after place: String?, limit: Int) async throws -> FeedPage {
        try act("bookmarks \(place ?? "")")
        return state.withLock { $0.page }
    }
    func post(_ id: Int64) async throws -> ReadPost { throw ClientFailure(.notFound, "Gone.") }
    func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace { .address("/") }
    func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool {
        if let look = state.withLock({ $0.look }) {
            let isLiked = await look()
            state.withLock { $0.seen.append(isLiked) }
        }
        try act("\(interaction.rawValue) \(id)")
        return true
    }
    func publish(_ request: NewPostRequest) async throws -> Bool {
        try act(request.content)
        return false
    }
    func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        throw ClientFailure(.notFound, "Gone.")
    }
    func history(of id: Int64) async throws -> [PostVersion] { throw ClientFailure(.notFound, "Gone.") }
    func delete(_ id: Int64) async throws -> Bool {
        try act("delete \(id)")
        return false
    }
    func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage {
        CommentPage(comments: [])
    }
    func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool {
        try act("comment \(request.content) on \(post)")
        return true
    }
    func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool {
        try act("delete comment \(id) on \(post)")
        return true
    }
    func tryAgain(_ waiting: WaitingPost.ID) async throws { try act("again \(waiting)") }
    func rewrite(_ waiting: WaitingPost.ID, _ change: WaitingPost.Change) async throws {
        try act((change.isDetached ? "detach" : "rewrite") + " \(waiting)")
    }
    func discard(_ waiting: WaitingPost.ID) async throws { try act("discard \(waiting)") }
    func attachable(_ id: ItemID) async throws -> AttachableFile {
        throw ClientFailure(.refused, "“\(id)” is not a picture or video.")
    }
}
