import BothyClient
import BothyContract
import BothyPresentation
import Hummingbird

/// The form that links a folder: read, and filled in again.
enum TyingForm {
    private static let stays = "documents"
    private static let goes = "mirror"

    static func wish(_ form: FormBody) -> FolderToTie {
        FolderToTie(
            localPath: form["here"] ?? "", remotePath: form["there"] ?? "",
            keepsWhatIsDeletedElsewhere: form["deletions"] == stays,
            conflicts: form["conflicts"].flatMap { ConflictResolution(rawValue: $0) } ?? .fork)
    }

    static func context(_ state: TyingState, _ words: Words) -> [String: Any] {
        let wish = state.wish
        let deletions: [(String, Phrase, Bool)] = [
            (goes, .tyingMirror, !wish.keepsWhatIsDeletedElsewhere),
            (stays, .tyingDocuments, wish.keepsWhatIsDeletedElsewhere),
        ]
        let conflicts: [(ConflictResolution, Phrase)] = [
            (.fork, .policyBoth), (.ask, .policyAskMe), (.merge, .policyTexts), (.lastWriteWins, .policyLast),
        ]
        var context: [String: Any] = [
            "here": wish.localPath, "there": wish.remotePath,
            "deletions": deletions.map { option($0.0, words[$0.1], isChosen: $0.2) },
            "conflicts": conflicts.map { option($0.0.rawValue, words[$0.1], isChosen: $0.0 == wish.conflicts) },
        ]
        if let notice = state.notice {
            context["refused"] = [notice.text, notice.remedy].compactMap(\.self).joined(separator: " ")
        }
        return context
    }

    /// What the next form carries on unseen.
    static func kept(_ wish: FolderToTie, plan: String? = nil) -> [[String: Any]] {
        var fields = [
            ("here", wish.localPath), ("there", wish.remotePath),
            ("deletions", wish.keepsWhatIsDeletedElsewhere ? stays : goes), ("conflicts", wish.conflicts.rawValue),
        ]
        if let plan { fields.append(("plan", plan)) }
        return fields.map { ["name": $0.0, "value": $0.1] }
    }

    private static func option(_ id: String, _ text: String, isChosen: Bool) -> [String: Any] {
        ["id": id, "text": text, "isChosen": isChosen]
    }
}

/// Linking a folder, step by step, each a form that works without scripts: where on the server, what it would do, and doing it.
extension SyncRoutes {
    func preview(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await TyingStateHolder(
            TyingForm.wish(form), folders: try visit.device().folders, words: visit.words)
        await holder.look()
        let state = await holder.state
        guard let look = state.look else { return try await fill(state, visit) }
        let context: [String: Any] = [
            "path": look.path, "there": look.there, "sums": look.sums.map { ["text": $0] },
            "deeds": look.deeds.map { ["text": $0] }, "hasMore": look.hasMore,
            "kept": TyingForm.kept(state.wish, plan: look.plan),
        ]
        return writer.page(.tying, context, title: visit.words[.tyingAsked], visit: visit)
    }

    func tie(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await TyingStateHolder(
            TyingForm.wish(form), folders: try visit.device().folders, words: visit.words)
        await holder.tie(as: form["plan"] ?? "")
        let state = await holder.state
        guard state.isTied else { return try await fill(state, visit) }
        return writer.redirect(to: Destination.synced.link, visit: visit, saying: state.notice)
    }

    /// Goes through the folders on the server, until one of them is chosen.
    func choose(_ visit: Visit, _ form: FormBody) async throws -> Response {
        var wish = TyingForm.wish(form)
        if let chosen = form["chosen"] {
            wish.remotePath = chosen
            return try await fill(TyingState(wish: wish), visit)
        }
        let folder = form["in"].map { ItemID($0) } ?? .root
        let folders = visit.person.folders
        let holder = await FolderPickerStateHolder(
            folder, moving: [], heading: "", folders: folders, words: visit.words)
        await holder.open()
        let state = await holder.state
        var context: [String: Any] = [
            "inside": state.title, "choices": state.choices.map { ["id": $0.id.text, "name": $0.name] },
            "hasChoices": !state.choices.isEmpty, "isCut": state.isCut, "kept": TyingForm.kept(wish),
            "place": try await place(of: folder, in: folders), "before": wish.remotePath,
        ]
        if let above = state.above { context["above"] = ["id": above.text] }
        if let notice = state.notice { context["failure"] = notice.text }
        return writer.page(.tyingPlaces, context, title: visit.words[.tyingPlaces], visit: visit)
    }

    /// `/docs/letters`; the root for a folder that is gone.
    private func place(of folder: ItemID, in folders: any FolderRepository) async throws -> String {
        do {
            let opened = try await folders.folder(folder)
            let names = (opened.above + [opened.folder]).dropFirst().map(\.name)
            return "/" + names.joined(separator: "/")
        } catch is ClientFailure {
            return "/"
        }
    }

    /// The page once more, with the form as it was.
    func fill(_ state: TyingState, _ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open()
        return page(await holder.state, visit, tying: state)
    }
}
