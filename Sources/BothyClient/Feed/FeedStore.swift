import BothyContract
import GRDB

/// Posts on this device, and what was done with them and is not sent yet: the one source of what a screen shows of a feed.
package struct FeedStore: Sendable {
    private let replica: @Sendable () async throws -> ReplicaStore
    let settings: ClientDatabase
    let clock: any ClientClock
    private let places = CommentPlaces()

    /// - Parameters:
    ///   - replica: opened when it is first needed.
    ///   - settings: has how long the device has lived, and what the server wants kept of posts.
    package init(
        replica: @escaping @Sendable () async throws -> ReplicaStore, settings: ClientDatabase, clock: any ClientClock
    ) {
        self.replica = replica
        self.settings = settings
        self.clock = clock
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await replica().read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await replica().transact(body)
    }

    /// Seconds that the device has lived.
    func lived() async throws -> Int64 {
        let uptime = clock.uptime()
        return try await settings.read { db in try LivedTimeSetting.now(at: uptime, in: db) }
    }

    /// Seconds after which it is noted once more that a post is looked at.
    private static let useInterval: Int64 = 600

    private func use(_ posts: [Int64]) async throws {
        let now = try await lived()
        let stale = try await read { db in try PostTable.unused(posts, since: now - Self.useInterval, in: db) }
        guard !stale.isEmpty else { return }
        try await write { db in for post in stale { try PostTable.use(post, now: now, in: db) } }
    }

    // MARK: - What the server said

    /// Takes in a page of the feed.
    ///
    /// - Parameters:
    ///   - before: where it begins; nil for the newest.
    ///   - settled: operations that the server had done when it was asked for: what those did is in it.
    package func apply(_ page: FeedApiResponse, before: Int64?, settled: Set<Int64>) async throws {
        let now = try await lived()
        try await write { db in
            try PostTable.apply(page, before: before, now: now, in: db)
            if before == nil { try FeedOperationTable.remove(settled, in: db) }
        }
    }

    /// Takes in a page of the comments on a post.
    ///
    /// - Parameter place: after which it was asked for; nil for the first.
    package func apply(_ page: CommentsApiResponse, on post: Int64, after place: String?) async throws {
        let isFirst = place == nil
        let before = place.flatMap { places.end(before: $0, on: post) }
        try await write { db in
            try KeptCommentTable.apply(page, on: post, isFirst: isFirst, after: before, in: db)
        }
        if let next = page.paging.next, let last = page.comments.last {
            places.note(CommentPlaces.End(thread: last.threadId, comment: last.commentId), before: next, on: post)
        }
    }

    package func put(_ post: PostDetail) async throws {
        let now = try await lived()
        try await write { db in try PostTable.put(post, now: now, in: db) }
    }

    /// Posts that are seen, and are not in the feed.
    package func put(_ posts: [PostPreview]) async throws {
        let now = try await lived()
        try await write { db in for post in posts { try PostTable.put(post, now: now, in: db) } }
    }

    /// What the server said last; nil for what was never read here.
    package func keptDetail(_ id: Int64) async throws -> PostDetail? {
        try await read { db in try PostTable.detail(of: id, in: db) }
    }

    /// What the server said last in a list, and whether it is in the feed here; nil for what was never seen here.
    package func keptPreview(_ id: Int64) async throws -> (preview: PostPreview, isInFeed: Bool)? {
        try await read { db in
            try PostTable.preview(of: id, in: db).map { (preview: $0, isInFeed: try PostTable.isInFeed(id, in: db)) }
        }
    }

    /// Who wrote a post; nil for one that is not kept here.
    package func author(of post: Int64) async throws -> Int64? {
        try await read { db in
            try PostTable.preview(of: post, in: db)?.author.id ?? PostTable.detail(of: post, in: db)?.author.id
        }
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
        /// See ``FeedPage/gaps``.
        package var gaps: [Int64: FeedPage.Gap]
        /// See ``FeedPage/arrival``.
        package var arrival: String?
    }

    /// - Parameter before: entries below it; nil for the newest.
    package func feed(before entry: Int64?, limit: Int) async throws -> Shown {
        let (shown, seen) = try await read { db in
            let operations = try FeedOperationTable.all(in: db)
            let overlay = FeedOverlay(operations)
            let page = try PostTable.feed(before: entry, limit: limit, in: db)
            let posts = page.posts.compactMap(overlay.applied)
            let last = page.posts.last?.entryId
            let gaps = try FeedGapTable.all(in: db).filter { $0.entry < entry ?? .max && $0.entry >= last ?? .max }
            let shown = Shown(
                posts: posts, waiting: entry == nil ? try Self.waiting(operations, in: db) : [],
                last: last, hasMore: page.hasMore,
                gaps: FeedGap.placed(gaps, among: posts.map { ($0.entryId, $0.postId) }),
                arrival: try FeedGapTable.arrival(in: db))
            return (shown, page.posts.map(\.postId))
        }
        try await use(seen)
        return shown
    }

    /// Posts that are not in the feed yet, the newest first. One whose answer was lost may have come with a page already: it is there once.
    private static func waiting(_ operations: [FeedOperation], in db: Database) throws -> [WaitingPost] {
        try operations.reversed().compactMap { operation in
            guard case .publish = operation.action else { return nil }
            let isThere =
                try operation.sent && operation.isShown && PostTable.isInFeed(madeBy: operation.requestId, in: db)
            return isThere ? nil : try operation.waitingPost(in: db)
        }
    }

    /// - Returns: nil for what was never read here, or was deleted here.
    package func post(_ id: Int64) async throws -> PostDetail? {
        try await use([id])
        return try await read { db in
            try PostTable.detail(of: id, in: db).flatMap(FeedOverlay(FeedOperationTable.all(in: db)).applied)
        }
    }

    /// What a list had of a post; nil for what was never seen here, or was deleted here.
    package func listed(_ id: Int64) async throws -> PostPreview? {
        try await use([id])
        return try await read { db in
            try PostTable.preview(of: id, in: db).flatMap(FeedOverlay(FeedOperationTable.all(in: db)).applied)
        }
    }

    /// Comments as this person has left them, and the person's own that wait.
    ///
    /// - Parameter page: what the server has just said; nil for all that is kept here.
    package func comments(
        on post: Int64, page: [Comment]?
    ) async throws -> (comments: [Comment], waiting: [WaitingPost]) {
        try await read { db in
            let operations = try FeedOperationTable.all(in: db)
            let comments = try page ?? KeptCommentTable.all(on: post, in: db)
            return (
                FeedOverlay(operations).applied(to: comments),
                try operations.filter { $0.postId == post }.compactMap { try $0.waitingPost(in: db) }
                    .filter { $0.comment != nil }
            )
        }
    }

    /// Ids of all that is kept.
    package func knownPosts() async throws -> [Int64] {
        try await read { db in try PostTable.ids(in: db) }
    }

    /// What is kept here and bookmarked, the newest post first.
    package func bookmarks() async throws -> [PostPreview] {
        try await read { db in
            let overlay = FeedOverlay(try FeedOperationTable.all(in: db))
            return try PostTable.previews(in: db).compactMap(overlay.applied).filter(\.bookmarked)
        }
    }

    /// A post of a page that is not kept, as this person has left it.
    package func shown(_ posts: [PostPreview]) async throws -> [PostPreview] {
        try await read { db in
            posts.compactMap(FeedOverlay(try FeedOperationTable.all(in: db)).applied)
        }
    }

    /// Posts and comments that were written here and that the server does not have, in the order in which they were written.
    package func waiting() async throws -> [WaitingPost] {
        try await read { db in
            try FeedOperationTable.all(in: db).filter { $0.state != .acknowledged }
                .compactMap { try $0.waitingPost(in: db) }
        }
    }

    /// Whether a post is to be sent once a file has reached the server.
    func waitsForFiles() async throws -> Bool {
        try await read { db in
            try FeedOperationTable.all(in: db).contains { operation in
                try operation.state != .acknowledged && WaitingFiles.of(operation, in: db) != nil
            }
        }
    }

    // MARK: - What was done here

    package func operations() async throws -> [FeedOperation] {
        try await read { db in try FeedOperationTable.all(in: db) }
    }

    /// - Returns: nil for what is not in the journal, or not any more.
    package func operation(_ id: Int64) async throws -> FeedOperation? {
        try await read { db in try FeedOperationTable.find(id, in: db) }
    }

    /// What the server has done, and the feed that is kept here does not have yet.
    package func settled() async throws -> Set<Int64> {
        try await read { db in try FeedOperationTable.acknowledged(in: db) }
    }

    /// Of what the server does not have yet.
    package func countOfOpen() async throws -> Int { try await replica().countOfOpen(.feed) }

    /// Writes down what was done, so that it outlives a power cut.
    package func record(_ deed: FeedDeed, requestId: String) async throws -> FeedOperation {
        let now = clock.now()
        return try await write { db in
            try FeedOperationTable.insert(deed, requestId: requestId, now: now, in: db)
        }
    }

    package func remove(_ id: Int64) async throws {
        try await write { db in try OperationTable.remove(id, in: db) }
    }

    // MARK: - What stays

    /// Lets go of posts beyond the bounds that the server's settings set.
    ///
    /// - Parameter ask: asks the server for them, once a day; what it said last holds where it cannot be reached.
    package func keepWithinBounds(ask: () async throws -> AboutResponse.Settings) async throws {
        let uptime = clock.uptime()
        let (known, now) = try await settings.write { db in
            (try FeedSettings.known(in: db), try LivedTimeSetting.advance(to: uptime, in: db))
        }
        let kept = try await read { db in try PostTable.kept(in: db) }
        var bounds = known?.settings ?? AboutResponse.Settings()
        guard kept.count > bounds.minimumPosts else { return }
        // Where the server cannot be asked, what it said last holds.
        if known.map({ now - $0.asked >= FeedSettings.day }) ?? true, let asked = try? await ask() {
            bounds = asked
            try await settings.write { db in try FeedSettings(settings: asked, asked: now).keep(in: db) }
        }
        let evicted = PostEviction(
            lifetime: Int64(bounds.postLifetimeDays) * FeedSettings.day, minimum: bounds.minimumPosts,
            room: bounds.metadataCacheBytes
        ).evicted(kept, now: now)
        try await write { db in for post in evicted { try PostTable.delete(post, in: db) } }
    }
}
