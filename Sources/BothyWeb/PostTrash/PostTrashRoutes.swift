import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed/trash`: posts that a person has deleted.
struct PostTrashRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.postTrash.link, show), .form(Destination.postTrash.link, act)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.postTrash()
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let link = Destination.postTrash.link
        var context: [String: Any] = [
            "posts": state.posts.map(Self.row), "isEmpty": state.isEmpty, "isFirst": state.isFirst, "first": link,
        ]
        if let next = state.next { context["nextPage"] = link + "?after=" + next }
        return writer.page(.postTrash, context, title: visit.words[.postTrash], visit: visit)
    }

    private static func row(_ row: DeletedPostRow) -> [String: Any] {
        var context: [String: Any] = ["id": row.id, "beginning": row.beginning, "deleted": row.deleted]
        if let attachments = row.attachments { context["attachments"] = attachments }
        return context
    }

    /// Restores a post, or deletes it for good after a question.
    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let words = visit.words
        guard let id = form["id"].flatMap({ Int64($0) }) else {
            throw ClientFailure(.notFound, words[.postTrashGone])
        }
        let holder = await visit.postTrash()
        var place = Destination.postTrash.link
        switch form["act"] {
        case "restore": if await holder.restore(id) { place = "\(Destination.feed.link)#post-\(id)" }
        case "delete": await holder.deleteForGood(id)
        default:
            let context: [String: Any] = [
                "heading": words[.postDeleteForGoodTitle], "lead": words[.postDeleteForGoodLead], "act": "delete",
                "yes": words[.postDeleteForGood], "link": place, "icon": "trash", "ids": [["id": id]],
            ]
            return writer.page(.question, context, title: words[.postDeleteForGoodTitle], visit: visit)
        }
        return writer.redirect(to: place, visit: visit, saying: await holder.state.notice)
    }
}

extension Visit {
    @MainActor fileprivate func postTrash() -> PostTrashStateHolder {
        PostTrashStateHolder(person.postTrash, words: words, clock: clock)
    }
}
