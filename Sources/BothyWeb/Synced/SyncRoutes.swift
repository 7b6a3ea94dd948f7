import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/synced`: synced folders, what holds them, what was done, and why. Plain forms, which work without scripts too.
struct SyncRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case ask
        case letPass = "pass"
        case bringBack = "bring-back"
        case undo, look
        case askUntying = "leave"
        case untie
        case reopen
        case choose, preview, tie, edit
    }

    let writer: PageWriter

    var screens: [Screen] {
        let link = Destination.synced.link
        return [.page(link, show), .form(link, act)]
    }

    var streams: [PageStream] { [PageStream(Destination.synced.link + "/events", events)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open()
        if let path = visit.query("path") { await holder.explain(path) }
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        // What the account does elsewhere is what a new folder does, too.
        var wish = FolderToTie()
        wish.conflicts = try await visit.device().conflicts.policy()
        return page(state, visit, tying: TyingState(wish: wish))
    }

    /// - Parameter tying: what the form that links a folder says.
    func page(_ state: SyncState, _ visit: Visit, tying: TyingState) -> Response {
        var context = Self.context(state)
        context["path"] = visit.query("path") ?? ""
        context["hasFolders"] = !state.folders.isEmpty
        context["tying"] = TyingForm.context(tying, visit.words)
        if let told = state.explanation { context["explanation"] = Self.explanation(told) }
        return writer.page(.synced, context, title: visit.words[.synced], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = try await holder(visit)
        let (folder, saw) = (form["folder"] ?? "", form["saw"].flatMap { GuardSaw(mark: $0) })
        switch (form["act"].flatMap { Act(rawValue: $0) }, saw) {
        case (.choose, _): return try await choose(visit, form)
        case (.preview, _): return try await preview(visit, form)
        case (.tie, _): return try await tie(visit, form)
        case (.edit, _): return try await fill(TyingState(wish: TyingForm.wish(form)), visit)
        case (.ask, let saw?): return question(folder, saw, visit)
        case (.letPass, let saw?): await holder.letPass(folder, saw)
        case (.bringBack, _): await holder.bringBack(folder)
        case (.look, _): await holder.lookAgain(folder)
        case (.askUntying, _): return try await askUntying(folder, holder, visit)
        case (.untie, _): await holder.untie(folder)
        case (.reopen, _): await holder.takeBack(decision: form["decision"] ?? "")
        case (.undo, _): await holder.takeBack(form["pass"].flatMap { Int64($0) } ?? 0)
        default: break
        }
        return writer.redirect(to: Destination.synced.link, visit: visit, saying: await holder.state.notice)
    }

    private func question(_ folder: FolderInStep.ID, _ saw: GuardSaw, _ visit: Visit) -> Response {
        let stopped = SyncState.Stopped(saw, visit.words)
        guard let pass = stopped.pass else { return writer.redirect(to: Destination.synced.link, visit: visit) }
        let context: [String: Any] = [
            "link": Destination.synced.link, "icon": "synced", "heading": pass.question,
            "lead": stopped.text + " " + stopped.lead, "act": Act.letPass.rawValue, "yes": pass.label,
            "inStep": ["folder": folder, "saw": saw.mark],
        ]
        return writer.page(.question, context, title: pass.question, visit: visit)
    }

    private func askUntying(_ id: FolderInStep.ID, _ holder: SyncStateHolder, _ visit: Visit) async throws -> Response {
        await holder.open()
        guard let folder = await holder.state.folders.first(where: { $0.id == id }) else {
            return writer.redirect(to: Destination.synced.link, visit: visit)
        }
        let question = visit.words.filled(.untieTitle, folder.path)
        let context: [String: Any] = [
            "link": Destination.synced.link, "icon": "synced", "heading": question,
            "lead": visit.words.filled(.untieLead, folder.there), "act": Act.untie.rawValue,
            "yes": visit.words[.untie], "inStep": ["folder": id],
        ]
        return writer.page(.question, context, title: question, visit: visit)
    }

    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let (holder, writer) = (try await holder(visit), writer)
        return { tell in
            try await holder.follow { state in
                let html = writer.html(.syncedFolders, Self.context(state), visit)
                try tell(.piece(PageWriter.piece(html, at: "synced-folders")))
            }
        }
    }

    func holder(_ visit: Visit) async throws -> SyncStateHolder {
        await SyncStateHolder(try visit.device().folders, words: visit.words, clock: visit.laterClock)
    }

    // MARK: - As views name things

    private static func context(_ state: SyncState) -> [String: Any] {
        [
            "folders": state.folders.map(folder), "isEmpty": state.isEmpty, "hasLog": !state.log.isEmpty,
            "log": state.log.map(batch), "hasDecided": !state.decided.isEmpty,
            "decided": state.decided.map { ["id": $0.id, "title": $0.title, "text": $0.text] },
        ]
    }

    private static func folder(_ folder: SyncState.Folder) -> [String: Any] {
        var context: [String: Any] = [
            "id": folder.id, "tone": folder.tone.rawValue, "path": folder.path, "there": folder.there,
            "detail": folder.detail, "rules": folder.rules, "canLookAgain": folder.canLookAgain,
        ]
        if let advice = folder.advice { context["advice"] = advice }
        if let stopped = folder.stopped {
            var told: [String: Any] = [
                "folder": folder.id, "saw": stopped.saw.mark, "text": stopped.text, "lead": stopped.lead,
            ]
            if let label = stopped.bringBack { told["bringBack"] = ["label": label] }
            if let pass = stopped.pass {
                let isSecond = stopped.bringBack != nil
                told["pass"] = ["label": pass.label, "folder": folder.id, "isPlain": isSecond] as [String: Any]
            }
            context["stopped"] = told
        }
        return context
    }

    private static func batch(_ batch: SyncState.Batch) -> [String: Any] {
        var context: [String: Any] = [
            "id": batch.id, "title": batch.title, "deeds": batch.deeds.map(deed), "hasMore": batch.hasMore,
            "canTakeBack": batch.canTakeBack,
        ]
        if let mark = batch.mark { context["mark"] = mark }
        return context
    }

    private static func deed(_ deed: SyncState.Deed) -> [String: Any] {
        var context: [String: Any] = ["text": deed.text]
        if let failure = deed.failure { context["failure"] = failure }
        return context
    }

    private static func explanation(_ told: SyncState.Explanation) -> [String: Any] {
        [
            "path": told.path, "state": told.state, "cause": told.cause, "remedy": told.remedy,
            "sides": told.sides.map { ["name": $0.name, "text": $0.text] }, "deeds": told.deeds.map(deed),
            "hasSides": !told.sides.isEmpty, "isLastKnown": told.isLastKnown,
        ]
    }
}

extension GuardSaw {
    /// For a form: `deletions.here.51.2.0.0.200`, the other side after it where that is held too; `folder-emptied`.
    var mark: String {
        switch self {
        case .manyDeletions:
            sides.reduce("deletions") { mark, goes in
                let (side, tally) = goes
                let counts = [tally.planned, tally.overwritten, tally.emptied, tally.lately, tally.known]
                return "\(mark).\(side.rawValue)." + counts.map(String.init).joined(separator: ".")
            }
        case .folderVanished: "folder-vanished"
        case .folderUnmounted: "folder-unmounted"
        case .folderReplaced: "folder-replaced"
        case .folderEmptied: "folder-emptied"
        case .remoteFolderLost: "remote-folder-lost"
        case .tyingTakenBack: "tying-taken-back"
        }
    }

    init?(mark: String) {
        let plain: [GuardSaw] = [
            .folderVanished, .folderUnmounted, .folderReplaced, .folderEmptied, .remoteFolderLost, .tyingTakenBack,
        ]
        if let saw = plain.first(where: { $0.mark == mark }) {
            self = saw
            return
        }
        let parts = mark.split(separator: ".")
        guard parts.count == 7 || parts.count == 13, parts[0] == "deletions",
            let side = Side(rawValue: String(parts[1])), let tally = Tally(marks: parts[2..<7])
        else { return nil }
        var other: Tally?
        if parts.count == 13 {
            guard let second = Side(rawValue: String(parts[7])), second != side, let goes = Tally(marks: parts[8...])
            else { return nil }
            other = goes
        }
        self = .manyDeletions(
            side, planned: tally.planned, overwritten: tally.overwritten, emptied: tally.emptied, lately: tally.lately,
            known: tally.known, other: other)
    }
}

extension GuardSaw.Tally {
    /// - Parameter marks: its five counts, as they stand in a mark.
    fileprivate init?(marks: ArraySlice<Substring>) {
        let counts = marks.compactMap { Int($0) }
        guard counts.count == 5 else { return nil }
        self.init(
            planned: counts[0], overwritten: counts[1], emptied: counts[2], lately: counts[3], known: counts[4])
    }
}
