import BothyContract

/// A revision's content as it is served: what it is called, and where its bytes lie.
package struct StoredContent: Sendable, Equatable {
    package var driveId: Int64
    package var contentId: Int64
    package var name: String
    package var mimeType: String
    package var size: Int64
    package var checksum: ContentHash

    package init(
        driveId: Int64, contentId: Int64, name: String, mimeType: String, size: Int64, checksum: ContentHash
    ) {
        self.driveId = driveId
        self.contentId = contentId
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.checksum = checksum
    }

    /// - Throws: `not_found`, also for a file that was deleted for good and that no post of the drive's owner shows.
    package static func find(
        revisionId: String, in db: any SQLConnection, drive: Int64
    ) throws -> StoredContent {
        let found = try ofFile(revisionId, in: db, drive) ?? AttachmentTable(db, of: drive).attached(revisionId)
        guard let found else { throw Problem(.notFound, "This content no longer exists.") }
        return found
    }

    private static func ofFile(_ revisionId: String, in db: any SQLConnection, _ drive: Int64) throws -> StoredContent?
    {
        guard let revision = try RevisionTable(db, drive: drive).find(revisionId),
            let file = try FileTable(db, drive: drive).find(revision.fileId)
        else { return nil }
        var ancestry = Ancestry(db, drive: drive)
        ancestry.know(file)
        guard try ancestry.standing(of: file.id) != .gone else { return nil }
        return StoredContent(
            driveId: drive, contentId: revision.contentId, name: file.name, mimeType: revision.mimeType,
            size: revision.size, checksum: revision.checksum)
    }
}
