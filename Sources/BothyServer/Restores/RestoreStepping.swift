import BothyContent
import BothyContract

/// Does the steps of a restore, each a change of its own in the log.
///
/// What somebody changed since it was planned stays as they made it. Used within one transaction.
struct RestoreStepping {
    private let db: any SQLConnection
    private let stamp: ChangeStamp
    private let files: FileTable
    private let revisions: RevisionTable
    private let log: ChangeLog
    private let steps: RestoreStepTable

    init(_ db: any SQLConnection, stamp: ChangeStamp, steps: RestoreStepTable) {
        self.db = db
        self.stamp = stamp
        self.steps = steps
        files = FileTable(db, drive: stamp.driveId)
        revisions = RevisionTable(db, drive: stamp.driveId)
        log = ChangeLog(db, drive: stamp.driveId)
    }

    func perform(_ step: RestoreStep) throws {
        let isDone =
            switch step.action {
            case .lost: true
            case .recreate: try recreate(step)
            case .putBack, .trash: try change(step)
            }
        try steps.finish(step.nodeId, isDone ? .done : .skipped)
    }

    // MARK: One step

    /// - Returns: false when it is left out.
    private func recreate(_ step: RestoreStep) throws -> Bool {
        guard let id = step.newId else { return false }
        var ancestry = Ancestry(db, drive: stamp.driveId)
        guard try ancestry.standing(of: step.target.parentId) == .live else { return false }
        let name = try freed(step.target.name, in: step.target.parentId, for: id)
        let cursor = try log.append(.file, id, stamp: stamp)
        var row = FileRow(
            id: id, serial: cursor.sequence, parentId: step.target.parentId, name: name, isFolder: true,
            mimeType: File.folderMimeType, now: stamp.now)
        row.deviceId = stamp.deviceId
        try files.insert(row, isRestored: true)
        return true
    }

    private func change(_ step: RestoreStep) throws -> Bool {
        var ancestry = Ancestry(db, drive: stamp.driveId)
        guard let old = try files.find(step.nodeId), old.version == step.version,
            try ancestry.standing(of: old.id) != .gone, try ancestry.standing(of: step.target.parentId) != .gone,
            try !ancestry.path(from: step.target.parentId).contains(old.id)
        else { return false }
        var row = old
        row.parentId = step.target.parentId
        row.name = step.target.name
        row.executable = step.target.executable
        row.trash = step.target.trashed ? old.trash ?? FileRow.Trash(at: stamp.now, lived: stamp.lived) : nil
        // A folder above the one that is restored may be in the trash, and what is put back is there to be seen.
        if step.target.live { try Untrashing.bringBack(&row, in: db, stamp: stamp) }
        if !step.target.trashed { row.name = try freed(row.name, in: step.target.parentId, for: row.id) }
        row.version += 1
        row.updatedAt = stamp.now
        row.deviceId = stamp.deviceId
        let head = step.aspects.contains(.content) ? try newHead(step.revisionId, of: &row) : nil
        let cursor = try log.append(.file, row.id, stamp: stamp)
        try files.update(row, by: cursor.sequence)
        if let head { try revisions.insert(head, by: cursor.sequence) }
        return true
    }

    /// - Parameter revisionId: whose content it has; nil for none.
    private func newHead(_ revisionId: String?, of row: inout FileRow) throws -> RevisionRow {
        let id = stamp.newId()
        let head: RevisionRow
        if let revisionId {
            let old = try revisions.require(revisionId, of: row.id)
            head = old.copied(id: id, fileId: row.id, version: row.version, stamp: stamp)
        } else {
            head = try emptyRevision(id, of: row)
        }
        row.headRevisionId = head.id
        row.mimeType = head.mimeType
        row.size = head.size
        row.checksum = head.checksum
        row.modifiedAt = head.modifiedAt
        return head
    }

    private func emptyRevision(_ id: String, of row: FileRow) throws -> RevisionRow {
        let contents = ContentTable(db, drive: stamp.driveId)
        let checksum = SHA256Hasher.hash([UInt8]())
        let contentId =
            try contents.find(checksum: checksum)?.id ?? contents.insert(checksum: checksum, size: 0, blocks: [])
        return RevisionRow(
            id: id, fileId: row.id, version: row.version, contentId: contentId, mimeType: row.mimeType, size: 0,
            checksum: checksum, createdAt: stamp.now, modifiedAt: row.createdAt, deviceId: stamp.deviceId)
    }

    // MARK: Names

    /// The name, when the item that has it goes elsewhere in this restore: to the trash now, or, when its turn has not come,
    /// under a counter until then. A name that stays taken gets a counter itself.
    private func freed(_ name: String, in parentId: String, for id: String) throws -> String {
        guard var holder = try files.child(named: name, of: parentId), holder.id != id else { return name }
        guard let step = try steps.find(holder.id), step.outcome == nil, step.version == holder.version else {
            return try files.freeName(like: name, in: parentId)
        }
        if step.action == .trash {
            try perform(step)
        } else {
            holder.name = try files.freeName(like: name, in: parentId)
            holder.version += 1
            holder.updatedAt = stamp.now
            holder.deviceId = stamp.deviceId
            try files.update(holder, by: try log.append(.file, holder.id, stamp: stamp).sequence)
            try steps.expect(holder.version, of: holder.id)
        }
        return try files.freeName(like: name, in: parentId)
    }
}
