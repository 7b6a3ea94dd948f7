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

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.notifications()
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        // Who sees them has read them; a browser that fetches ahead sees nothing.
        if visit.request.headers[.secPurpose] == nil { await holder.readShown() }
        var context: [String: Any] = [
            "rows": state.rows.map(Self.row), "isEmpty": state.isEmpty, "isFirst": state.isFirst, "events": Self.events,
            "first": Destination.notifications.link,
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
        let (holder, writer) = (await visit.notifications(), writer)
        let news = try await visit.person.notifications.news()
        await holder.open(limit: 1)
        return { tell in
            var last = await holder.state
            // A page that was away shows how many there are by now.
            try tell(.piece(PageWriter.piece(Self.number(last), at: "bell")))
            for await one in news {
                switch one {
                case .feed: try tell(.piece(PageWriter.piece(writer.html(.feedFresh, [:], visit), at: "fresh")))
                case .notifications:
                    await holder.open(limit: 1)
                    let state = await holder.state
                    try tell(.piece(pieces(state, after: last, visit)))
                    last = state
                }
            }
        }
    }

    /// The number, and what a desktop says of the newest: who did what, and never what was written.
    private func pieces(_ state: NotificationsState, after last: NotificationsState, _ visit: Visit) -> String {
        let bell = PageWriter.piece(Self.number(state), at: "bell")
        guard let newest = state.rows.first, newest.isUnread, newest.id > last.rows.first?.id ?? 0 else { return bell }
        return bell
            + writer.html(.told, ["title": visit.words[.appName], "text": newest.text] as [String: Any], visit)
    }
}

extension HTTPField.Name {
    fileprivate static let secPurpose = Self("Sec-Purpose")!
}

extension Visit {
    @MainActor func notifications() -> NotificationsStateHolder {
        NotificationsStateHolder(person.notifications, words: words, clock: laterClock())
    }
}
