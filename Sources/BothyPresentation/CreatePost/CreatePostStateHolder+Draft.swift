import BothyClient
import BothyContract

/// What is written is saved as a draft of the account, and gone on with from there.
extension CreatePostStateHolder {
    /// Shows a draft, to continue.
    ///
    /// - Throws: `ClientFailure`: `notFound` for one that was posted or deleted; `offline`.
    public func open(draft id: Int64) async throws {
        let draft = try await drafts.draft(id)
        state.mark = DraftMark(draft.draftId, version: draft.version, editor: state.mark.editor)
        state.written = .html(draft.content)
        note(draft)
        state.time = draft.publishAt.map { PostTime.text($0, at: clock) } ?? ""
        for attachment in draft.attachments {
            let file = ItemID(attachment.fileId)
            if let known = known[file] { add(file, known, caption: attachment.caption ?? "") }
        }
        state.isSaved = true
        guard draft.goneAttachments > 0 else { return }
        state.notice = Notice(
            words.counted(draft.goneAttachments, one: .draftMediaGoneOne, many: .draftMediaGoneMany))
    }

    /// What the draft says of its attachments holds for what is saved and posted of it. Without an answer the files are attached as they are.
    public func recall() async {
        guard let id = state.mark.draft, state.mark.version > 0 else { return }
        // One that cannot be had now is one of a form that has its files, which is enough to go on.
        if let draft = try? await drafts.draft(id) { note(draft) }
    }

    private func note(_ draft: Draft) {
        savedTime = draft.publishAt
        state.warning = state.warning ?? draft.contentWarning
        named = draft.audience?.people ?? []
        if chosen == nil, let audience = draft.audience {
            chosen = NewPostAudience(kind: audience.kind, people: audience.people?.map(\.id))
        }
        for attachment in draft.attachments {
            guard let type = attachment.type.known else { continue }
            known[ItemID(attachment.fileId)] = AttachableFile(
                name: attachment.name, attachment: NewAttachment(type: type, contentUrl: attachment.contentUrl))
        }
    }

    /// Saves what is written. Where the draft was changed elsewhere meanwhile, or has become a post, this becomes a draft of its own.
    ///
    /// - Parameter isPosting: the form was posted before: where that has come through, there is nothing left to save.
    public func save(_ written: WrittenText, isPosting: Bool = false) async {
        state.written = written
        // What cannot be attached keeps no word from being saved.
        guard let text = await text() else { return }
        guard state.mark.version > 0 || !text.isEmpty || !state.attached.isEmpty else {
            state.notice = Notice(words[.postOfNobody], tone: .failure)
            return
        }
        guard !isWaitingForFiles else {
            state.isUnreached = true
            state.notice = Notice(words[.draftWaitsForMedia], tone: .failure)
            return
        }
        let id = state.mark.draft ?? newDraftId()
        do {
            try await save(text, as: id, saying: .draftSaved)
        } catch let failure as ClientFailure where failure.problem?.code == .draftPosted {
            state.isPostedBefore = true
            if !isPosting { await saveAnew(text) }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        state.isUnreached = (error as? ClientFailure)?.isNetworks ?? false
        state.notice = words.failure(error)
    }

    private func saveAnew(_ text: PostText) async {
        do {
            state.mark.version = 0
            try await save(text, as: newDraftId(), saying: .draftWasPosted)
        } catch {
            fail(error)
        }
    }

    private func save(_ text: PostText, as id: Int64, saying phrase: Phrase) async throws {
        let request = SaveDraftRequest(
            content: text.html, attachments: attachments, publishAt: publishAt, audience: chosen,
            contentWarning: state.warning, baseVersion: state.mark.version, editorId: state.mark.editorId)
        let saved = try await drafts.save(request, as: id)
        state.mark = DraftMark(saved.draftId, version: saved.version, editor: state.mark.editor)
        state.isSaved = true
        state.notice = state.notice ?? Notice(words[saved.draftId == id ? phrase : .draftCopied])
    }
}
