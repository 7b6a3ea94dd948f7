import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/feed/new`: writing a post. What is attached travels in the form, so a page that is left alone costs nothing but the draft that it is saved as.
struct CreatePostRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page(Destination.newPost.link, show), .form(Destination.newPost.link, submit),
            .page("/feed/new/files", files), .page("/feed/complete", complete),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit, nil)
        if let draft = visit.query("draft").flatMap({ Int64($0) }) {
            do {
                try await holder.open(draft: draft)
            } catch let failure as ClientFailure where failure.code == .notFound {
                return writer.redirect(
                    to: Destination.drafts.link, visit: visit, saying: Notice(visit.words[.draftGone], tone: .failure))
            }
        }
        await holder.open(of: visit.person.people)
        if let file = visit.query("file") { await holder.attach([ItemID(file)]) }
        return await page(await holder.state, visit)
    }

    /// Posts what was written, or saves it as a draft.
    @Sendable private func submit(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit, form)
        let chosen = form.all("to").compactMap { Int64($0) }
        if let kind = form["audience"].map({ PostAudience.Kind(rawValue: $0) ?? .people }) {
            await holder.choose(kind, chosen)
        }
        await holder.warn(form["warning"])
        await holder.recall()
        await holder.choose(time: form.time)
        let attached = form.attached
        await holder.attach(attached.map(\.id), captions: attached.map(\.caption))
        let isDraft = form["act"] == "draft"
        // A script that saves needs nobody to choose from.
        if isDraft, visit.wantsData { return try await save(holder, visit, form) }
        await holder.open(of: visit.person.people)
        if isDraft { return try await save(holder, visit, form) }
        // A person who searches for somebody posts nothing yet, whatever button Enter has pressed.
        let typed = (form["who"] ?? "").trimmingCharacters(in: .whitespaces)
        if !typed.isEmpty {
            await holder.keep(form.written)
            return await page(await holder.state, visit, finding: typed, chosen: chosen)
        }
        if form["detach"] != nil {
            await holder.keep(form.written)
        } else {
            await holder.publish(form.written)
        }
        let state = await holder.state
        if visit.wantsData {
            let told = SentForm(isDone: state.isPublished, words: state.notice?.text)
            let refusal = state.notice?.refusal ?? .unprocessableContent
            return try writer.data(told, visit: visit, status: state.isPublished ? .ok : refusal)
        }
        guard state.isPublished else { return await page(state, visit, chosen: chosen) }
        return writer.redirect(to: Destination.feed.link, visit: visit, saying: state.notice)
    }

    private func save(_ holder: CreatePostStateHolder, _ visit: Visit, _ form: FormBody) async throws -> Response {
        let isPosting = form["posting"] != nil
        await holder.save(form.written, isPosting: isPosting)
        let state = await holder.state
        if visit.wantsData {
            let isDone = state.isSaved || isPosting && state.isPostedBefore
            let refusal = state.isUnreached ? .serviceUnavailable : state.notice?.refusal ?? .unprocessableContent
            return try writer.data(SavedDraft(state, isDone: isDone), visit: visit, status: isDone ? .ok : refusal)
        }
        if state.isSaved, let draft = Int64(state.mark.requestId) {
            return writer.redirect(to: Destination.draft(draft).link, visit: visit, saying: state.notice)
        }
        return await page(state, visit, chosen: form.all("to").compactMap { Int64($0) })
    }

    /// - Parameters:
    ///   - typed: a name to find somebody by; empty for none.
    ///   - chosen: people whom it is to, where it is to people.
    private func page(
        _ state: CreatePostState, _ visit: Visit, finding typed: String = "", chosen: [Int64] = []
    ) async -> Response {
        let isUnsaved = !state.isSaved && (!state.written.isEmpty || state.mark.version > 0)
        var context: [String: Any] = [
            "action": Destination.newPost.link, "back": Destination.feed.link, "isNew": true,
            "publish": visit.words[.postPublish],
            "audiences": Self.audiences(state.audience.kind, visit.words),
            "requestId": state.mark.requestId, "version": String(state.mark.version), "editor": state.mark.editor,
            "time": state.time == PostTime.unchosen ? "" : state.time, "hasTime": !state.time.isEmpty,
            "zone": visit.clock.zone.identifier.replacing("_", with: " "), "isUnsaved": isUnsaved,
            "draftCount": await DraftsRoutes.count(visit),
        ]
        var notice = state.notice
        do {
            let people = try await PeopleToChoose.find(
                typed, chosen: chosen, offered: state.audience.people, in: visit.person.people)
            context.merge(Self.context(people)) { $1 }
        } catch {
            let people = PeopleToChoose.unfound(typed, chosen: chosen, offered: state.audience.people)
            context.merge(Self.context(people)) { $1 }
            notice = notice ?? visit.words.failure(error)
        }
        context.merge(
            ComposerContext.of(
                state.written, behind: state.warning ?? "", state.attached, visit.words)
        ) { $1 }
        if let notice { context["notice"] = notice.text }
        let refused = notice?.tone == .failure
        return writer.page(
            .createPost, context, title: visit.words[.postNew], visit: visit,
            status: refused ? .unprocessableContent : .ok)
    }

    private static func context(_ choice: PeopleToChoose) -> [String: Any] {
        [
            "who": choice.typed, "isNobody": choice.isNobody,
            "people": choice.people.map {
                ["id": $0.id, "name": $0.name, "isChosen": $0.isChosen] as [String: Any]
            },
        ]
    }

    /// Whom somebody means by what was typed behind an “@”.
    @Sendable private func complete(_ visit: Visit) async throws -> Response {
        if let tag = visit.query("tags"), tag.utf8.count <= 200 {
            let holder = await FoundPostsStateHolder(
                visit.person.postSearch, you: visit.person.user.id, words: visit.words, clock: visit.clock)
            await holder.suggest(tag)
            let items = await holder.state.tags.map {
                Completions.Item(word: String($0.name.dropFirst()), more: $0.count)
            }
            return try writer.data(Completions(items: items), visit: visit)
        }
        guard let typed = visit.query("people"), !typed.isEmpty, typed.utf8.count <= 200 else {
            return try writer.data(Completions(items: []), visit: visit)
        }
        let page = try await visit.person.people.page(matching: typed, nil, after: nil, limit: Completions.most)
        let items = page.people.filter { !$0.isYou }.map {
            Completions.Item(id: String($0.id), word: $0.handle, more: ShownName.of($0.name))
        }
        return try writer.data(Completions(items: items), visit: visit)
    }

    private static func audiences(_ chosen: PostAudience.Kind, _ words: Words) -> [[String: Any]] {
        let kinds: [(PostAudience.Kind, Phrase)] = [
            (.everyone, .audienceEveryone), (.followers, .audienceFollowers), (.people, .audiencePeople),
        ]
        return kinds.map { ["kind": $0.rawValue, "name": words[$1], "isChosen": $0 == chosen] }
    }

    /// Pictures and films of a folder, to choose from.
    @Sendable private func files(_ visit: Visit) async throws -> Response {
        let folder = visit.query("folder").map { ItemID($0) } ?? .root
        let holder = await AttachmentPickerStateHolder(folder, folders: visit.person.folders, words: visit.words)
        await holder.open()
        let state = await holder.state
        var context: [String: Any] = [
            "title": state.title, "hasFolders": !state.folders.isEmpty, "isCut": state.isCut,
            "isEmpty": state.media.isEmpty && state.notice == nil,
            "folders": state.folders.map { ["id": $0.id.text, "name": $0.name] },
            "media": state.media.map {
                ["id": $0.id.text, "name": $0.name, "kind": $0.kind.rawValue, "picture": $0.hasPicture] as [String: Any]
            },
        ]
        if let above = state.above { context["above"] = ["id": above.text] }
        if let notice = state.notice { context["failure"] = notice.text }
        return writer.fragments(writer.html(.attachmentPicker, context, visit), visit: visit)
    }

    private func holder(_ visit: Visit, _ form: FormBody?) async -> CreatePostStateHolder {
        let mark = form.flatMap { form in
            form["request"].map {
                DraftMark(
                    requestId: $0, version: form["version"].flatMap { Int64($0) } ?? 0, editor: form["editor"] ?? "")
            }
        }
        return await CreatePostStateHolder(
            visit.person.posts, drafts: visit.person.drafts, words: visit.words, clock: visit.clock, mark: mark,
            newDraftId: { .random(in: 1...FeedLimits.maximumDraftId) })
    }
}

/// What became of a draft that was to be saved, as its script is told.
private struct SavedDraft: Encodable {
    var isDone: Bool
    /// In digits: it becomes another one where the draft was changed elsewhere.
    var id: String
    var version: String
    var words: String?

    init(_ state: CreatePostState, isDone: Bool) {
        self.isDone = isDone
        id = state.mark.requestId
        version = String(state.mark.version)
        words = state.notice?.text
    }
}

extension FormBody {
    /// As ``PostTime`` reads it. Of what is to be posted later a time has to be chosen; of what is not, none counts.
    var time: String {
        guard self["later"] != nil else { return "" }
        let typed = self["at"] ?? ""
        return typed.isEmpty ? PostTime.unchosen : typed
    }

    /// What an editor sent; else what was typed into a field without one.
    var written: WrittenText { self["html"].map { .html($0) } ?? .markdown(self["text"] ?? "") }

    /// What is attached, without what is to be left out, and what has not come yet, which has no id.
    var attached: [(id: ItemID, caption: String)] {
        let detached = self["detach"]
        return zip(all("file"), all("caption")).filter { $0.0 != detached && !$0.0.isEmpty }.map {
            (ItemID($0.0), $0.1)
        }
    }
}
