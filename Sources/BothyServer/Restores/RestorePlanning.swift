import BothyContract

/// Decides what a restore does to nodes: what each was at the moment against what it is now.
///
/// Only nodes that the log names since the moment can differ; what lies below one that was moved or thrown away follows
/// by its ancestor. What was not there goes to the trash with all that was not there in it; what was there goes where it
/// was, into the trash too; what came into the folder from elsewhere goes back there.
///
/// Used within one transaction.
struct RestorePlanning {
    /// The folder or file that is put back.
    let scope: String

    private let files: FileTable
    private let revisions: RevisionTable
    private let deletions: DeletionTable
    private let planned: RestoreStepTable
    private let newId: () -> String
    private var then: PastDrive
    private var now: Ancestry
    /// Steps by node, in the order of their making.
    private(set) var steps: [RestoreStep] = []
    private var recreated: [String: String] = [:]

    /// - Parameters:
    ///   - sequence: of the last change that had happened at the moment.
    ///   - planned: what earlier pages decided.
    init(
        _ db: any SQLConnection, drive: Int64, scope: String, after sequence: Int64, planned: RestoreStepTable,
        newId: @escaping () -> String
    ) {
        self.scope = scope
        self.planned = planned
        self.newId = newId
        files = FileTable(db, drive: drive)
        revisions = RevisionTable(db, drive: drive)
        deletions = DeletionTable(db, drive: drive)
        then = PastDrive(db, drive: drive, after: sequence)
        now = Ancestry(db, drive: drive)
    }

    /// Plans for one node.
    mutating func plan(_ id: String) throws {
        guard id != File.rootId else { return }
        let path = try then.path(from: id)
        guard let row = try files.find(id), try now.standing(of: id) != .gone else {
            if let path, !path.isTrashed, path.ids.contains(scope) { try lose(id, path) }
            return
        }
        guard let path, let place = try then.place(of: id) else { return try throwAway(row) }
        if path.ids.contains(scope) {
            if try !path.isTrashed || isInScope(id) { try putBack(row, place, path) }
        } else if row.trash == nil, try isInScope(id) || becomesPartOfScope(row.parentId) {
            try sendBack(row, place, path)
        }
    }

    /// It lies in the scope as things are now.
    private mutating func isInScope(_ id: String) throws -> Bool {
        try scope == File.rootId || now.path(from: id).contains(scope)
    }

    /// What lies in the folder lies in the scope when the folder has been put back.
    private mutating func becomesPartOfScope(_ folder: String?) throws -> Bool {
        guard let folder, let path = try then.path(from: folder), path.ids.contains(scope) else { return false }
        return try !path.isTrashed || isInScope(folder)
    }

    // MARK: What was not there, and what cannot be there again

    /// What lies in a folder that was not there either goes with that.
    private mutating func throwAway(_ row: FileRow) throws {
        guard row.trash == nil, try becomesPartOfScope(row.parentId) else { return }
        try trashInPlace(row, pastPath: nil)
    }

    private mutating func trashInPlace(_ row: FileRow, pastPath: String?) throws {
        let depth = try now.path(from: row.id).count
        steps.append(
            RestoreStep(
                nodeId: row.id, rank: RestoreStep.trashRank + Int64(depth), action: .trash, version: row.version,
                isFolder: row.isFolder,
                target: RestoreStep.Target(
                    parentId: row.parentId ?? File.rootId, name: row.name, trashed: true, live: false,
                    executable: row.executable), path: try now.writtenPath(of: row.id), pastPath: pastPath))
    }

    private mutating func lose(_ id: String, _ path: PastDrive.Path) throws {
        guard let place = try then.place(of: id), try newId(ofGone: id) == nil else { return }
        let lostMs = try deletions.find(nodeId: id)?.deletedMs
        steps.append(
            RestoreStep(
                nodeId: id, rank: RestoreStep.lostRank + Int64(path.ids.count), action: .lost, isFolder: place.isFolder,
                target: RestoreStep.Target(
                    parentId: place.parentId ?? File.rootId, name: place.name, trashed: false, live: true,
                    executable: place.executable),
                pastPath: path.text, lostAt: lostMs.map { Timestamp(milliseconds: $0) }, outcome: .done))
    }

    // MARK: What was there

    private mutating func putBack(_ row: FileRow, _ place: NodePlace, _ path: PastDrive.Path) throws {
        var target = RestoreStep.Target(
            parentId: place.parentId ?? File.rootId, name: place.name, trashed: place.trashed, live: !path.isTrashed,
            executable: place.executable)
        if try now.standing(of: target.parentId) == .gone {
            if target.live {
                target.parentId = try recreate(target.parentId)
            } else {
                // The folder in the trash that it lay in is gone for good.
                target = RestoreStep.Target(
                    parentId: row.parentId ?? File.rootId, name: row.name, trashed: true, live: false,
                    executable: place.executable)
            }
        }
        try add(row, target, path, head: row.isFolder ? nil : try then.head(of: row.id))
    }

    /// Something that came into the folder since, and was elsewhere then. Its content stays as it is.
    private mutating func sendBack(_ row: FileRow, _ place: NodePlace, _ path: PastDrive.Path) throws {
        let parentId = place.parentId ?? File.rootId
        let standing = try now.standing(of: parentId)
        guard standing == .live || path.isTrashed && standing == .trashed else {
            return try trashInPlace(row, pastPath: path.text)
        }
        let target = RestoreStep.Target(
            parentId: parentId, name: place.name, trashed: place.trashed, live: !path.isTrashed,
            executable: row.executable)
        let head = try row.headRevisionId.flatMap { try revisions.find($0) }
        try add(row, target, path, head: row.isFolder ? nil : head)
    }

    private mutating func add(
        _ row: FileRow, _ target: RestoreStep.Target, _ path: PastDrive.Path, head: RevisionRow?
    ) throws {
        let newHead = try row.isFolder ? false : changesContent(row, head)
        var aspects = [RestoreChange.Aspect]()
        if newHead { aspects.append(.content) }
        if row.name != target.name { aspects.append(.name) }
        if row.parentId != target.parentId { aspects.append(.folder) }
        if try row.trash != nil && !target.trashed || liesInTrash(row) { aspects.append(.untrashed) }
        if row.executable != target.executable { aspects.append(.executable) }
        let goes = target.trashed && row.trash == nil
        guard goes || !aspects.isEmpty else { return }
        steps.append(
            RestoreStep(
                nodeId: row.id, rank: Int64(path.ids.count), action: goes ? .trash : .putBack, aspects: aspects,
                version: row.version, isFolder: row.isFolder, target: target, revisionId: newHead ? head?.id : nil,
                path: try now.writtenPath(of: row.id), pastPath: path.text))
    }

    /// What is put back is in the trash by a folder above it that is not.
    private mutating func liesInTrash(_ row: FileRow) throws -> Bool {
        try row.id == scope && row.trash == nil && now.standing(of: row.id) == .trashed
    }

    private func changesContent(_ row: FileRow, _ head: RevisionRow?) throws -> Bool {
        guard row.headRevisionId != head?.id else { return false }
        guard let current = try row.headRevisionId.flatMap({ try revisions.find($0) }) else { return head != nil }
        // A file that was empty before it had its first content has the content of nothing.
        guard let head else { return current.size != 0 }
        return head.contentId != current.contentId || head.mimeType != current.mimeType
            || head.modifiedAt != current.modifiedAt
    }

    /// Makes a folder anew that was deleted for good, and those above it that were, for what comes back into it.
    ///
    /// - Returns: its new id.
    private mutating func recreate(_ id: String) throws -> String {
        if let known = try newId(ofGone: id) { return known }
        guard let place = try then.place(of: id), let path = try then.path(from: id) else { return File.rootId }
        var parentId = place.parentId ?? File.rootId
        if try now.standing(of: parentId) == .gone { parentId = try recreate(parentId) }
        let made = newId()
        recreated[id] = made
        steps.removeAll { $0.nodeId == id }
        steps.append(
            RestoreStep(
                nodeId: id, rank: Int64(path.ids.count), action: .recreate, isFolder: true, newId: made,
                target: RestoreStep.Target(
                    parentId: parentId, name: place.name, trashed: false, live: true, executable: false),
                pastPath: path.text))
        return made
    }

    private mutating func newId(ofGone id: String) throws -> String? {
        if let known = recreated[id] { return known }
        let known = try planned.find(id)?.newId
        recreated[id] = known
        return known
    }
}
