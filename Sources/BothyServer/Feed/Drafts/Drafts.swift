import BothyContract

/// Drafts of posts: kept with the account, so that each device of a person has them.
package struct Drafts: Sendable {
    private let database: any Database
    private let links: DownloadLinks
    private let media: MediaVariants
    private let clock: any ServerClock
    /// Makes the id of a copy, at random.
    private let newId: @Sendable () -> Int64

    package init(
        database: any Database, links: DownloadLinks, media: MediaVariants, clock: any ServerClock,
        newId: @escaping @Sendable () -> Int64 = { .random(in: 1...FeedLimits.maximumDraftId) }
    ) {
        self.database = database
        self.links = links
        self.media = media
        self.clock = clock
        self.newId = newId
    }

    package func all(for caller: Caller) async throws -> GetDraftsResponse {
        GetDraftsResponse(
            drafts: try await database.read { db in
                let table = DraftTable(db, of: caller.userId)
                // One after the other: their texts together may be large.
                return try table.all().map { draft in
                    var draft = draft
                    let saved = try table.find(draft.draftId)?.saved()
                    draft.audience = try saved?.audience?.shown(to: caller.userId, in: db)
                    draft.contentWarning = saved?.contentWarning
                    return draft
                }
            })
    }

    package func count(for caller: Caller) async throws -> Int {
        try await database.read { try DraftTable($0, of: caller.userId).count() }
    }

    /// - Throws: `not_found`.
    package func find(_ id: Int64, for caller: Caller) async throws -> Draft {
        try await database.read { try draft(DraftTable($0, of: caller.userId).require(id), for: caller, in: $0) }
    }

    /// Saves a draft. Where it was changed elsewhere meanwhile, that stays, and this becomes a draft of its own.
    ///
    /// - Returns: the draft as it is kept, under another id where it became one of its own; whether it is new.
    /// - Throws: `invalid_parameter`; `version_mismatch` for a precondition that does not hold; `draft_posted` where the draft has
    ///   become a post; `too_many_drafts`.
    package func save(
        _ request: SaveDraftRequest, _ id: Int64, if precondition: DraftPrecondition, for caller: Caller
    ) async throws -> (draft: Draft, isNew: Bool) {
        let (new, copyId, now) = (try NewDraft(request), newId(), clock.now())
        return try await database.write { db in
            let drafts = DraftTable(db, of: caller.userId)
            let known = try drafts.find(id)
            try precondition.check(known?.version)
            let new = new.saved(over: try known?.saved())
            if known == nil { try DraftPosting(db, by: caller.userId).refusePosted(id) }
            let body = try DraftTable.text(of: new.body)
            let saving = DraftSaving(
                over: known?.known, base: new.base, editor: new.editor, isSame: known?.body == body)
            var (saved, isNew) = (id, false)
            switch saving {
            case .keep: break
            case .begin(let version):
                try drafts.insert(new, id, version: version, now: now)
                isNew = true
            case .replace(let version): try drafts.update(new, id, version: version, now: now)
            case .copy:
                if let made = try drafts.copy(of: id, saying: body) {
                    saved = made
                } else {
                    (saved, isNew) = (copyId, true)
                    try drafts.insert(new, copyId, version: 1, copiedFrom: id, now: now)
                }
            }
            return (try draft(drafts.require(saved), for: caller, in: db), isNew)
        }
    }

    /// - Throws: `not_found`; `version_mismatch` for a precondition that does not hold.
    package func delete(_ id: Int64, if precondition: DraftPrecondition, for caller: Caller) async throws {
        try await database.write(from: .reserve) { db in
            let drafts = DraftTable(db, of: caller.userId)
            try precondition.check(try drafts.require(id).version)
            _ = try drafts.delete(id)
        }
    }

    private func draft(_ row: DraftTable.Row, for caller: Caller, in db: any SQLConnection) throws -> Draft {
        let body = try row.saved()
        let content = try DraftTable(db, of: caller.userId).content(of: row.id)
        let attachments = body.attachments.compactMap { attachment -> DraftAttachment? in
            guard let file = content[attachment.contentUrl] else { return nil }
            let address = links.path(of: attachment.contentUrl, for: caller)
            let picture =
                media.draws(file.mimeType)
                ? MediaQuality.medium.address(of: address) : attachment.type == .image ? address : nil
            return DraftAttachment(
                type: attachment.type, contentUrl: address, previewImageUrl: picture, caption: attachment.caption,
                fileId: file.fileId, name: file.name)
        }
        return Draft(
            draftId: row.id, version: row.version, content: body.content, attachments: attachments,
            goneAttachments: body.attachments.count - attachments.count, publishAt: body.publishAt,
            audience: try body.audience?.shown(to: caller.userId, in: db), updatedAt: row.updatedAt,
            copiedFrom: row.copiedFrom, contentWarning: body.contentWarning)
    }
}
