import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/feed/search` and `/feed/tags/{id}`: posts by their words, and by a hashtag.
struct FoundPostsRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.postSearch.link, search), .page("/feed/tags/{id}", tag)]
    }

    @Sendable private func search(_ visit: Visit) async throws -> Response {
        var text = visit.query("q") ?? ""
        // More than a search takes has more words than count, or longer ones.
        while text.utf8.count > SearchResponse.maximumQueryBytes { text.removeLast() }
        let place = Destination.postSearch.link + "?q=" + Self.escaped(text)
        return try await page(.words(text), at: place, next: place + "&after=", typed: text, visit)
    }

    @Sendable private func tag(_ visit: Visit) async throws -> Response {
        let tag = visit.caller.id?.removingPercentEncoding.flatMap { PostTag.folded($0) }
        guard let tag else {
            return writer.message(
                visit.words[.notFoundTitle], visit.words[.notFoundLead], visit: visit, status: .notFound)
        }
        let place = Destination.tag(tag).link
        return try await page(.tag(tag), at: place, next: place + "?after=", typed: "#" + tag, visit)
    }

    private func page(
        _ query: PostQuery, at place: String, next: String, typed: String, _ visit: Visit
    ) async throws -> Response {
        let holder = await holder(visit)
        await holder.open(query, after: visit.query("after"))
        let (state, words) = (await holder.state, visit.words)
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var title = words[.postSearch]
        if case .tag = query { title = words.filled(.tagPosts, typed) }
        var context: [String: Any] = [
            "posts": state.posts.map { PostContext.row($0, from: place, words) },
            "waiting": state.waiting.map { PostContext.waiting($0, from: place) }, "query": typed,
            "tags": state.tags.map { ["name": $0.name, "count": $0.count, "link": $0.place.link] },
            "hasTags": !state.tags.isEmpty, "isEmpty": state.isEmpty, "isFirst": state.isFirst, "first": place,
        ]
        if let staleness = state.staleness { context["staleness"] = staleness }
        if let after = state.next { context["nextPage"] = next + after }
        return writer.page(.foundPosts, context, title: title, visit: visit)
    }

    private func holder(_ visit: Visit) async -> FoundPostsStateHolder {
        await FoundPostsStateHolder(
            visit.person.postSearch, you: visit.person.user.id, words: visit.words, clock: visit.clock)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
