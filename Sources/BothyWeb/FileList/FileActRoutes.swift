import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/folder/{id}/act`: what a person does in a folder, all of it forms.
struct FileActRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, CaseIterable, Sendable {
        case create, rename, star, unstar, trash, untrash, move, copy
        // On a device alone.
        case keep
        case letGo = "let-go"
    }

    /// Things that are acted on in one request; more would hold the server up.
    private static let most = 1000

    let writer: PageWriter

    var screens: [Screen] { [.form("/folder/{id}/act", act), .page("/folder/{id}/choose", choose)] }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let act = form["act"].flatMap({ Act(rawValue: $0) }) else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let ids = form.all("id").prefix(Self.most).map { ItemID($0) }
        if act == .keep || act == .letGo { return try await OfflineRoutes(writer: writer).act(act, ids, visit) }
        let holder = await holder(visit)
        switch act {
        case .create: await holder.makeFolder(named: form["name"] ?? "")
        case .rename: if let id = ids.first { await holder.rename(id, to: form["name"] ?? "") }
        case .star: await holder.star(true, ids)
        case .unstar: await holder.star(false, ids)
        case .trash: await holder.trash(ids)
        case .untrash: await holder.untrash(ids)
        case .move: await holder.move(ids, to: ItemID(form["to"] ?? ""))
        case .copy: await holder.copy(ids, to: ItemID(form["to"] ?? ""))
        case .keep, .letGo: break
        }
        return answer(await holder.state, visit)
    }

    /// The rows themselves come with the folder's events, to every page that shows it; this says how it went.
    private func answer(_ state: FileListState, _ visit: Visit) -> Response {
        let failed = state.notice?.tone == .failure
        let status: HTTPResponse.Status = failed ? .unprocessableContent : .ok
        guard visit.wantsFragments else {
            if failed, let notice = state.notice {
                return writer.message(visit.words[.failedTitle], notice.text, visit: visit, status: status)
            }
            return writer.redirect(to: Destination.folder(state.folder).link, visit: visit)
        }
        var context: [String: Any] = ["folder": state.folder.text]
        if let notice = state.notice {
            context["tone"] = notice.tone.rawValue
            context["text"] = notice.text
        }
        if !state.undo.isEmpty { context["undo"] = ["ids": state.undo.map { ["id": $0.text] }] }
        let text = state.notice == nil ? "" : writer.html(.toast, context, visit)
        return writer.fragments(text, visit: visit, status: status)
    }

    /// The dialog that asks where to.
    @Sendable private func choose(_ visit: Visit) async throws -> Response {
        guard let account = visit.account else { preconditionFailure("the door lets nobody else in") }
        let moving = Set((visit.query("moving") ?? "").split(separator: " ").map { ItemID(String($0)) })
        let holder = await FolderPickerStateHolder(
            visit.id, moving: moving, folders: account.folders, words: visit.words)
        await holder.open()
        let state = await holder.state
        var context: [String: Any] = [
            "folder": state.folder.text, "title": state.title, "hasChoices": !state.choices.isEmpty,
            "choices": state.choices.map {
                ["id": $0.id.text, "name": $0.name, "isClosed": $0.isClosed] as [String: Any]
            },
        ]
        if let above = state.above { context["above"] = ["id": above.text] }
        if let notice = state.notice { context["failure"] = notice.text }
        return writer.fragments(writer.html(.folderPicker, context, visit), visit: visit)
    }

    private func holder(_ visit: Visit) async -> FileListStateHolder {
        guard let account = visit.account else { preconditionFailure("the door lets nobody else in") }
        return await FileListStateHolder(
            visit.id, order: visit.order, folders: account.folders, actions: account.actions, words: visit.words,
            clock: visit.clock)
    }
}
