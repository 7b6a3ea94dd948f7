import BothyClient
import BothyContract
import Synchronization

/// One post of a server that is what a test says.
final class MadeUpPost: PostsRepository {
    private struct State {
        var post: PostDetail
        var failure: ClientFailure?
        var edits = [EditPostRequest]()
    }

    private let state: Mutex<State>

    init(_ post: PostDetail) { state = Mutex(State(post: post)) }

    /// What was asked for, also where it was refused.
    var edits: [EditPostRequest] { state.withLock { $0.edits } }
    var now: PostDetail { state.withLock { $0.post } }
    func change(_ change: @Sendable (inout PostDetail) -> Void) { state.withLock { change(&$0.post) } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    func post(_ id: Int64) async throws -> ReadPost {
        try state.withLock { state in
            guard id == state.post.postId else { throw ClientFailure(.notFound, "Gone.") }
            return ReadPost(post: state.post)
        }
    }

    func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        try state.withLock { state in
            state.edits.append(request)
            if let failure = state.failure { throw failure }
            guard request.baseVersion == state.post.version else {
                throw ClientFailure(Problem(.postChanged, "It was edited meanwhile."))
            }
            state.post.version += 1
            state.post.content = request.content ?? state.post.content
            if let warning = request.contentWarning { state.post.contentWarning = warning.isEmpty ? nil : warning }
            return state.post
        }
    }

    func history(of id: Int64) async throws -> [PostVersion] {
        state.withLock {
            [PostVersion(version: $0.post.version, content: $0.post.content, createdAt: $0.post.createdAt)]
        }
    }

    func attachable(_ id: ItemID) async throws -> AttachableFile {
        // One that waits on this device to be sent.
        if id == ItemID("lake") {
            return AttachableFile(name: "lake.png", attachment: NewAttachment(type: .image, contentUrl: "#9"))
        }
        guard id == ItemID("hill") else { throw ClientFailure(.refused, "“\(id)” is not a picture or video.") }
        return AttachableFile(name: "hill.png", attachment: NewAttachment(type: .image, contentUrl: "/v1/content/h"))
    }

    private static let unasked = ClientFailure(.unexpected, "Nobody asks for this here.")

    func feed(after place: String?, limit: Int) async throws -> FeedPage { throw Self.unasked }
    func feed(above entry: Int64, limit: Int) async throws -> FeedPage { throw Self.unasked }
    func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse { throw Self.unasked }
    func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage { throw Self.unasked }
    func bookmarks(after place: String?, limit: Int) async throws -> FeedPage { throw Self.unasked }
    func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace {
        throw Self.unasked
    }
    func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool { throw Self.unasked }
    func publish(_ request: NewPostRequest) async throws -> Bool { throw Self.unasked }
    func delete(_ id: Int64) async throws -> Bool { throw Self.unasked }
    func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage { throw Self.unasked }
    func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool { throw Self.unasked }
    func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool { throw Self.unasked }
    func tryAgain(_ waiting: WaitingPost.ID) async throws { throw Self.unasked }
    func rewrite(_ waiting: WaitingPost.ID, _ change: WaitingPost.Change) async throws { throw Self.unasked }
    func discard(_ waiting: WaitingPost.ID) async throws { throw Self.unasked }
}
