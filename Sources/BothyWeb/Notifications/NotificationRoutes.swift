import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed/notifications`: what others did that concerns a person; and what a page of the feed hears while it is open.
struct NotificationRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.notifications.link, show)] }

    var streams: [PageStream] { [PageStream(Self.events, events)] }

    /// Where pages of the feed listen.
    static let events = Destination.feed.link + "/events"

    /// The same for a page that shows what had come until then: it hears how many posts came since.
    static func events(since arrival: String?) -> String { arrival.map { events + "?since=" + $0 } ?? events }

    /// The same for the page of a post: it hears when that is no longer as it was shown.
    static func events(of post: Int64, seen marks: PostMarks) -> String { events + "?post=\(post)&seen=\(seen(marks))" }

    /// What tells whether a post has other counts, as part of an address.
    private static func seen(_ marks: PostMarks) -> String {
        [marks.likeCount, marks.shareCount, marks.commentCount].map { $0.filter(\.isNumber) }.joined(separator: "-")
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.notifications()
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        // A person who sees them has read them. A browser that fetches ahead sees nothing.
        if visit.request.headers[.secPurpose] == nil { await holder.readShown() }
        var context: [String: Any] = [
            "rows": state.rows.map(Self.row), "isEmpty": state.isEmpty, "isFirst": state.isFirst, "events": Self.events,
            "first": Destination.notifications.link, "isOfDevice": visit.account?.device != nil,
        ]
        if let staleness = state.staleness { context["staleness"] = staleness }
        if let next = state.next { context["nextPage"] = Destination.notifications.link + "?after=" + next }
        return writer.page(.notifications, context, title: visit.words[.notifications], visit: visit)
    }

    private static func row(_ row: NotificationRow) -> [String: Any] {
        let comment = row.comment.map { "#comment-\($0)" } ?? ""
        var context: [String: Any] = [
            "link": row.place.link + comment, "text": row.text, "date": row.date,
            "createdAt": row.createdAt.rfc3339, "isUnread": row.isUnread,
        ]
        context.merge(PersonContext.face(row.face)) { $1 }
        if let excerpt = row.excerpt { context["excerpt"] = excerpt }
        return context
    }

    /// The number on the bell; empty for none, and where nobody can say.
    static func bell(_ visit: Visit) async -> String {
        let holder = await visit.notifications()
        await holder.open(limit: 1)
        return number(await holder.state)
    }

    private static func number(_ state: NotificationsState) -> String {
        state.unread == 0 ? "" : state.unread > mostShown ? "\(mostShown)+" : String(state.unread)
    }

    private static let mostShown = 99

    // MARK: - What an open page hears

    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let (holder, arrivals) = (await visit.notifications(), await visit.arrivals())
        let (post, seen) = (visit.query("post").flatMap { Int64($0) }, visit.query("seen"))
        let news = try await visit.person.notifications.news(of: post)
        await holder.open(limit: 1)
        return { tell in
            var last = await holder.state
            // What came before this listened on is told too, and how many there are by now to a page that was away.
            await arrivals.look()
            try tell(.piece(fresh(await arrivals.said, visit) + PageWriter.piece(Self.number(last), at: "bell")))
            var marks: PostMarks?
            if let post { marks = await Self.marks(of: post, visit) }
            // It may have gone before this listened. That is said of any post that cannot be read, and so tells of none.
            if let seen, marks.map(Self.seen) != seen { try tell(.piece(Self.heardOfPost)) }
            for await one in news {
                switch one {
                case .feed:
                    await arrivals.look()
                    try tell(.piece(fresh(await arrivals.said, visit)))
                case .notifications:
                    await holder.open(limit: 1)
                    let state = await holder.state
                    try tell(.piece(pieces(state, after: last, visit)))
                    last = state
                case .post:
                    guard let post else { continue }
                    // A reader who could read it hears that it is gone; one who never could hears nothing of it.
                    let before = marks
                    marks = await Self.marks(of: post, visit)
                    if before != nil || marks != nil { try tell(.piece(Self.heardOfPost)) }
                }
            }
        }
    }

    /// Has the page of the post ask for itself anew.
    private static let heardOfPost = "<template data-heard=\"post\"></template>\n"

    /// - Returns: nil for a post that cannot be read.
    private static func marks(of post: Int64, _ visit: Visit) async -> PostMarks? {
        let holder = await visit.postDetail()
        await holder.open(post)
        return await holder.state.post?.marks
    }

    /// Stands above what is read, which nothing moves.
    private func fresh(_ said: String?, _ visit: Visit) -> String {
        PageWriter.piece(said.map { writer.html(.feedFresh, ["said": $0], visit) } ?? "", at: "fresh")
    }

    /// The number, and what a desktop says of the newest: who did what, and never what was written.
    private func pieces(_ state: NotificationsState, after last: NotificationsState, _ visit: Visit) -> String {
        let bell = PageWriter.piece(Self.number(state), at: "bell")
        // A device has notices of its own, by its switches.
        guard visit.account?.device == nil else { return bell }
        guard let newest = state.rows.first, newest.isUnread, newest.id > last.rows.first?.id ?? 0 else { return bell }
        return bell
            + writer.html(.told, ["title": visit.words[.appName], "text": newest.text] as [String: Any], visit)
    }
}

extension HTTPField.Name {
    fileprivate static let secPurpose = Self("Sec-Purpose")!
}

extension Visit {
    @MainActor func arrivals() -> FeedArrivals {
        FeedArrivals(person.posts, since: query("since"), words: words)
    }

    @MainActor func notifications() -> NotificationsStateHolder {
        NotificationsStateHolder(person.notifications, words: words, clock: laterClock())
    }
}
