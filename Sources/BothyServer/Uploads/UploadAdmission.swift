import BothyContract

/// Which whole files would be refused, told before a byte of them is written: what is refused afterwards lies in the packs, in nobody's
/// quota, until it is reclaimed.
///
/// It is a look only, and others may be quicker: the transaction that stores a file decides.
struct UploadAdmission {
    /// Bytes of a file from which on a look at where it is to go costs less than to write it in vain.
    static let worthALook = 128 << 10

    private let db: any SQLConnection
    private let stamp: ChangeStamp
    private let quota: Int64?
    private let mostItems: Int64?
    private var used: Int64
    private var items: Int64
    /// What is admitted with the others comes once.
    private var admitted = Set<ContentHash>()

    /// - Returns: why each is refused, in their order; nil for what may come.
    static func refusals(
        of uploads: [SimpleUpload], in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> [Problem?] {
        var admission = try UploadAdmission(db, stamp)
        let isNear = admission.isNear(uploads)
        return try uploads.map { upload in
            guard isNear || upload.length >= worthALook else { return nil }
            do {
                try admission.admit(upload)
                return nil
            } catch let problem as Problem {
                return problem
            }
        }
    }

    private init(_ db: any SQLConnection, _ stamp: ChangeStamp) throws {
        guard let bytes = try DriveQuota(db, drive: stamp.driveId).usage(),
            let items = try DriveItems(db, drive: stamp.driveId).usage()
        else { throw Problem(.notFound, "There is no such drive.") }
        self.db = db
        self.stamp = stamp
        (used, quota) = bytes
        (self.items, mostItems) = items
    }

    /// Whether the drive may not have room for all of them.
    private func isNear(_ uploads: [SimpleUpload]) -> Bool {
        let bytes = uploads.reduce(0) { $0 + Int64($1.length) }
        return quota.map { used + bytes > $0 } ?? false
            || mostItems.map { items + Int64(uploads.count) > $0 } ?? false
    }

    /// - Throws: `quota_exceeded`, ``FilePlacement/target(in:drive:)``'s, `idempotency_mismatch`.
    private mutating func admit(_ upload: SimpleUpload) throws {
        let drive = stamp.driveId
        // The same request is told again what it came to.
        if let id = upload.identity.requestId, try OutcomeTable(db, drive: drive).known(id) != nil { return }
        let commit = UploadCommit(request: upload.request, terms: upload.terms)
        if try commit.made(of: upload.hash, size: Int64(upload.length), in: db, drive: drive) != nil { return }
        let target = try commit.terms.placement.target(in: db, drive: drive)
        let isNew = if case .newFile = target { true } else { false }
        if isNew, let mostItems, items >= mostItems { throw DriveItems.exceeded(mostItems) }
        let bytes = try counted(upload)
        // What costs nothing is taken by an account that is over its quota, too.
        if bytes > 0, let quota, used + bytes > quota { throw DriveQuota.exceeded((max(0, quota - used), quota)) }
        used += bytes
        items += isNew ? 1 : 0
        admitted.insert(upload.hash)
    }

    /// Bytes that would count to the quota.
    private func counted(_ upload: SimpleUpload) throws -> Int64 {
        let isThere =
            try admitted.contains(upload.hash) || BlockTable(db, drive: stamp.driveId).counts(upload.hash)
            || ContentTable(db, drive: stamp.driveId).find(checksum: upload.hash) != nil
        return isThere ? 0 : Int64(upload.length)
    }
}
