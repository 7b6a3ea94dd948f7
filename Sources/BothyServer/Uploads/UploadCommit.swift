import BothyContract

/// Makes received content a file, inside the transaction that ends its upload.
struct UploadCommit {
    var request: UploadRequest
    var terms: FinalizeTerms
    /// Whether the outcome tells the place before its change: it costs two look-ups, and of one of many that is no new file it is not told.
    var tellsBefore = true

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
    func content(of session: UploadSession, hash: ContentHash, in db: any SQLConnection, drive: Int64) throws -> Int64 {
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
