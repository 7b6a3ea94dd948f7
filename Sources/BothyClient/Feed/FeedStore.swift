import BothyContract
import GRDB

/// Posts on this device, and what was done with them and is not sent yet: the one source of what a screen shows of a feed.
package struct FeedStore: Sendable {
    private let database: ClientDatabase
    private let clock: any ClientClock
    private let places = CommentPlaces()

    package init(database: ClientDatabase, clock: any ClientClock) {
        self.database = database
        self.clock = clock
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database, Int64) throws -> Value
    ) async throws -> Value {
        let uptime = clock.uptime()
        return try await database.write { db in
            try body(db, LivedTimeSetting.advance(to: uptime, in: db))
        }
    }

    // MARK: - What the server said

    /// Takes in a page of the feed.
    ///
    /// - Parameters:
    ///   - before: where it begins; nil for the newest.
    ///   - asked: the last operation that was acknowledged when it was asked for: what those did is in it.
    package func apply(_ page: FeedApiResponse, before: Int64?, asked: Int64) async throws {
        try await write { db, now in
            try PostTable.apply(page, before: before, now: now, in: db)
            if before == nil { try FeedOperationTable.deleteAcknowledged(upTo: asked, in: db) }
        }
    }

    /// Takes in a page of the comments on a post.
    ///
    /// - Parameter place: after which it was asked for; nil for the first.
    package func apply(_ page: CommentsApiResponse, on post: Int64, after place: String?) async throws {
        let isFirst = place == nil
        let before = place.flatMap { places.end(before: $0, on: post) }
        try await database.write { db in
            try KeptCommentTable.apply(page, on: post, isFirst: isFirst, after: before, in: db)
        }
        if let next = page.paging.next, let last = page.comments.last {
            places.note(CommentPlaces.End(thread: last.threadId, comment: last.commentId), before: next, on: post)
        }
    }

    package func put(_ post: PostDetail) async throws {
        try await write { db, now in try PostTable.put(post, now: now, in: db) }
    }

    /// Posts that are seen, and are not in the feed.
    package func put(_ posts: [PostPreview]) async throws {
        try await write { db, now in for post in posts { try PostTable.put(post, now: now, in: db) } }
    }

    /// What the server said last; nil for what was never read here.
    package func keptDetail(_ id: Int64) async throws -> PostDetail? {
        try await database.read { db in try PostTable.detail(of: id, in: db) }
    }

    /// Who wrote a post; nil for one that is not kept here.
    package func author(of post: Int64) async throws -> Int64? {
        try await database.read { db in
            try PostTable.preview(of: post, in: db)?.author.id ?? PostTable.detail(of: post, in: db)?.author.id
        }
    }

    /// The server says that it is not there any more.
    package func forget(_ post: Int64) async throws {
        try await database.write { db in try PostTable.delete(post, in: db) }
    }

    // MARK: - What is shown

    /// A page of what is kept.
    package struct Shown: Sendable {
        /// What was done here is done to them.
        package var posts: [PostPreview]
        package var waiting: [WaitingPost]
        /// The last entry; nil where there is none.
        package var last: Int64?
        package var hasMore: Bool
    }

    /// - Parameter before: entries below it; nil for the newest.
    package func feed(before entry: Int64?, limit: Int) async throws -> Shown {
        try await write { db, now in
            let operations = try FeedOperationTable.all(in: db)
            let overlay = FeedOverlay(operations)
            let page = try PostTable.feed(before: entry, limit: limit, in: db)
            for post in page.posts { try PostTable.use(post.postId, now: now, in: db) }
            return Shown(
                posts: page.posts.compactMap(overlay.applied),
                waiting: entry == nil
                    ? operations.reversed().compactMap(\.waitingPost).filter { $0.comment == nil } : [],
                last: page.posts.last?.entryId, hasMore: page.hasMore)
        }
    }

    /// - Returns: nil for what was never read here, or was deleted here.
    package func post(_ id: Int64) async throws -> PostDetail? {
        try await write { db, now in
            try PostTable.use(id, now: now, in: db)
            return try PostTable.detail(of: id, in: db).flatMap(FeedOverlay(FeedOperationTable.all(in: db)).applied)
        }
    }

    /// Comments as this person has left them, and the person's own that wait.
    ///
    /// - Parameter page: what the server has just said; nil for all that is kept here.
    package func comments(
        on post: Int64, page: [Comment]?
    ) async throws -> (comments: [Comment], waiting: [WaitingPost]) {
        try await database.read { db in
            let operations = try FeedOperationTable.all(in: db)
            let comments = try page ?? KeptCommentTable.all(on: post, in: db)
            return (
                FeedOverlay(operations).applied(to: comments),
                operations.compactMap(\.waitingPost).filter { $0.comment?.post == post }
            )
        }
    }

    /// Ids of all that is kept.
    package func knownPosts() async throws -> [Int64] {
        try await database.read { db in try PostTable.ids(in: db) }
    }

    /// What is kept here and bookmarked, the newest post first.
    package func bookmarks() async throws -> [PostPreview] {
        try await database.read { db in
            let overlay = FeedOverlay(try FeedOperationTable.all(in: db))
            return try PostTable.previews(in: db).compactMap(overlay.applied).filter(\.bookmarked)
        }
    }

    /// A post of a page that is not kept, as this person has left it.
    package func shown(_ posts: [PostPreview]) async throws -> [PostPreview] {
        try await database.read { db in
            posts.compactMap(FeedOverlay(try FeedOperationTable.all(in: db)).applied)
        }
    }

    // MARK: - What was done here

    package func operations() async throws -> [FeedOperation] {
        try await database.read { db in try FeedOperationTable.all(in: db) }
    }

    /// Of what the server does not have yet.
    package func countOfOpen() async throws -> Int {
        try await database.read { db in try FeedOperationTable.count(in: db) }
    }

    /// Writes down what was done, so that it outlives a power cut.
    package func record(_ action: FeedOperation.Action, requestId: String) async throws -> FeedOperation {
        let now = clock.now()
        let operation = try await database.write { db in
            try FeedOperationTable.insert(action, requestId: requestId, now: now, in: db)
        }
        try await database.makeDurable()
        return operation
    }

    package func update(_ operation: FeedOperation) async throws {
        try await database.write { db in try FeedOperationTable.update(operation, in: db) }
    }

    package func remove(_ id: Int64) async throws {
        try await database.write { db in try FeedOperationTable.delete(id, in: db) }
    }

    /// The server will not do it. What it says is not there is not kept here either.
    package func drop(_ operation: FeedOperation, because failure: ClientFailure) async throws {
        try await database.write { db in
            if failure.code == .notFound, let post = operation.post {
                if case .deleteComment(let comment, _) = operation.action {
                    try KeptCommentTable.delete(comment, on: post, in: db)
                } else {
                    try PostTable.delete(post, in: db)
                }
            }
            try FeedOperationTable.delete(operation.id, in: db)
        }
    }

    /// The server has done it: it is true of what is kept in the same moment in which it is no more waited for.
    ///
    /// - Parameter comment: what the server made of a comment.
    package func acknowledge(_ operation: FeedOperation, comment: Comment? = nil) async throws {
        try await database.write { db in
            switch operation.action {
            case .publish:
                var done = operation
                done.state = .acknowledged
                done.lastError = nil
                return try FeedOperationTable.update(done, in: db)
            case .delete(let post): try PostTable.delete(post, in: db)
            case .interact(let post, let interaction): try PostTable.record(interaction, on: post, in: db)
            case .comment(let post, _):
                if let comment, try KeptCommentTable.put(comment, on: post, in: db) {
                    try PostTable.addComments(1, to: post, in: db)
                }
            case .deleteComment(let comment, let post):
                try KeptCommentTable.delete(comment, on: post, in: db)
                try PostTable.addComments(-1, to: post, in: db)
            }
            try FeedOperationTable.delete(operation.id, in: db)
        }
    }

    /// What was refused, or waits for its time, is tried at once.
    ///
    /// - Returns: false where it does not wait any more.
    package func retry(_ id: Int64) async throws -> Bool {
        try await database.write { db in
            guard var operation = try FeedOperationTable.find(id, in: db), operation.state != .acknowledged else {
                return false
            }
            operation.state = .pending
            operation.attempts = 0
            operation.nextAttemptAt = nil
            try FeedOperationTable.update(operation, in: db)
            return true
        }
    }

    // MARK: - What stays

    /// Lets go of posts beyond the bounds that the server's settings set.
    ///
    /// - Parameter ask: asks the server for them, once a day; what it said last holds where it cannot be reached.
    package func keepWithinBounds(ask: () async throws -> AboutResponse.Settings) async throws {
        let (kept, known, now) = try await write { db, now in
            (try PostTable.kept(in: db), try FeedSettings.known(in: db), now)
        }
        var settings = known?.settings ?? AboutResponse.Settings()
        guard kept.count > settings.minimumPosts else { return }
        // Where the server cannot be asked, what it said last holds.
        if known.map({ now - $0.asked >= FeedSettings.day }) ?? true, let asked = try? await ask() {
            settings = asked
            try await database.write { db in try FeedSettings(settings: asked, asked: now).keep(in: db) }
        }
        let evicted = PostEviction(
            lifetime: Int64(settings.postLifetimeDays) * FeedSettings.day, minimum: settings.minimumPosts,
            room: settings.metadataCacheBytes
        ).evicted(kept, now: now)
        try await database.write { db in for post in evicted { try PostTable.delete(post, in: db) } }
    }

    /// Nothing of the account stays here.
    ///
    /// - Throws: `pendingWork` where something waits, and is not to be given up.
    package func removeAll(givingUp: Bool = true) async throws {
        try await database.write { db in
            let waiting = try FeedOperationTable.count(in: db)
            guard waiting == 0 || givingUp else { throw ReplicaStore.waits(waiting) }
            for table in ["feed_entries", "posts", "feed_operations"] { try db.execute(sql: "DELETE FROM \(table)") }
        }
    }
}

extension FeedOperation {
    /// The post or comment that it makes, until the server's own is here.
    package var waitingPost: WaitingPost? {
        let (content, attachmentCount, comment): (String, Int, WaitingPost.CommentPlace?)
        switch action {
        case .publish(let request):
            (content, attachmentCount, comment) = (request.content, request.attachments?.count ?? 0, nil)
        case .comment(let post, let request):
            (content, attachmentCount) = (request.content, 0)
            comment = WaitingPost.CommentPlace(post: post, parent: request.parentCommentId)
        case .delete, .interact, .deleteComment: return nil
        }
        return WaitingPost(
            id: id, content: content, attachmentCount: attachmentCount, writtenAt: createdAt,
            refusal: state == .refused ? lastError : nil, isPosted: state == .acknowledged, comment: comment)
    }
}
