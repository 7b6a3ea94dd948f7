import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/`, `/folder/{id}`: a folder, a window of it, and what happens in it.
struct FileListRoutes: Sendable {
    /// Rows that the script may ask for at once.
    private static let mostRows = 600
    /// Rows of a range that a person chooses.
    private static let mostChosen = 100_000

    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/", show), .page("/folder/{id}", show), .page("/folder/{id}/rows", window),
            .page("/folder/{id}/ids", everything),
        ]
    }

    var streams: [PageStream] { [PageStream("/folder/{id}/events", events)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.fileList()
        await holder.open(at: visit.number("from", in: 0...(.max - FileListStateHolder.windowSize)) ?? 0)
        let state = await holder.state
        if case .failed(let notice, let isMissing) = state.standing {
            return writer.failed(notice, isMissing: isMissing, visit: visit)
        }
        let view = FileListView(state, mark: await holder.mark, layout: visit.layout, visit, writer)
        var response = writer.page(.fileList, view.context, title: state.title, visit: visit)
        for (name, value) in [(Cookies.order, visit.query("order")), (Cookies.layout, visit.query("layout"))] {
            let chosen = name == Cookies.order ? visit.order.rawValue : visit.layout.rawValue
            if value != nil { response.headers.append(visit.cookies.choice(name, chosen)) }
        }
        return response
    }

    /// A window, for the script that moves the list's rows.
    @Sendable private func window(_ visit: Visit) async throws -> Response {
        let holder = await visit.fileList()
        let from = visit.number("from", in: 0...(.max - Self.mostRows)) ?? 0
        let count = visit.number("count", in: 1...Self.mostRows) ?? FileListStateHolder.windowSize
        await holder.show(from..<from + count)
        let state = await holder.state
        if case .failed(let notice, _) = state.standing {
            return writer.fragments(
                writer.toast(notice, visit), visit: visit, status: .notFound)
        }
        let view = FileListView(state, mark: await holder.mark, layout: visit.layout, visit, writer)
        return writer.fragments(view.window, visit: visit)
    }

    /// Everything that lies in the folder, by id, for a person who chooses all of it; or a range, in the list's order.
    @Sendable private func everything(_ visit: Visit) async throws -> Response {
        let folders = visit.person.folders
        guard let first = visit.number("from", in: 0...(.max - Self.mostChosen)) else {
            return ids(try await folders.everything(in: visit.id), visit)
        }
        let end = first + (visit.number("count", in: 1...Self.mostChosen) ?? 1)
        var found = [ItemID]()
        for start in stride(from: first, to: end, by: Self.mostRows) {
            let part = start..<min(start + Self.mostRows, end)
            let window = try await folders.window(of: visit.id, order: visit.order, part)
            found += window.items.map(\.id)
            if window.items.count < part.count { break }
        }
        return ids(found, visit)
    }

    private func ids(_ ids: [ItemID], _ visit: Visit) -> Response {
        writer.fragments(ids.map(\.text).joined(separator: " "), visit: visit)
    }

    /// What happens in the folder, as fragments (Server-Sent Events).
    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let holder = await visit.fileList()
        let brought = visit.request.headers[.lastEventID] ?? visit.query("after")
        guard let mark = brought.flatMap({ $0.isEmpty ? nil : FolderMark($0) }) else {
            return nil
        }
        let writer = writer
        return { tell in
            try await holder.follow(after: mark) { delta in
                try tell(FileListEvents.event(for: delta, visit, writer))
            }
        }
    }
}
