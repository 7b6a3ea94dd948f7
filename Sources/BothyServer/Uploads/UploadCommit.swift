import BothyContract

/// Makes received content a file, inside the transaction that ends its upload.
struct UploadCommit {
    var request: UploadRequest
    var terms: FinalizeTerms
    /// Whether the outcome tells the place before its change: it costs two look-ups, and of one of many that is no new file it is not told.
    var tellsBefore = true

    /// What the same request made when its outcome was still kept, as it is by now. The revision is the one that it made, as long as
    /// that is kept.
    ///
    /// - Parameters:
    ///   - hash: of the content, where it is known.
    ///   - size: of the content, where it is known.
    /// - Returns: nil where it made no file, or that is gone for good.
    /// - Throws: `idempotency_mismatch` where what was made under its id is a folder, or began with other content.
    func made(
        of hash: ContentHash?, size: Int64?, in db: any SQLConnection, drive: Int64
    ) throws -> Mutation<UploadOutcome>? {
        let files = FileTable(db, drive: drive)
        guard let made = try files.made(by: request.requestId, isFolder: false) else { return nil }
        let revisions = RevisionTable(db, drive: drive)
        let first = try revisions.first(of: made.row.id)
        if let first {
            guard hash == nil || hash == first.checksum, size == nil || size == first.size else {
                throw OutcomeTable.mismatch
            }
        }
        guard let revision = try first ?? made.row.headRevisionId.flatMap({ try revisions.find($0) }) else {
            throw OutcomeTable.mismatch
        }
        let answer = UploadOutcome(
            file: made.row.file(trashed: made.trashed), revision: revision.revision(downloadUrl: ""),
            cursor: made.cursor.text)
        return Mutation(answer: answer, cursor: made.cursor)
    }

    /// Makes what a session stored a file, unless the same request did already.
    ///
    /// - Parameter hash: computed from what it stored.
    /// - Throws: what ``made(of:size:in:drive:)`` and ``FilePlacement/target(in:drive:)`` throw.
    func commit(
        _ session: UploadSession, hash: ContentHash, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> Mutation<UploadOutcome> {
        let made = try made(of: hash, size: session.plan.plannedBytes, in: db, drive: stamp.driveId)
        if let made { return made }
        let contentId = try content(of: session, hash: hash, in: db, drive: stamp.driveId)
        return try commit(contentId: contentId, in: db, stamp: stamp)
    }

    /// - Throws: what ``FilePlacement/target(in:drive:)`` throws.
    func commit(contentId: Int64, in db: any SQLConnection, stamp: ChangeStamp) throws -> Mutation<UploadOutcome> {
        let head = tellsBefore ? try ChangeLog(db, drive: stamp.driveId).head() : nil
        let made = try FileCommit.commit(fileCommit(of: contentId), in: db, stamp: stamp)
        // The file's own change is the last one: where it is the next one, too, nothing came out of the trash for it.
        return made.mutation(before: head.flatMap { made.cursor.isNext(after: $0) ? $0 : nil })
    }

    func fileCommit(of contentId: Int64) -> FileCommit {
        FileCommit(
            placement: terms.placement, mimeType: request.mimeType, contentId: contentId,
            modifiedAt: request.modifiedAt, executable: request.executable, requestId: request.requestId)
    }

    /// The content of a session, by the hash that was computed from what it stored.
    ///
    /// - Returns: its id, as a row of `contents`. A drive that has the content already keeps it once.
    private func content(
        of session: UploadSession, hash: ContentHash, in db: any SQLConnection, drive: Int64
    ) throws -> Int64 {
        let contents = ContentTable(db, drive: drive)
        if let known = try contents.find(checksum: hash), known.size == session.plan.plannedBytes,
            try contents.isWhole(known.id)
        {
            return known.id
        }
        let id = try contents.insert(
            checksum: hash, size: session.plan.plannedBytes, blockCount: session.plan.totalChunks)
        try ContentBlocks(db, drive: drive).adopt(from: session.uploadId, for: id)
        return id
    }
}

extension FileCommit.Outcome {
    /// As an upload answers with it.
    ///
    /// - Parameter before: the place right before its change, where that is told.
    func mutation(before: ChangeCursor?) -> Mutation<UploadOutcome> {
        let answer = UploadOutcome(
            file: file.file(trashed: false), revision: revision.revision(downloadUrl: ""), cursor: cursor.text,
            cursorBefore: before?.text)
        return Mutation(answer: answer, cursor: cursor)
    }
}

extension FinalizeTerms {
    var placement: FilePlacement {
        FilePlacement(
            fileId: fileId, name: name, parentId: parentId, baseRevisionId: baseRevisionId, conflict: conflict)
    }
}
