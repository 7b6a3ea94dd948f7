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

    /// Things that are acted on in one request, as the script has it too; more would hold the server up.
    private static let most = 10_000

    let writer: PageWriter

    var screens: [Screen] {
        [
            .form("/folder/{id}/act", act), .page("/folder/{id}/choose", choose),
            .page("/folder/{id}/details", details),
        ]
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let act = form["act"].flatMap({ Act(rawValue: $0) }) else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let ids = form.all("id").prefix(Self.most).map { ItemID($0) }
        if act == .keep || act == .letGo { return try await OfflineRoutes(writer: writer).act(act, ids, visit) }
        let holder = await visit.fileList()
        switch act {
        case .create: await holder.makeFolder(named: form["name"] ?? "")
        case .rename: if let id = ids.first { await holder.rename(id, to: form["name"] ?? "") }
        case .star: await holder.star(true, ids)
        case .unstar: await holder.star(false, ids)
        case .trash: await holder.trash(ids, seen: form["seen"].flatMap { $0.isEmpty ? nil : FolderMark($0) })
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
        let takenBack = state.undo.map { undo($0, state.folder, saying: failed ? visit.words : nil) }
        let text = writer.toast(state.notice, undo: takenBack, visit)
        return writer.fragments(text, visit: visit, status: status)
    }

    /// The form that takes it back, as its view names things.
    ///
    /// - Parameter words: where the notice tells of what was not done, what was done all the same is said in these.
    private func undo(_ undo: FileListState.Undo, _ folder: ItemID, saying words: Words?) -> [String: Any] {
        func context(_ act: Act, _ ids: [ItemID], in place: ItemID, _ done: String?) -> [String: Any] {
            var context: [String: Any] = [
                "act": act.rawValue, "ids": ids.map { ["id": $0.text] }, "link": "/folder/\(place.text)/act",
            ]
            if let done { context["done"] = done }
            return context
        }
        switch undo {
        case .untrash(let ids): return context(.untrash, ids, in: folder, words?.trashed(ids.count))
        case .move(let ids, let place):
            return context(.move, ids, in: place, words?.moved(ids.count)).merging(["to": folder.text]) { $1 }
        }
    }

    /// What there is to know of one thing.
    @Sendable private func details(_ visit: Visit) async throws -> Response {
        let account = visit.person
        let holder = await FileDetailsStateHolder(
            ItemID(visit.query("id") ?? ""), folders: account.folders, transfers: account.device?.transfers,
            words: visit.words, clock: visit.clock)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing {
            return writer.fragments(writer.toast(notice, visit), visit: visit, status: .notFound)
        }
        var context: [String: Any] = [
            "name": state.name, "kind": state.kind.rawValue,
            "facts": state.facts.map { ["label": $0.label, "text": $0.text] },
        ]
        if let waiting = state.waiting {
            var told = [
                "tone": waiting.asks ? "asking" : "", "text": waiting.text, "link": waiting.place.link,
                "label": visit.words[.lookAtIt],
            ]
            told["advice"] = waiting.advice
            context["waiting"] = told
        }
        return writer.fragments(writer.html(.fileDetails, context, visit), visit: visit)
    }

    /// The dialog that asks where to.
    @Sendable private func choose(_ visit: Visit) async throws -> Response {
        let moving = Set((visit.query("moving") ?? "").split(separator: " ").map { ItemID(String($0)) })
        let count = visit.number("count", in: 0...Self.most) ?? moving.count
        let isCopying = visit.query("act") == Act.copy.rawValue
        let heading = isCopying ? visit.words.copying(count) : visit.words.moving(count)
        let holder = await FolderPickerStateHolder(
            visit.id, moving: isCopying ? [] : moving, heading: heading, folders: visit.person.folders,
            words: visit.words)
        await holder.open()
        let state = await holder.state
        var context: [String: Any] = [
            "folder": state.folder.text, "heading": state.heading, "title": state.title, "isCut": state.isCut,
            "hasChoices": !state.choices.isEmpty,
            "choices": state.choices.map {
                ["id": $0.id.text, "name": $0.name, "isClosed": $0.isClosed] as [String: Any]
            },
        ]
        if let above = state.above { context["above"] = ["id": above.text] }
        if let notice = state.notice { context["failure"] = notice.text }
        return writer.fragments(writer.html(.folderPicker, context, visit), visit: visit)
    }
}
