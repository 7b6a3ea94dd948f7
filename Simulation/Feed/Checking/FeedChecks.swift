import BothyClient
import BothyContract

/// What must hold of a feed's world that has come to rest.
struct FeedChecks {
    let server: SimulatedFeedServer
    let devices: [FeedDevice]

    private var ledger: FeedLedger { server.ledger }

    /// - Returns: what is wrong; nil when nothing is.
    func check() async -> Finding? {
        do {
            let recount = try FeedRecount(ledger)
            try checkPosts(recount)
            try checkComments(recount)
            try checkWishes()
            try checkOrder()
            for device in devices { try await checkFeed(of: device, recount) }
            return nil
        } catch let finding as Finding {
            return finding
        } catch {
            return Finding(.engineFailed, "\(error)")
        }
    }

    // MARK: - At the server

    /// What was acknowledged is there once, and counts are the numbers of what they count.
    private func checkPosts(_ recount: FeedRecount) throws(Finding) {
        let model = server.model
        for id in Set(model.posts.keys).union(recount.posts.keys).sorted() {
            guard let post = model.posts[id] else {
                throw Finding(.lost, "The server said that post \(id) is there, and it is not.")
            }
            guard let wanted = recount.posts[id] else {
                throw Finding(.doubled, "Post \(id) is there, and what person \(post.author) posted is there already.")
            }
            guard post.isDeleted == wanted.isDeleted, post.content == wanted.content else {
                throw Finding(.unequal, "Post \(id) is not as it was left.")
            }
            let (likes, shares) = (
                recount.likes.count { $0.other == id }, recount.shares.count { $0.other == id }
            )
            let comments = recount.comments(on: id).count
            guard post.likeCount == likes, post.shareCount == shares, post.commentCount == comments else {
                throw Finding(
                    .miscounted,
                    """
                    Post \(id) counts \(post.likeCount) likes, \(post.shareCount) shares and \(post.commentCount) comments; \
                    there are \(likes), \(shares) and \(comments).
                    """)
            }
        }
    }

    private func checkComments(_ recount: FeedRecount) throws(Finding) {
        for post in server.model.posts.values.sorted(by: { $0.id < $1.id }) {
            let (there, wanted) = (Set(post.listedComments.map(\.id)), recount.comments(on: post.id))
            if let lost = wanted.subtracting(there).min() {
                throw Finding(.lost, "Comment \(lost) on post \(post.id) was made, and is not there.")
            }
            if let more = there.subtracting(wanted).min() {
                throw Finding(.doubled, "Comment \(more) on post \(post.id) is there, and nobody made it by then.")
            }
        }
    }

    // MARK: - What people wanted

    /// What somebody did is done, or she was told that it is not.
    private func checkWishes() throws(Finding) {
        for wish in ledger.wishes {
            let name = "\(devices[wish.device].name): \(wish.words)"
            switch wish.fate {
            case .waits: throw Finding(.lost, "\(name), and it has neither been sent nor refused.")
            case .done where wish.isKeptByRequest && !ledger.wasDone(wish):
                throw Finding(.lost, "\(name), which the device calls done, and the server never did it.")
            case .refused(let reason) where reason.isEmpty:
                throw Finding(.untold, "\(name), which was refused, and nobody was told why.")
            case .done, .refused, .givenUp: continue
            }
        }
    }

    /// What a device posted comes in its order, and so does what it wrote on one post.
    private func checkOrder() throws(Finding) {
        struct Place: Hashable {
            let device: Int
            /// Nil for posts themselves.
            let post: Int64?
        }
        var last = [Place: Int64]()
        for wish in ledger.wishes where wish.deed.makesSomething && wish.fate == .done && !wish.isRewritten {
            guard let made = ledger.made(by: wish.requestId, of: wish.person) else { continue }
            let place = Place(device: wish.device, post: wish.deed.post)
            if let before = last.updateValue(made, forKey: place), before > made {
                throw Finding(
                    .outOfOrder,
                    "\(devices[wish.device].name): \(wish.words), and it came before what was written before.")
            }
        }
    }

    // MARK: - At the devices

    /// Who reads what, and what each post looks like to her.
    private func checkFeed(of device: FeedDevice, _ recount: FeedRecount) async throws {
        let shown = try await wholeFeed(of: device)
        let ids = shown.map(\.postId)
        guard Set(ids).count == ids.count else { throw Finding(.doubled, "\(device.name) shows a post twice: \(ids).") }
        let wanted = recount.feed(of: device.person)
        if let more = Set(ids).subtracting(wanted).min() {
            throw Finding(.misread, "\(device.name) shows post \(more), which is not for person \(device.person).")
        }
        if let less = wanted.subtracting(ids).min() {
            throw Finding(.misread, "\(device.name) does not show post \(less), which is for person \(device.person).")
        }
        for post in shown {
            let pair = FeedRecount.Pair(person: device.person, other: post.postId)
            guard post.liked == recount.likes.contains(pair), post.shared == recount.shares.contains(pair),
                post.bookmarked == recount.bookmarks.contains(pair),
                post.likeCount == server.model.posts[post.postId]?.likeCount,
                post.shareCount == server.model.posts[post.postId]?.shareCount,
                post.commentCount == server.model.posts[post.postId]?.commentCount
            else { throw Finding(.unequal, "\(device.name) shows post \(post.postId) otherwise than it stands.") }
        }
        for post in ids.prefix(1) {
            let comments = try await device.store.comments(on: post, page: nil).comments.map(\.commentId)
            guard Set(comments) == recount.comments(on: post), Set(comments).count == comments.count else {
                throw Finding(.unequal, "\(device.name) shows the comments \(comments) on post \(post).")
            }
        }
        guard try await device.store.operations().isEmpty else {
            throw Finding(.noRest, "\(device.name) has all that it asked for, and its journal is not empty.")
        }
    }

    private func wholeFeed(of device: FeedDevice) async throws -> [PostPreview] {
        var (all, before) = ([PostPreview](), Int64?.none)
        while true {
            let page = try await device.store.feed(before: before, limit: FeedLimits.maximumPage)
            all += page.posts
            guard page.hasMore, let last = page.last else { return all }
            before = last
        }
    }
}

extension FeedLedger.Wish {
    /// The server knows it by its request id.
    fileprivate var isKeptByRequest: Bool { if case .follow = deed.action { false } else { true } }
}

extension FeedDeed {
    /// A post or a comment.
    fileprivate var makesSomething: Bool {
        switch action {
        case .publish, .comment: true
        case .delete, .interact, .deleteComment, .follow: false
        }
    }
}
