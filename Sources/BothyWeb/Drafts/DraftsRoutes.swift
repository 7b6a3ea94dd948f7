import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/feed/drafts`: posts that a person is writing.
struct DraftsRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.drafts.link, show), .form(Destination.drafts.link, act)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.drafts()
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "drafts": state.drafts.map(Self.row), "isEmpty": state.isEmpty,
            "isUnknown": state.standing == .unknown,
        ]
        if let staleness = state.staleness { context["staleness"] = staleness }
        return writer.page(.drafts, context, title: visit.words[.drafts], visit: visit)
    }

    private static func row(_ row: DraftRow) -> [String: Any] {
        var context: [String: Any] = [
            "link": Destination.draft(row.id).link, "id": row.id, "beginning": row.beginning, "date": row.date,
            "moment": row.moment, "updatedAt": row.updatedAt.rfc3339, "isCopy": row.isCopy,
        ]
        if let reach = row.reach { context["reach"] = reach }
        if let attachments = row.attachments { context["attachments"] = attachments }
        return context
    }

    /// Deletes a draft, after a question.
    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let words = visit.words
        guard let id = form["id"].flatMap({ Int64($0) }) else {
            throw ClientFailure(.notFound, words[.draftGone])
        }
        guard form["act"] == "delete" else {
            let context: [String: Any] = [
                "heading": words[.draftDeleteTitle], "lead": words[.draftDeleteLead], "act": "delete",
                "yes": words[.draftDelete], "link": Destination.drafts.link, "icon": "trash", "ids": [["id": id]],
            ]
            return writer.page(.question, context, title: words[.draftDeleteTitle], visit: visit)
        }
        let holder = await visit.drafts()
        await holder.delete(id)
        return writer.redirect(to: Destination.drafts.link, visit: visit, saying: await holder.state.notice)
    }

    /// How many there are; empty for none, and where nobody can say.
    static func count(_ visit: Visit) async -> String {
        guard let count = try? await visit.person.drafts.count(), count > 0 else { return "" }
        return visit.words.number(count)
    }
}

extension Visit {
    @MainActor fileprivate func drafts() -> DraftsStateHolder {
        DraftsStateHolder(person.drafts, words: words, clock: clock)
    }
}
