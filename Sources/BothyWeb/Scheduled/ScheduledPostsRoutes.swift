import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed/scheduled`: a person's posts that wait for their time.
struct ScheduledPostsRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.scheduled.link, show), .form(Destination.scheduled.link, act)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.scheduledPosts()
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = ["posts": state.posts.map(Self.row), "isEmpty": state.isEmpty]
        if let staleness = state.staleness { context["staleness"] = staleness }
        return writer.page(.scheduledPosts, context, title: visit.words[.scheduled], visit: visit)
    }

    private static func row(_ row: ScheduledRow) -> [String: Any] {
        var context: [String: Any] = [
            "id": row.id, "beginning": row.beginning, "standing": row.standing, "isHeld": row.isHeld,
            "field": row.field,
        ]
        if let attachments = row.attachments { context["attachments"] = attachments }
        return context
    }

    /// Moves a post, posts it now, or deletes it after a question.
    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let words = visit.words
        guard let id = form["id"].flatMap({ Int64($0) }) else {
            throw ClientFailure(.notFound, words[.scheduledGone])
        }
        let holder = await visit.scheduledPosts()
        switch form["act"] {
        case "move": await holder.move(id, to: form["at"] ?? "")
        case "now": await holder.postNow(id)
        case "delete": await holder.delete(id)
        default:
            let context: [String: Any] = [
                "heading": words[.scheduledDeleteTitle], "lead": words[.scheduledDeleteLead], "act": "delete",
                "yes": words[.scheduledDelete], "link": Destination.scheduled.link, "icon": "trash",
                "ids": [["id": id]],
            ]
            return writer.page(.question, context, title: words[.scheduledDeleteTitle], visit: visit)
        }
        return writer.redirect(to: Destination.scheduled.link, visit: visit, saying: await holder.state.notice)
    }
}

extension Visit {
    @MainActor fileprivate func scheduledPosts() -> ScheduledPostsStateHolder {
        ScheduledPostsStateHolder(person.scheduledPosts, words: words, clock: clock)
    }
}
