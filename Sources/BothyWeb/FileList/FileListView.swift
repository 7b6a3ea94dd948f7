import BothyClient
import BothyContract
import BothyPresentation
import Mustache

/// A list's state, as its views name things.
struct FileListView {
    private let state: FileListState
    private let mark: FolderMark?
    private let layout: FileListLayout
    private let visit: Visit
    private let writer: PageWriter

    init(_ state: FileListState, mark: FolderMark?, layout: FileListLayout, _ visit: Visit, _ writer: PageWriter) {
        self.state = state
        self.mark = mark
        self.layout = layout
        self.visit = visit
        self.writer = writer
    }

    var context: [String: Any] {
        let words = visit.words
        var context: [String: Any] = [
            "folder": state.folder.text, "link": Destination.folder(state.folder).link,
            "restore": Destination.restore(state.folder).link,
            "heading": state.title,
            "crumbs": state.crumbs.map { ["name": $0.name, "link": Destination.folder($0.id).link] },
            "hasCrumbs": !state.crumbs.isEmpty, "hasFiles": state.total > 0, "isEmpty": state.isEmpty,
            "emptyTitle": words[state.isRoot ? .emptyRootTitle : .emptyFolderTitle],
            "emptyLead": words[state.isRoot ? .emptyRootLead : .emptyFolderLead],
            "rows": rows, "count": words.items(state.total), "first": state.first, "total": state.total,
            "mark": mark?.text ?? "", "order": state.order.rawValue, "layout": layout.rawValue,
            "isGrid": layout == .grid, "mostInArchive": ArchiveRoutes.most, "columns": columns,
            "pickedOne": words.selected(1),
            "pickedMany": words.selected(2).replacing("2", with: "#"), "keeps": visit.account?.device != nil,
        ]
        if state.range.upperBound < state.total { context["nextPage"] = page(state.range.upperBound) }
        if state.first > 0 { context["previousPage"] = page(max(0, state.first - FileListStateHolder.windowSize)) }
        return context
    }

    /// The rows alone, with where they belong.
    var window: String {
        writer.html(
            .fragment,
            [
                "window": [
                    "first": state.first, "total": state.total, "mark": mark?.text ?? "", "rows": rows,
                    "count": visit.words.items(state.total),
                ] as [String: Any]
            ], visit)
    }

    private var rows: [FileRowView] { state.rows.map { FileRowView($0, visit.words) } }

    private func page(_ first: Int) -> String { Destination.folder(state.folder).link + "?from=\(first)" }

    /// The heads of the columns: each sorts by its own, and by it again the other way round.
    private var columns: [[String: Any]] {
        let columns: [(Phrase, String, FileOrder, FileOrder)] = [
            (.sortName, "name", .name, .nameDescending),
            (.sortModified, "modified", .modifiedAtDescending, .modifiedAt),
            (.sortSize, "size", .sizeDescending, .size),
        ]
        return columns.map { phrase, name, first, second in
            let isSorted = [first, second].contains(state.order)
            let next = state.order == first ? second : first
            let isDescending = state.order.rawValue.hasPrefix("-")
            return [
                "label": visit.words[phrase], "name": name, "isSorted": isSorted,
                "direction": visit.words[isDescending ? .descending : .ascending], "isDescending": isDescending,
                "link": Destination.folder(state.folder).link + "?order=\(next.rawValue)",
            ]
        }
    }
}

/// One row, as its view names things. Not by reflection: a page has hundreds.
struct FileRowView: MustacheParent {
    private let row: FileListRow
    private let words: Words

    init(_ row: FileListRow, _ words: Words) {
        self.row = row
        self.words = words
    }

    func child(named name: String) -> Any? {
        switch name {
        case "id": row.id.text
        case "name": row.name
        case "kind": row.kind.rawValue
        case "kindWord": words[row.kind.phrase]
        case "link": (row.isFolder ? Destination.folder(row.id) : Destination.file(row.id)).link
        case "isFolder": row.isFolder
        case "isFile": !row.isFolder
        case "size": row.size
        case "modified": row.modified
        case "modifiedAt": row.modifiedAt.rfc3339
        case "starred": row.starred
        case "isWaiting": row.isWaiting
        case "waiting": row.asks ? "asking" : ""
        case "waitingWords": words[row.asks ? .needsYou : .waitingToBeSent]
        case "waitingIcon": row.asks ? "info" : "history"
        case "isKept": row.isKept
        case "select": words.select(row.name)
        case "picture": row.hasPicture
        default: nil
        }
    }
}
