import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/trash`: plain forms, which work without scripts too.
struct TrashRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case untrash, ask, delete
        case askToEmpty = "ask-empty"
        case empty
    }

    /// Things that are acted on in one request; more would hold the server up, and no page shows more.
    private static let most = TrashStateHolder.largestPage

    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.trash.link, show), .form(Destination.trash.link, act)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        let picksAll = visit.query("choose") == "all"
        await holder.open(after: visit.query("after"), limit: picksAll ? Self.most : TrashStateHolder.pageSize)
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        return writer.page(
            .trash, Self.context(state, picksAll: picksAll, visit), title: visit.words[.trashTitle], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let ids = form.all("id").prefix(Self.most).map { ItemID($0) }
        let holder = await holder(visit)
        let act = form["act"].flatMap { Act(rawValue: $0) }
        // All was chosen, of which the page shows a part: what is shown and not ticked was taken out of it.
        if let act, [.untrash, .ask, .delete].contains(act), let chosen = form["all"].flatMap({ Int64($0) }) {
            let moment = Timestamp(milliseconds: chosen)
            let exceptions = Set(form.all("shown").prefix(Self.most).map { ItemID($0) }).subtracting(ids)
            switch act {
            case .ask:
                await holder.open(limit: 1)
                return question(all: await holder.state.total - exceptions.count, chosen, but: exceptions, visit)
            case .untrash: await holder.bringBackAll(until: moment, but: exceptions)
            default: await holder.deleteAllForGood(until: moment, but: exceptions)
            }
            return writer.redirect(to: Destination.trash.link, visit: visit, saying: await holder.state.notice)
        }
        switch act {
        case .ask where !ids.isEmpty: return question(ids, visit)
        case .askToEmpty: return question(visit)
        case .untrash: await holder.bringBack(ids)
        case .ask, .delete: await holder.deleteForGood(ids)
        case .empty:
            guard let asked = form["until"].flatMap({ Int64($0) }) else { break }
            await holder.empty(until: Timestamp(milliseconds: asked))
        case nil: break
        }
        return writer.redirect(to: Destination.trash.link, visit: visit, saying: await holder.state.notice)
    }

    private static func context(_ state: TrashState, picksAll: Bool, _ visit: Visit) -> [String: Any] {
        let words = visit.words
        var context: [String: Any] = [
            "isEmpty": state.isEmpty, "hasRows": !state.rows.isEmpty, "link": Destination.trash.link,
            "count": words.items(state.total), "picksAll": picksAll, "picked": words.selected(state.total),
            "pickedOne": words.selected(1), "pickedMany": words.selected(2).replacing("2", with: "#"),
            "rows": state.rows.map {
                [
                    "id": $0.id.text, "name": $0.name, "kind": $0.kind.rawValue, "size": $0.size, "place": $0.place,
                    "stay": $0.stay, "isPicked": picksAll, "isFolder": $0.kind == .folder,
                ] as [String: Any]
            },
        ]
        if picksAll, state.next != nil {
            context["all"] = ["moment": visit.clock.now.milliseconds, "beyond": state.total - state.rows.count]
        } else if let next = state.next {
            context["nextPage"] = Destination.trash.link + "?after=" + next
        }
        return context
    }

    private func question(_ ids: [ItemID], _ visit: Visit) -> Response {
        let words = visit.words
        return question(
            [
                "ids": ids.map { ["id": $0.text] }, "heading": words.deleteQuestion(ids.count),
                "lead": words.deleteLead(ids.count), "act": Act.delete.rawValue, "yes": words[.deleteForGood],
            ], visit)
    }

    private func question(all count: Int, _ moment: Int64, but exceptions: Set<ItemID>, _ visit: Visit) -> Response {
        let words = visit.words
        return question(
            [
                "all": ["moment": moment], "exceptions": exceptions.map { ["id": $0.text] },
                "heading": words.deleteQuestion(count), "lead": words.deleteLead(count), "act": Act.delete.rawValue,
                "yes": words[.deleteForGood],
            ], visit)
    }

    private func question(_ visit: Visit) -> Response {
        let words = visit.words
        return question(
            [
                "heading": words[.emptyTrashTitle], "lead": words[.emptyTrashLead], "act": Act.empty.rawValue,
                "yes": words[.emptyTrash], "until": ["moment": visit.clock.now.milliseconds],
            ], visit)
    }

    private func question(_ context: [String: Any], _ visit: Visit) -> Response {
        let about: [String: Any] = ["link": Destination.trash.link, "icon": "trash"]
        return writer.page(
            .question, context.merging(about) { $1 }, title: visit.words[.deleteForGood], visit: visit)
    }

    private func holder(_ visit: Visit) async -> TrashStateHolder {
        await TrashStateHolder(visit.person.trash, words: visit.words, clock: visit.clock)
    }
}
