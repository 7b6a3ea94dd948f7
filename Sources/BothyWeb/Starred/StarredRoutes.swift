import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/starred`: plain forms, which work without scripts too.
struct StarredRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.starred.link, show), .form(Destination.starred.link, takeStarAway)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        return writer.page(.starred, Self.context(state), title: visit.words[.starred], visit: visit)
    }

    @Sendable private func takeStarAway(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        if let id = form["id"] { await holder.takeStarAway(from: ItemID(id)) }
        return writer.redirect(to: Destination.starred.link, visit: visit, saying: await holder.state.notice)
    }

    private static func context(_ state: StarredState) -> [String: Any] {
        var context: [String: Any] = [
            "isEmpty": state.isEmpty, "hasRows": !state.rows.isEmpty, "link": Destination.starred.link,
            "rows": state.rows.map(row),
        ]
        if let next = state.next { context["nextPage"] = Destination.starred.link + "?after=" + next }
        return context
    }

    private static func row(_ row: StarredState.Row) -> [String: Any] {
        var context: [String: Any] = [
            "id": row.id.text, "name": row.name, "kind": row.kind.rawValue, "size": row.size, "place": row.place,
            "modified": row.modified, "isFolder": row.isFolder,
            "open": (row.isFolder ? Destination.folder(row.id) : .file(row.id)).link,
        ]
        if let whereabouts = row.whereabouts { context["whereabouts"] = whereabouts }
        return context
    }

    private func holder(_ visit: Visit) async -> StarredStateHolder {
        await StarredStateHolder(
            visit.person.starred, actions: visit.person.actions, words: visit.words, clock: visit.clock)
    }
}
