import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed`: plain forms, which work without scripts too.
struct NewsFeedRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.feed.link, show), .form(Destination.feed.link, act)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.newsFeed()
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "posts": state.posts.map { PostContext.row($0, from: Destination.feed.link, visit.words) },
            "waiting": state.waiting.map(Self.waiting), "isEmpty": state.isEmpty, "isFirst": state.isFirst,
        ]
        if let staleness = state.staleness { context["staleness"] = staleness }
        if let next = state.next { context["nextPage"] = Destination.feed.link + "?after=" + next }
        return writer.page(.feed, context, title: visit.words[.feed], visit: visit)
    }

    /// What is done with posts that wait.
    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await visit.newsFeed()
        if let id = form["id"].flatMap({ Int64($0) }) {
            switch form["act"] {
            case "retry": await holder.tryAgain(id)
            case "discard": await holder.discard(id)
            default: break
            }
        }
        return writer.redirect(to: Destination.feed.link, visit: visit, saying: await holder.state.notice)
    }

    private static func waiting(_ post: NewsFeedState.Waiting) -> [String: Any] {
        var context: [String: Any] = [
            "id": post.id, "blocks": PostBlockView.all(of: post.text), "standing": post.standing,
            "isRefused": post.isRefused,
            "canBeDiscarded": post.canBeDiscarded,
        ]
        if let attachments = post.attachments { context["attachments"] = attachments }
        if let remedy = post.remedy { context["remedy"] = remedy }
        return context
    }
}

extension Visit {
    @MainActor func newsFeed() -> NewsFeedStateHolder {
        NewsFeedStateHolder(person.posts, you: person.user.id, words: words, clock: clock)
    }
}
