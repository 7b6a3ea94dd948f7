import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/storage`: what takes room, and what can be freed.
struct StorageRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page(Destination.storage.link, show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let account = visit.person
        let holder = await StorageStateHolder(account.settings, quota: account.quota, words: visit.words)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "room": state.used, "isEmpty": state.isEmpty, "hasParts": !state.parts.isEmpty,
            "together": state.together, "lacksVersions": state.lacksVersions, "hasLargest": !state.largest.isEmpty,
            "parts": state.parts.map(Self.part),
            "largest": state.largest.map {
                [
                    "name": $0.name, "kind": $0.kind.rawValue, "size": $0.size, "place": $0.place,
                    "link": Destination.file($0.id).link,
                ]
            },
        ]
        if let share = state.share { context["shared"] = ["percent": share, "isNearlyFull": state.isNearlyFull] }
        return writer.page(.storage, context, title: visit.words[.storage], visit: visit)
    }

    private static func part(_ part: StorageState.Part) -> [String: Any] {
        let icon =
            switch part.kind {
            case .files(let kind): kind.rawValue
            case .versions: "history"
            case .posts: "feed"
            case .trash: "trash"
            }
        return [
            "name": part.name, "size": part.size, "count": part.count, "percent": part.percent, "icon": icon,
            "isTrash": part.kind == .trash, "trash": Destination.trash.link,
        ]
    }
}
