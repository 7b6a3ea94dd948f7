import BothyContract

/// Posts as a device has them: what it shows comes from its own database, always; the server is asked for what is new.
package struct DevicePosts: PostsRepository {
    private let store: FeedStore
    private let journal: FeedJournal
    private let remote: PostsRemoteSource
    private let media: PostMedia
    private let held: HeldPosts
    private let account: AccountRepository
    private let conditions: WorkConditions
    private let replica: ReplicaEngine
    private let environment: ClientEnvironment

    init(
        store: FeedStore, journal: FeedJournal, remote: PostsRemoteSource, media: PostMedia,
        held: HeldPosts, account: AccountRepository, conditions: WorkConditions, replica: ReplicaEngine,
        environment: ClientEnvironment
    ) {
        self.store = store
        self.journal = journal
        self.remote = remote
        self.media = media
        self.held = held
        self.account = account
        self.conditions = conditions
        self.replica = replica
        self.environment = environment
    }

    // MARK: - Reading

    package func feed(after place: String?, limit: Int) async throws -> FeedPage {
        let place = place.flatMap(FeedPlace.init)
        // A page that was shown without a connection does not know what the server calls the place behind it.
        var isAsked = place == nil || place?.remote != nil
        var (next, unreached): (String?, ClientFailure?) = (nil, nil)
        do {
            if isAsked { next = try await fetch(after: place, limit: limit) }
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            (unreached, isAsked) = (failure, false)
            try await store.noteCheck(at: nil)
        }
        let shown = try await store.feed(before: place?.entry, limit: limit)
        // Nobody's feed is no empty feed.
        if shown.posts.isEmpty, shown.waiting.isEmpty, let unreached, unreached.code == .signInNeeded {
            throw unreached
        }
        let hasMore = isAsked ? next != nil : shown.hasMore
        // What is missing below a page that the server has just told comes with the next one.
        let gaps = shown.gaps.filter { !isAsked || $0.key != shown.posts.last?.postId }
        return FeedPage(
            posts: shown.posts, waiting: shown.waiting,
            next: hasMore ? shown.last.map { FeedPlace(entry: $0, remote: next).text } : nil, unreached: unreached,
            arrival: shown.arrival, gaps: gaps)
    }

    package func feed(above entry: Int64, limit: Int) async throws -> FeedPage {
        let page = try await remote.feed(above: entry, limit: limit)
        try await store.apply(rising: page, above: entry)
        return FeedPage(
            posts: try await store.shown(page.feed),
            next: FeedPlace(entry: page.feed.last?.entryId ?? entry, remote: nil).text,
            newer: page.paging.next.flatMap { Int64($0) })
    }

    package func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse {
        try await remote.arrivals(since: arrival)
    }

    /// Takes in a page of the server's feed.
    ///
    /// - Returns: what the server calls the place behind it.
    private func fetch(after place: FeedPlace?, limit: Int) async throws -> String? {
        // What was done here is in what is fetched then; while automatic work is held, it waits.
        if place == nil, try await conditions.hold(on: .byItself) == nil { try await journal.send() }
        // Of what is fetched now, nobody has to ask.
        if place == nil { try await held.checkIfDue() }
        let settled = try await store.settled()
        let page = try await remote.feed(after: place?.remote, limit: limit)
        try await store.apply(page, before: place?.entry, settled: settled)
        if let next = page.paging.next, let end = page.feed.last?.entryId {
            try await closeGap(below: end, after: next, limit: max(limit, FeedLimits.defaultPage))
        }
        return page.paging.next
    }

    /// A short page does not reach what is kept here, also where little or nothing is missing in between: then the next one does.
    private func closeGap(below end: Int64, after next: String, limit: Int) async throws {
        guard let kept = try await store.newest(beyondGapAt: end) else { return }
        let page: FeedApiResponse
        do {
            page = try await remote.feed(after: next, limit: limit)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            // The gap is shown until somebody asks for what is missing.
            return
        }
        let isReached = page.paging.next == nil || page.feed.last.map { $0.entryId <= kept } ?? false
        if isReached { try await store.apply(page, before: end, settled: []) }
    }

    package func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage {
        if let kept = place.flatMap(KeptPlace.init) {
            return try await store.posts(of: person, after: kept, limit: limit)
        }
        do {
            let page = try await remote.posts(of: person, after: place, limit: limit)
            // What was seen here is known by its digits here.
            try await store.put(page.feed)
            return FeedPage(posts: try await store.shown(page.feed), next: page.paging.next)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown && place == nil {
            var kept = try await store.posts(of: person, after: nil, limit: limit)
            // Where the sign-in has ended, a connection brings nothing.
            guard failure.code != .signInNeeded || !kept.posts.isEmpty else { throw failure }
            // Of who is known here it can be said that none of hers are.
            let isKnown = try await store.person(person) != nil
            guard isKnown || !kept.posts.isEmpty else { throw failure }
            kept.unreached = failure
            return kept
        }
    }

    package func bookmarks(after place: String?, limit: Int) async throws -> FeedPage {
        do {
            let page = try await remote.bookmarks(after: place, limit: limit)
            try await store.put(page.feed)
            return FeedPage(posts: try await store.shown(page.feed).filter(\.bookmarked), next: page.paging.next)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            return FeedPage(posts: try await store.bookmarks(), unreached: failure)
        }
    }

    package func post(_ id: Int64) async throws -> ReadPost {
        var unreached: ClientFailure?
        do {
            try await store.put(try await remote.post(id))
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            unreached = failure
        } catch let failure as ClientFailure where failure.code == .notFound {
            try await held.forget([id])
            throw failure
        }
        if let post = try await store.post(id) { return ReadPost(post: post, unreached: unreached) }
        // It was in a list, and never opened here.
        guard let unreached else {
            throw ClientFailure(.notFound, "This post was deleted.", remedy: "The feed shows the other posts.")
        }
        guard let listed = try await store.listed(id) else { throw unreached }
        return ReadPost(beginning: listed, unreached: unreached)
    }

    /// - Throws: `offline` where only its beginning is here.
    private func whole(_ id: Int64) async throws -> PostDetail {
        let read = try await post(id)
        if read.isBeginning, let unreached = read.unreached { throw unreached }
        return read.post
    }

    package func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace {
        let quality = await environment.affordable(quality)
        let detail = try await store.keptDetail(post)
        // What was kept may be of a time before it was attached. What is here needs nobody to be asked.
        let known = try? detail?.attachment(id)
        if let known, let kept = media.kept(known, atLeast: quality) { return .here(kept) }
        do {
            return .here(try await media.served(try await whole(post).attachment(id), quality))
        } catch let failure as ClientFailure where failure.isNetworks {
            // A smaller one than was asked for is better than none.
            guard let known, let kept = media.kept(known, atLeast: .thumbnail) else { throw failure }
            return .here(kept)
        }
    }

    package func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage {
        do {
            let page = try await remote.comments(on: post, after: place, limit: limit)
            try await store.apply(page, on: post, after: place)
            let shown = try await store.comments(on: post, page: page.comments)
            return CommentPage(
                comments: shown.comments, waiting: page.paging.next == nil ? shown.waiting : [],
                next: page.paging.next)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            let shown = try await store.comments(on: post, page: nil)
            return CommentPage(comments: shown.comments, waiting: shown.waiting, unreached: failure)
        }
    }

    // MARK: - Acting

    package func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool {
        // What the server would refuse is refused without a connection, too.
        if interaction == .shared, let audience = try await store.keptPreview(id)?.preview.audience,
            audience.kind != .everyone
        {
            throw ClientFailure(
                .refused, "Only a post to everyone can be shared.", remedy: "Its author chose who can see it."
            )
        }
        if let waiting = try await store.waiting(interaction, on: id) { return try await journal.actAgain(waiting) }
        return try await journal.act(.interact(post: id, interaction))
    }

    @discardableResult
    package func publish(_ request: NewPostRequest) async throws -> Bool {
        var request = request
        let requestId = request.requestId ?? OrderedId.new(at: environment.clock.now())
        request.requestId = requestId
        return try await journal.write(.publish(request), requestId: requestId)
    }

    @discardableResult
    package func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool {
        try await journal.write(.comment(post: post, request), requestId: request.requestId)
    }

    package func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool {
        try await journal.act(.deleteComment(id, post: post))
    }

    package func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        var request = request
        // An answer that was lost is asked for again, and the post is edited once.
        request.requestId = request.requestId ?? OrderedId.new(at: environment.clock.now())
        let post = try await remote.edit(id, request)
        try await store.put(edited: post)
        return try await store.post(id) ?? post
    }

    package func history(of id: Int64) async throws -> [PostVersion] { try await remote.history(of: id) }

    package func delete(_ id: Int64) async throws -> Bool {
        // What the server would refuse is refused without a connection, too.
        if let author = try await store.author(of: id), let you = try account.signedIn()?.user.id, author != you {
            throw ClientFailure(.refused, "Only the author of a post can delete it.", remedy: "It stays in the feed.")
        }
        let isThere = try await journal.act(.delete(post: id))
        try await held.forgetMedia(of: id)
        return isThere
    }

    package func tryAgain(_ waiting: WaitingPost.ID) async throws {
        guard try await replica.retry(waiting) != nil else { return }
        try await journal.send()
    }

    package func rewrite(_ waiting: WaitingPost.ID, _ change: WaitingPost.Change) async throws {
        let isUnderWay = try await replica.isUnderWay(waiting)
        try await store.rewrite(waiting, change, isUnderWay: isUnderWay)
        try await journal.send()
    }

    package func discard(_ waiting: WaitingPost.ID) async throws {
        guard try await !replica.discardEntry(waiting).isEmpty else {
            throw ClientFailure(
                .refused, "It is already posted, or was discarded.",
                remedy: "Check the feed; a published post can be deleted.")
        }
    }

    package func attachable(_ id: ItemID) async throws -> AttachableFile {
        let file = try await replica.present(id)
        let revision = file.headRevisionId.flatMap { $0 == SeenContent.unseen ? nil : $0 }
        // A post can wait for the content that a file was made with here, and for no other.
        if revision == nil, let checksum = file.checksum,
            try await store.read({ db in try LuidTable.content(of: file.luid, in: db) }) == checksum
        {
            return try AttachableFile(name: file.name, mimeType: file.mimeType, waiting: file.luid)
        }
        return try AttachableFile(name: file.name, mimeType: file.mimeType, revisionId: revision)
    }
}
