import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed`: plain forms, which work without scripts too.
struct NewsFeedRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page(Destination.feed.link, show), .form(Destination.feed.link, act),
            .page(Destination.bookmarks.link, showBookmarks),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        try await page(.feed, at: .feed, title: visit.words[.feed], visit)
    }

    @Sendable private func showBookmarks(_ visit: Visit) async throws -> Response {
        try await page(.bookmarks, at: .bookmarks, title: visit.words[.bookmarks], visit)
    }

    private func page(
        _ list: PostList, at place: Destination, title: String, _ visit: Visit
    ) async throws -> Response {
        let holder = await visit.newsFeed()
        async let drafts = DraftsRoutes.count(visit)
        if list == .feed, let entry = visit.query("above").flatMap({ Int64($0) }) {
            await holder.open(above: entry)
        } else {
            await holder.open(list, after: visit.query("after"))
        }
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "posts": state.posts.map { row($0, in: place, visit.words) },
            "waiting": state.waiting.map { PostContext.waiting($0, from: place.link) }, "isFirst": state.isFirst,
            "title": title,
            "first": place.link, "isBookmarks": list == .bookmarks, "isFeedEmpty": state.isEmpty && list == .feed,
            "isBookmarksEmpty": state.isEmpty && list == .bookmarks,
        ]
        context["events"] = NotificationRoutes.events(since: state.arrival)
        context["isNewest"] = state.isFirst && list == .feed
        context["bell"] = await NotificationRoutes.bell(visit)
        let draftCount = await drafts
        if !draftCount.isEmpty { context["draftCount"] = draftCount }
        if let staleness = state.staleness { context["staleness"] = staleness }
        if let newer = state.newer { context["newerPage"] = Self.link(above: newer) }
        if let next = state.next { context["nextPage"] = place.link + "?after=" + next }
        return writer.page(.feed, context, title: title, visit: visit)
    }

    private static func link(above entry: Int64) -> String { "\(Destination.feed.link)?above=\(entry)" }

    /// A post, and the ways to those that are missing below it.
    private func row(_ row: PostRow, in list: Destination, _ words: Words) -> [String: Any] {
        var context = PostContext.row(row, from: list.link, words)
        if let gap = row.gap {
            var missing: [String: Any] = ["id": row.id, "older": list.link + "?after=" + gap.older]
            if let newer = gap.newer { missing["newer"] = Self.link(above: newer) } else { missing["isLast"] = true }
            context["missing"] = missing
        }
        return context
    }

    /// What is done with posts that wait.
    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await visit.newsFeed()
        if let id = form["id"].flatMap({ Int64($0) }) {
            switch form["act"] {
            case "retry": await holder.tryAgain(id)
            case "rewrite": await holder.rewrite(id, form.written)
            case "detach": await holder.detach(id)
            case "discard": await holder.discard(id)
            default: break
            }
        }
        return writer.redirect(to: form.from ?? Destination.feed.link, visit: visit, saying: await holder.state.notice)
    }
}

extension Visit {
    @MainActor func newsFeed() -> NewsFeedStateHolder {
        NewsFeedStateHolder(person.posts, you: person.user.id, words: words, clock: clock)
    }
}
