import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/restore`, `/restore/{id}`: back to a moment, by plain forms. What is shown has its id in the address, so that a person who
/// comes back finds how far it is.
struct RestoreRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case plan
        case carryOut = "do"
        case undo
    }

    /// Seconds after which a page of what is under way is asked for again.
    private static let refresh = "2"

    let writer: PageWriter

    var screens: [Screen] {
        ["/restore", "/restore/{id}"].flatMap { [.page($0, show), .form($0, act)] as [Screen] }
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        if let id = visit.query("look") { await holder.show(id) } else { await holder.open() }
        let state = await holder.state
        if case .failed(let notice, let isMissing) = state.standing {
            return writer.failed(notice, isMissing: isMissing, visit: visit)
        }
        var response = writer.page(.restore, Self.context(state, visit), title: state.title, visit: visit)
        if state.standing == .running { response.headers[Self.refreshHeader] = Self.refresh }
        return response
    }

    private static let refreshHeader: HTTPField.Name = {
        guard let name = HTTPField.Name("Refresh") else { preconditionFailure("it is a name") }
        return name
    }()

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        let id = form["restore"] ?? ""
        let shown: String?
        switch form["act"].flatMap({ Act(rawValue: $0) }) {
        case .carryOut: shown = await holder.carryOut(id) ?? id
        case .undo: shown = await holder.undo(id) ?? id
        case .plan, nil: shown = await holder.plan(to: Self.moment(form, visit))
        }
        let link = Destination.restore(visit.id).link
        return writer.redirect(
            to: shown.map { "\(link)?look=\($0)" } ?? link, visit: visit, saying: await holder.state.notice)
    }

    /// A moment that was offered, or the person's own.
    private static func moment(_ form: FormBody, _ visit: Visit) -> Timestamp? {
        if let offered = form["at"].flatMap({ Int64($0) }) { return Timestamp(milliseconds: offered) }
        return form["when"].flatMap { visit.clock.moment($0) }
    }

    private static func context(_ state: RestoreState, _ visit: Visit) -> [String: Any] {
        var context: [String: Any] = [
            "link": Destination.restore(state.item).link, "heading": state.title,
            "crumbs": state.crumbs.map { ["name": $0.name, "link": Destination.folder($0.id).link] },
            "place": Destination.folder(state.item).link,
        ]
        switch state.standing {
        case .fresh, .failed: preconditionFailure("opening ends in something to see")
        case .choosing:
            context["choosing"] = [
                "choices": state.choices.map {
                    ["title": $0.title, "detail": $0.detail, "at": $0.moment.milliseconds] as [String: Any]
                }, "latest": visit.clock.text,
            ]
            return context
        case .planned(let isNothing):
            context["canDo"] = !isNothing
            context["canChoose"] = true
        case .running: break
        case .finished(let canUndo):
            context["canUndo"] = canUndo
            context["isOver"] = true
        }
        context["shown"] = [
            "id": state.restore ?? "", "what": state.heading, "lead": state.lead, "sums": state.sums,
            "hasSums": !state.sums.isEmpty, "hasLines": !state.lines.isEmpty, "isCut": state.isCut,
            "lines": state.lines.map { ["kind": $0.kind.rawValue, "path": $0.path, "about": $0.about] },
        ]
        return context
    }

    private func holder(_ visit: Visit) async -> RestoreStateHolder {
        let account = visit.person
        return await RestoreStateHolder(
            visit.id, folders: account.folders, restores: account.restores, words: visit.words, clock: visit.clock)
    }
}
