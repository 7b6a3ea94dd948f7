import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/file/{id}/versions`: a file's history, what it was, and two of its versions line by line.
struct RevisionRoutes: Sendable {

    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/file/{id}/versions", show), .form("/file/{id}/versions", restore),
            .page("/file/{id}/versions/content", content), .page("/file/{id}/versions/compare", compare),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice, let isMissing) = state.standing {
            return writer.failed(notice, isMissing: isMissing, visit: visit)
        }
        let link = Destination.versions(state.file).link
        var context: [String: Any] = [
            "name": state.name, "kind": state.kind.rawValue,
            "crumbs": Self.crumbs(state.crumbs, state.file, state.name),
            "link": link,
            "rows": state.rows.enumerated().map { place, row in
                let isLast = place + 1 == state.rows.count && state.next == nil
                return [
                    "id": row.id, "moment": row.moment, "about": row.about, "isCurrent": row.isCurrent,
                    "isOld": !row.isCurrent, "canCompare": state.isText && !isLast,
                    "content": row.id.isEmpty
                        ? Destination.file(state.file).link : "\(link)/content?version=\(row.id)",
                    "comparison": "\(link)/compare?newer=\(row.id)",
                ] as [String: Any]
            },
        ]
        if let away = state.away { context["away"] = ["text": away.text] }
        if let next = state.next { context["nextPage"] = link + "?after=" + next }
        return writer.page(.revisions, context, title: state.name, visit: visit)
    }

    @Sendable private func restore(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        await holder.restore(form["version"] ?? "")
        return writer.redirect(
            to: Destination.versions(visit.id).link, visit: visit, saying: await holder.state.notice)
    }

    /// The bytes of a version.
    @Sendable private func content(_ visit: Visit) async throws -> Response {
        let place = try await visit.person.revisions.content(of: visit.query("version") ?? "", of: visit.id)
        return try await ContentResponse.make(place, visit, writer)
    }

    @Sendable private func compare(_ visit: Visit) async throws -> Response {
        let account = visit.person
        let holder = await ComparisonStateHolder(
            visit.id, folders: account.folders, revisions: account.revisions, words: visit.words, clock: visit.clock)
        await holder.compare(older: visit.query("older"), newer: visit.query("newer"))
        let state = await holder.state
        switch state.standing {
        case .failed(let notice, let isMissing): return writer.failed(notice, isMissing: isMissing, visit: visit)
        case .fresh: preconditionFailure("comparing ends in one or the other")
        case .shown(let content):
            let title = visit.words[.compareTitle]
            return writer.page(.comparison, Self.context(state, content, visit.words), title: title, visit: visit)
        }
    }

    private func holder(_ visit: Visit) async -> RevisionsStateHolder {
        let account = visit.person
        return await RevisionsStateHolder(
            visit.id, folders: account.folders, revisions: account.revisions, words: visit.words, clock: visit.clock)
    }

    // MARK: - As views name things

    /// The way to the file, the file itself at its end.
    private static func crumbs(_ crumbs: [Crumb], _ file: ItemID, _ name: String) -> [[String: String]] {
        crumbs.map { ["name": $0.name, "link": Destination.folder($0.id).link] }
            + [["name": name, "link": Destination.file(file).link]]
    }

    private static func context(
        _ state: ComparisonState, _ content: ComparisonState.Content, _ words: Words
    ) -> [String: Any] {
        let link = Destination.versions(state.file).link
        let context: [String: Any] = [
            "link": link + "/compare",
            "crumbs": crumbs(state.crumbs, state.file, state.name) + [["name": words[.versions], "link": link]],
            "older": choices(state, state.older), "newer": choices(state, state.newer),
        ]
        return context.merging(ComparedLines.context(content, words)) { $1 }
    }

    /// What can be chosen on one side; what is compared is among it, however old it is.
    private static func choices(_ state: ComparisonState, _ chosen: RevisionRow?) -> [[String: Any]] {
        var rows = state.choices
        if let chosen, !rows.contains(where: { $0.id == chosen.id }) { rows.append(chosen) }
        return rows.map {
            ["id": $0.id, "text": "\($0.moment) · \($0.about)", "isChosen": $0.id == chosen?.id] as [String: Any]
        }
    }
}
