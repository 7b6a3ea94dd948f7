import BothyContract

/// Small files that are new, many in a transaction, with a row in each table and little else: of what a file asks of the database alone,
/// half is the same for all that come with it.
struct NewFiles {
    typealias Stored = Result<Mutation<UploadOutcome>, any Error>

    private let db: any SQLConnection
    private let stamp: ChangeStamp
    private var series: ChangeSeries

    /// Files in one transaction: others wait for it.
    private static let mostTogether = 64

    /// - Parameter uploads: each with the place of its bytes, which are on the disk; nil for no bytes.
    /// - Returns: what became of each, in their order; nil, with nothing done, for what is more than a new file, or may be.
    static func store(
        _ uploads: [(SimpleUpload, BlockLocation?)], in database: any Database, stamp: ChangeStamp
    ) async throws -> [Stored?] {
        let starts = stride(from: 0, to: uploads.count, by: mostTogether)
        let groups = starts.map { Array(uploads[$0..<min($0 + mostTogether, uploads.count)]) }
        let stored = try await database.writeEach(
            groups.map { group -> @Sendable (any SQLConnection) throws -> [Stored?] in
                { try store(group, in: $0, stamp: stamp) }
            })
        return zip(stored, groups).flatMap { stored, group -> [Stored?] in
            do {
                return try stored.get()
            } catch {
                return group.map { _ in .failure(error) }
            }
        }
    }

    private static func store(
        _ uploads: [(SimpleUpload, BlockLocation?)], in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> [Stored?] {
        var files = NewFiles(db: db, stamp: stamp, series: try ChangeSeries(in: db, stamp: stamp))
        let stored = try uploads.map { try files.store($0, at: $1) }
        try files.series.finish()
        return stored
    }

    /// What is refused here was refused before its first row.
    private mutating func store(_ upload: SimpleUpload, at location: BlockLocation?) throws -> Stored? {
        guard upload.request.fileId == nil else { return nil }
        do {
            return .success(
                try OutcomeTable(db, drive: stamp.driveId).once(upload.identity, lived: stamp.lived) {
                    try create(upload, at: location)
                })
        } catch let problem as Problem {
            return .failure(problem)
        } catch is IsMore {
            return nil
        }
    }

    private struct IsMore: Error {}

    private mutating func create(_ upload: SimpleUpload, at location: BlockLocation?) throws -> Mutation<UploadOutcome>
    {
        let commit = UploadCommit(request: upload.request, terms: upload.terms)
        let earlier = try commit.made(of: upload.hash, size: Int64(upload.length), in: db, drive: stamp.driveId)
        if let earlier { return earlier }
        let placement = commit.terms.placement
        let target = try placement.target(in: db, drive: stamp.driveId, &series.ancestry)
        guard case .newFile(let name, let parentId) = target, series.hasPlace else { throw IsMore() }
        let content = try content(upload.hash, at: location)
        let id = stamp.newId()
        let before = series.end
        let made = commit.fileCommit(of: content.id).newFile(
            id, name: name, parentId: parentId, content: content, at: try series.append(.file, id), stamp: stamp)
        try FileTable(db, drive: stamp.driveId).write(made.file)
        series.count(made.file.countedPlace)
        try RevisionTable(db, drive: stamp.driveId).write(
            made.revision, by: made.cursor.sequence, lived: series.lived)
        return made.mutation(before: before)
    }

    /// Content that one revision more has.
    private mutating func content(_ hash: ContentHash, at location: BlockLocation?) throws -> ContentTable.Content {
        let contents = ContentTable(db, drive: stamp.driveId)
        let size = Int64(location?.length ?? 0)
        if let known = try contents.find(checksum: hash), known.size == size {
            guard try contents.isWhole(known.id) else { throw IsMore() }
            try contents.retain(known.id)
            return known
        }
        // An upload that goes alone is told how much room there is.
        guard series.hasRoom(for: size) else { throw IsMore() }
        let content = ContentTable.Content(id: series.newContentId(), checksum: hash, size: size)
        try contents.insert(content, blockCount: location == nil ? 0 : 1, refs: 1)
        guard let location else { return content }
        let blocks = BlockTable(db, drive: stamp.driveId)
        series.charge(try blocks.addRetained(hash, at: location, lived: stamp.lived))
        try ContentBlocks(db, drive: stamp.driveId).list(hash, for: content.id)
        return content
    }
}
