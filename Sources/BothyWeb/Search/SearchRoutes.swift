import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/search`: what is called so; the script asks for what is found alone, as the person types.
struct SearchRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.search.link, show), .page("/search/found", find)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let state = await searched(visit)
        var context = Self.context(state)
        context["query"] = state.query
        return writer.page(.search, context, title: visit.words[.search], visit: visit)
    }

    @Sendable private func find(_ visit: Visit) async throws -> Response {
        writer.fragments(writer.html(.found, Self.context(await searched(visit)), visit), visit: visit)
    }

    private func searched(_ visit: Visit) async -> SearchState {
        let holder = await SearchStateHolder(visit.person.search, words: visit.words, clock: visit.clock)
        // What is known here does not wait for the server: the script asks again with this, and who has none asks so at once.
        let reach: SearchReach = visit.query("texts") == nil ? .here : .everywhere
        var text = visit.query("q") ?? ""
        // More than a search takes has more words than count, or longer ones.
        while text.utf8.count > SearchResponse.maximumQueryBytes { text.removeLast() }
        await holder.search(text, reach: reach)
        return await holder.state
    }

    private static func context(_ state: SearchState) -> [String: Any] {
        var context: [String: Any] = [
            "isFresh": state.standing == .fresh, "isWordless": state.standing == .wordless,
            "isEmpty": state.isEmpty, "isBehind": state.isBehind,
            "hasRows": !state.rows.isEmpty, "hasMore": state.hasMore,
            "isAsked": state.standing == .shown && state.texts == .asked, "rows": state.rows.map(row),
        ]
        if case .unsearched(let reason) = state.texts { context["unsearched"] = reason }
        if case .failed(let notice) = state.standing { context["failure"] = notice.text }
        return context
    }

    private static func row(_ row: SearchState.Row) -> [String: Any] {
        var context: [String: Any] = [
            "link": (row.isFolder ? Destination.folder(row.id) : .file(row.id)).link, "kind": row.kind.rawValue,
            "name": stretches(row.name), "hasExcerpt": !row.excerpt.isEmpty, "excerpt": stretches(row.excerpt),
            "size": row.size,
            "place": row.place, "modified": row.modified, "starred": row.starred,
            "folder": Destination.folder(row.folder).link,
        ]
        if let whereabouts = row.whereabouts { context["whereabouts"] = whereabouts }
        return context
    }

    private static func stretches(_ stretches: [SearchState.Stretch]) -> [[String: Any]] {
        stretches.map { ["text": $0.text, "isFound": $0.isFound] }
    }
}
