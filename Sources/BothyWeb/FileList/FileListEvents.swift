import BothyClient
import BothyPresentation

/// What happens in a folder, as a browser is told of it: a delta of the state becomes fragments, and nothing else is
/// drawn again.
enum FileListEvents {
    static func event(for delta: FileListDelta, _ visit: Visit, _ writer: PageWriter) -> ServerEvent {
        switch delta.kind {
        case .quiet: .quiet
        case .everything: ServerEvent(id: delta.mark.text, kind: .again, data: "")
        case .gone:
            ServerEvent(
                id: delta.mark.text, kind: .fragment,
                data: writer.html(
                    .fragment,
                    [
                        "gone": [
                            "title": visit.words[.folderGoneTitle], "lead": visit.words[.folderGoneLead],
                        ]
                    ], visit))
        case .rows(let removed, let placed):
            ServerEvent(
                id: delta.mark.text, kind: .fragment,
                data: writer.html(
                    .fragment,
                    [
                        "removed": removed.map { ["id": $0.text] },
                        "placed": placed.map {
                            ["row": FileRowView($0.row, visit.words), "before": $0.before?.text ?? ""] as [String: Any]
                        },
                        "total": ["number": delta.total, "count": visit.words.items(delta.total)] as [String: Any],
                    ], visit))
        }
    }
}
