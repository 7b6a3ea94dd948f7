import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/offline`: what is at hand without a connection, and what takes room on this device.
struct OfflineRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case letGo = "let-go"
        case free, limit
    }

    let writer: PageWriter

    var screens: [Screen] {
        let link = Destination.offline.link
        return [.page(link, show), .form(link + "/act", act)]
    }

    var streams: [PageStream] { [PageStream(Destination.offline.link + "/events", events)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let context = Self.context(state).merging(Self.limits(state)) { $1 }
        return writer.page(.offline, context, title: visit.words[.offline], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = try await holder(visit)
        switch form["act"].flatMap({ Act(rawValue: $0) }) {
        case .letGo: await holder.letGo(form.all("id").map { ItemID($0) })
        case .free: await holder.freeRoom()
        case .limit: await holder.limit(content: form["content"] ?? "", metadata: form["metadata"] ?? "")
        case nil: break
        }
        await holder.open()
        let state = await holder.state
        guard visit.wantsFragments else {
            return writer.redirect(to: Destination.offline.link, visit: visit, saying: state.notice)
        }
        return writer.fragments(
            writer.toast(state.notice, visit) + content(state, visit), visit: visit, status: Self.status(state.notice))
    }

    /// What was chosen in a list of files.
    func act(_ act: FileActRoutes.Act, _ ids: [ItemID], _ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        if act == .keep { await holder.keep(ids) } else { await holder.letGo(ids) }
        let notice = await holder.state.notice
        guard visit.wantsFragments else {
            return writer.redirect(to: Destination.folder(visit.id).link, visit: visit, saying: notice)
        }
        return writer.fragments(writer.toast(notice, visit), visit: visit, status: Self.status(notice))
    }

    private static func status(_ notice: Notice?) -> HTTPResponse.Status {
        notice?.tone == .failure ? .unprocessableContent : .ok
    }

    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let holder = try await holder(visit)
        return { tell in
            try await holder.follow { state in
                try tell(.piece(content(state, visit)))
            }
        }
    }

    private func content(_ state: OfflineFilesState, _ visit: Visit) -> String {
        PageWriter.piece(writer.html(.offlineContent, Self.context(state), visit), at: "content")
    }

    private func holder(_ visit: Visit) async throws -> OfflineFilesStateHolder {
        await OfflineFilesStateHolder(try visit.device().offline, words: visit.words)
    }

    private static func context(_ state: OfflineFilesState) -> [String: Any] {
        var context: [String: Any] = [
            "hasRows": !state.rows.isEmpty, "rows": state.rows.map(row), "isEmpty": state.isEmpty,
            "free": state.free, "rooms": state.rooms.map(room),
        ]
        if let trouble = state.trouble {
            var told: [String: Any] = ["text": trouble.text]
            if let remedy = trouble.remedy { told["remedy"] = remedy }
            context["trouble"] = told
        }
        return context
    }

    /// What is not drawn again while the page is open: somebody may be choosing.
    private static func limits(_ state: OfflineFilesState) -> [String: Any] {
        func choices(_ limits: [OfflineFilesState.Limit]) -> [[String: Any]] {
            limits.map { ["id": $0.id, "name": $0.name, "isChosen": $0.isChosen] }
        }
        return [
            "contentLimits": choices(state.contentLimits), "metadataLimits": choices(state.metadataLimits),
        ]
    }

    private static func row(_ row: OfflineFilesState.Row) -> [String: Any] {
        let place: Destination = row.kind == .folder ? .folder(row.id) : .file(row.id)
        var context: [String: Any] = [
            "id": row.id.text, "name": row.name, "kind": row.kind.rawValue, "place": row.place, "detail": row.detail,
            "size": row.size, "link": place.link,
        ]
        if let percent = row.percent { context["progress"] = ["percent": percent, "name": row.name] as [String: Any] }
        return context
    }

    private static func room(_ room: OfflineFilesState.Room) -> [String: Any] {
        let icon =
            switch room.kind {
            case .kept: "kept"
            case .atHand: "history"
            case .pending: "upload"
            case .givenUp: "trash"
            case .known: "list"
            }
        var context: [String: Any] = [
            "name": room.name, "size": room.size, "icon": icon, "canFree": room.canFree,
        ]
        if let lead = room.lead { context["lead"] = lead }
        return context
    }
}
