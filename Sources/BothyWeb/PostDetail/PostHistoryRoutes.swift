import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/posts/{id}/history`: what a post said before.
struct PostHistoryRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page("/posts/{id}/history", show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let (id, words) = (try visit.number(), visit.words)
        let holder = await PostHistoryStateHolder(visit.person.posts, words: words, clock: visit.clock)
        await holder.open(id)
        let state = await holder.state
        switch state.standing {
        case .gone(let notice):
            return writer.message(words[.notFoundTitle], notice.text, visit: visit, status: .notFound)
        case .failed(let notice): return writer.failed(notice, visit: visit)
        case .fresh, .shown: break
        }
        let context: [String: Any] = [
            "link": Destination.post(id).link,
            "versions": state.versions.map { version in
                var one: [String: Any] = [
                    "number": version.id, "moment": version.moment, "createdAt": version.createdAt.rfc3339,
                    "isNow": version.isNow, "blocks": PostBlockView.all(of: version.text),
                ]
                if let warning = version.warning { one["warning"] = warning }
                return one
            },
        ]
        return writer.page(.postHistory, context, title: words[.postHistory], visit: visit)
    }
}
