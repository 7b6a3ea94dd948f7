import BothyClient
import BothyContract
import BothyServer

/// Posts, straight from the server's database. Nothing waits here: what is done is done.
struct HostedPosts: PostsRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func feed(after place: String?, limit: Int) async throws -> FeedPage {
        try await page(of: .feed, after: place, limit: limit)
    }

    func feed(above entry: Int64, limit: Int) async throws -> FeedPage {
        try await failing {
            let page = try await services.posts.page(of: .feed, after: nil, above: entry, limit: limit, for: caller)
            let below = FeedListing.Position(entryId: page.feed.last?.entryId ?? entry)
            return FeedPage(
                posts: page.feed, next: try PageCursor.text(below), newer: page.paging.next.flatMap { Int64($0) })
        }
    }

    func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse {
        try await failing { try await services.posts.arrivals(since: arrival, for: caller) }
    }

    func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage {
        try await page(of: .author(person), after: place, limit: limit)
    }

    func bookmarks(after place: String?, limit: Int) async throws -> FeedPage {
        try await page(of: .bookmarks, after: place, limit: limit)
    }

    private func page(of source: FeedListing.Source, after place: String?, limit: Int) async throws -> FeedPage {
        try await failing {
            let page = try await services.posts.page(of: source, after: place, limit: limit, for: caller)
            return FeedPage(posts: page.feed, next: page.paging.next, arrival: page.arrival)
        }
    }

    func post(_ id: Int64) async throws -> ReadPost {
        try await failing { ReadPost(post: try await services.posts.find(id, for: caller)) }
    }

    func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace {
        .address(try await self.post(post).post.attachment(id).address(quality))
    }

    func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool {
        try await failing {
            _ = try await services.posts.interact(
                interaction, on: id, identity: .none(for: "POST /v1/posts/\(id)/interactions"), for: caller)
            return true
        }
    }

    @discardableResult
    func publish(_ request: NewPostRequest) async throws -> Bool {
        try await failing {
            _ = try await services.posts.create(request, identity: try RequestIdentity(of: request), for: caller)
            return true
        }
    }

    @discardableResult
    func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        try await failing {
            try await services.posts.edit(
                id, request, identity: try RequestIdentity(of: request, on: id), for: caller)
        }
    }

    func history(of id: Int64) async throws -> [PostVersion] {
        try await failing { try await services.posts.history(of: id, for: caller).versions }
    }

    func delete(_ id: Int64) async throws -> Bool {
        try await failing {
            _ = try await services.posts.delete(id, identity: .none(for: "DELETE /v1/posts/\(id)"), for: caller)
            return true
        }
    }

    func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage {
        try await failing {
            let page = try await services.comments.page(on: post, after: place, limit: limit, for: caller)
            return CommentPage(comments: page.comments, next: page.paging.next)
        }
    }

    @discardableResult
    func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool {
        try await failing {
            _ = try await services.comments.create(
                request, on: post, identity: try RequestIdentity(of: request, on: post), for: caller)
            return true
        }
    }

    func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool {
        try await failing {
            _ = try await services.comments.delete(
                id, on: post, identity: .none(for: "DELETE /v1/posts/\(post)/comments/\(id)"), for: caller)
            return true
        }
    }

    func tryAgain(_ waiting: WaitingPost.ID) async throws {}

    func rewrite(_ waiting: WaitingPost.ID, _ change: WaitingPost.Change) async throws {}

    func discard(_ waiting: WaitingPost.ID) async throws {}

    func attachable(_ id: ItemID) async throws -> AttachableFile {
        let drive = caller.driveId
        return try await failing {
            let row = try await services.database.read { try FileTable($0, drive: drive).requireFile(id.text) }
            return try AttachableFile(row.file(trashed: false))
        }
    }
}
