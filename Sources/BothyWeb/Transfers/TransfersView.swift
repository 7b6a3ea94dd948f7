import BothyClient
import BothyPresentation

/// The screen of transfers, as its views name things.
struct TransfersView {
    private let state: TransfersState
    private let visit: Visit
    private let writer: PageWriter

    init(_ state: TransfersState, _ visit: Visit, _ writer: PageWriter) {
        self.state = state
        self.visit = visit
        self.writer = writer
    }

    var context: [String: Any] {
        var context: [String: Any] = [
            "count": state.count, "hasForAll": !state.forAll.isEmpty, "forAll": state.forAll.map(Self.remedy),
            "hasRows": !state.rows.isEmpty, "rows": state.rows.map(Self.row), "isEmpty": state.isEmpty,
            "hasOver": !state.over.isEmpty, "over": state.over.map(Self.row),
        ]
        if let more = state.more { context["more"] = more }
        if let others = state.others { context["others"] = Self.besides(others) }
        if let refused = state.refused { context["refused"] = Self.besides(refused) }
        if let standing = visit.standing { context["standing"] = StandingRoutes.context(standing) }
        return context
    }

    /// What looks otherwise than it did: rows alone, where there are the same as before.
    func pieces(since before: TransfersState) -> String {
        var text = ""
        if (before.count, before.forAll) != (state.count, state.forAll) {
            text += PageWriter.piece(writer.html(.transfersHead, context, visit), at: "transfers-head")
        }
        let isSame =
            before.rows.map(\.id) == state.rows.map(\.id) && before.rows.map(\.tone) == state.rows.map(\.tone)
            && before.over == state.over && before.more == state.more && before.others == state.others
            && before.refused == state.refused
            && before.isEmpty == state.isEmpty
        guard isSame else {
            return text + PageWriter.piece(writer.html(.transferRows, context, visit), at: "transfers")
        }
        for (old, row) in zip(before.rows, state.rows) where old != row {
            text += PageWriter.piece(writer.html(.transferRow, Self.row(row), visit), at: "transfer-\(row.id)")
        }
        return text
    }

    /// All that a form may have changed.
    var everything: String {
        PageWriter.piece(writer.html(.transfersHead, context, visit), at: "transfers-head")
            + PageWriter.piece(writer.html(.transferRows, context, visit), at: "transfers")
    }

    private static func row(_ row: TransfersState.Row) -> [String: Any] {
        var context: [String: Any] = [
            "id": row.id, "tone": row.tone.rawValue, "icon": row.icon.rawValue, "name": row.name, "about": row.about,
            "detail": row.detail,
            "remedies": row.remedies.map { remedy($0).merging(["id": row.id, "name": row.name]) { $1 } },
        ]
        if let advice = row.advice { context["advice"] = advice }
        if let percent = row.percent { context["progress"] = ["percent": percent, "name": row.name] as [String: Any] }
        return context
    }

    private static func besides(_ besides: TransfersState.Besides) -> [String: Any] {
        [
            "text": besides.text,
            "links": besides.links.map { ["link": $0.destination.link, "label": $0.label] as [String: Any] },
        ]
    }

    private static func remedy(_ remedy: TransfersState.Row.Remedy) -> [String: Any] {
        let icon =
            switch remedy.kind {
            case .pause: "pause"
            case .resume: "play"
            case .retry: "synced"
            case .startOver: "history"
            case .cancel: "close"
            case .decide: "compare"
            }
        return [
            "act": remedy.kind.rawValue, "label": remedy.label, "icon": icon, "isLink": remedy.kind == .decide,
        ]
    }
}
