import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/conflicts`: both sides of what waits to be decided. Plain forms, which work without scripts too.
struct ConflictsRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        let link = Destination.conflicts.link
        return [
            .page(link, show), .form(link, act), .page(link + "/{id}", compare), .page(link + "/{id}/mine", open),
        ]
    }

    var streams: [PageStream] { [PageStream("/device/conflicts/events", events)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice, _) = state.standing { return writer.failed(notice, visit: visit) }
        var context = Self.context(state, visit.words)
        context["policies"] = state.policies.map {
            ["id": $0.id.rawValue, "label": $0.label, "hint": $0.hint, "isChosen": $0.isChosen] as [String: Any]
        }
        return writer.page(.conflicts, context, title: visit.words[.conflicts], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = try await holder(visit)
        if let undone = form["undo"].flatMap({ Int64($0) }) {
            await holder.takeBack(undone)
        } else if let choice = form["keep"].flatMap({ ConflictDecision.Choice(rawValue: $0) }) {
            await holder.resolve(form["id"] ?? "", choice, seen: form["seen"] ?? "")
        } else if let policy = form["policy"].flatMap({ ConflictResolution(rawValue: $0) }) {
            await holder.set(policy)
        }
        return writer.redirect(
            to: Destination.conflicts.link, visit: visit, saying: await holder.state.notice)
    }

    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let (holder, writer) = (try await holder(visit), writer)
        return { tell in
            try await holder.follow { state in
                let html = writer.html(.conflictsContent, Self.context(state, visit.words), visit)
                try tell(.piece(PageWriter.piece(html, at: "content")))
            }
        }
    }

    @Sendable private func compare(_ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open(visit.caller.id ?? "")
        let state = await holder.state
        if case .failed(let notice, let isMissing) = state.standing {
            return writer.failed(notice, isMissing: isMissing, visit: visit)
        }
        var context: [String: Any] = ["cards": state.cards.map { Self.card($0, visit.words, comparable: false) }]
        if let comparison = state.comparison {
            context.merge(ComparedLines.context(comparison, visit.words)) { $1 }
        }
        return writer.page(.conflict, context, title: visit.words[.compareTitle], visit: visit)
    }

    /// What was made here, to be saved: it never shows itself under this origin.
    @Sendable private func open(_ visit: Visit) async throws -> Response {
        let (id, conflicts) = (visit.caller.id ?? "", try visit.device().conflicts)
        let name = try await conflicts.conflict(id).mine.name
        let content = try await conflicts.content(ofMine: id)
        var headers = writer.headers(visit)
        headers[.contentType] = File.defaultMimeType
        headers[.contentDisposition] = ContentDisposition.header(name: name, mimeType: File.defaultMimeType)
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                for try await piece in content { try await writer.write(piece) }
                try await writer.finish(nil)
            })
    }

    private func holder(_ visit: Visit) async throws -> ConflictsStateHolder {
        await ConflictsStateHolder(try visit.device().conflicts, words: visit.words, clock: visit.clock)
    }

    // MARK: - As views name things

    private static func context(_ state: ConflictsState, _ words: Words) -> [String: Any] {
        [
            "hasCards": !state.cards.isEmpty, "isEmpty": state.isEmpty,
            "cards": state.cards.map { card($0, words, comparable: $0.canCompare) },
            "hasDecided": !state.decided.isEmpty,
            "decided": state.decided.map {
                ["id": $0.id, "name": $0.name, "about": $0.about, "canTakeBack": $0.canTakeBack] as [String: Any]
            },
        ]
    }

    private static func card(_ card: ConflictsState.Card, _ words: Words, comparable: Bool) -> [String: Any] {
        var mine = side(card.mine)
        if card.mine.canOpen {
            mine["opens"] =
                [
                    "link": Destination.conflict(card.id).link + "/mine", "icon": "download",
                    "label": words[.openMine], "isNew": false,
                ] as [String: Any]
        }
        var theirs = side(card.theirs)
        if card.theirs.canOpen, let place = card.theirs.place {
            theirs["opens"] =
                ["link": place.link, "icon": "browser", "label": words[.openTheirs], "isNew": true] as [String: Any]
        }
        var context: [String: Any] = [
            "id": card.id, "name": card.name, "place": card.place, "what": card.what, "seen": card.seen,
            "kind": card.theirs.kind.rawValue, "sides": [mine, theirs],
            "choices": card.choices.map { ["keep": $0.kind.rawValue, "label": $0.label, "hint": $0.hint] },
        ]
        if let reason = card.reason { context["reason"] = reason }
        if comparable { context["comparison"] = Destination.conflict(card.id).link }
        return context
    }

    private static func side(_ side: ConflictsState.Side) -> [String: Any] {
        var context: [String: Any] = ["title": side.title, "facts": side.facts]
        if let name = side.name { context["otherName"] = name }
        return context
    }
}
