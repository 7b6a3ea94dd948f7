import BothyContract

/// Puts drives back as they stood at a moment: plans it, and carries it out, in transactions so short that nobody waits.
///
/// Where it is lies in the database alone. A request takes it on from there, and the server does when nobody asks
/// any more: a restore that a crash broke off is resumed.
package struct DriveRestores: Sendable {
    /// Entries of the log that one step of planning looks at, and steps that one transaction does.
    static let planBatch = 500
    static let stepBatch = 50
    /// Seconds that one request works at a restore before it answers how far it is.
    static let patience = 10.0

    private let database: any Database
    private let stamps: StampSource
    private let notifier: Notifier
    private let clock: any ServerClock

    package init(database: any Database, stamps: StampSource, notifier: Notifier, clock: any ServerClock) {
        self.database = database
        self.stamps = stamps
        self.notifier = notifier
        self.clock = clock
    }

    // MARK: What is asked

    /// Begins a restore, or continues the one that the request began, for as long as ``patience`` lasts.
    ///
    /// - Throws: `invalid_parameter`, `not_found`, `not_there_then`, `moment_forgotten`, `cursor_expired`,
    ///   `plan_changed`, `restore_running`, `idempotency_mismatch`.
    package func submit(
        _ request: RestoreRequest, identity: RequestIdentity, for caller: Caller
    ) async throws -> DriveRestore {
        let stamp = stamps.stamp(for: caller)
        var opening = RestoreOpening(request: request, identity: identity)
        if let at = request.at {
            opening.sought = try await RestoreMoment.seek(at, in: database, drive: caller.driveId)
        }
        let begins = opening
        var row = try await database.write { db in try begins.perform(in: db, stamp: stamp) }
        let deadline = clock.uptimeSeconds() + Self.patience
        while row.isUnderWay, clock.uptimeSeconds() < deadline {
            row = try await advance(row, driveId: caller.driveId)
        }
        return try await find(row.id, for: caller)
    }

    /// - Throws: `not_found`.
    package func find(_ id: String, for caller: Caller) async throws -> DriveRestore {
        try await database.read { db in
            let row = try RestoreTable(db, drive: caller.driveId).require(id)
            let counts = try RestoreStepTable(db, drive: caller.driveId, restoreId: id).counts()
            return row.wire(counts, epoch: try ServerEpoch.read(db))
        }
    }

    /// What it changes, page by page.
    ///
    /// - Throws: `not_found`, `page_invalid`.
    package func changes(
        of id: String, page: String?, limit: Int, for caller: Caller
    ) async throws -> GetRestoreChangesResponse {
        let position = try PageCursor.read(RestoreStepTable.Position.self, from: page)
        let (changes, next) = try await database.read { [position] db in
            _ = try RestoreTable(db, drive: caller.driveId).require(id)
            return try RestoreStepTable(db, drive: caller.driveId, restoreId: id).page(after: position, limit: limit)
        }
        let pagination = PaginationMetadata(next: try next.map { try PageCursor.text($0) }, limit: limit)
        return GetRestoreChangesResponse(changes: changes, pagination: pagination)
    }

    /// Takes a restore on that nobody may be asking for any more.
    ///
    /// - Returns: false when there is none.
    package func resume() async throws -> Bool {
        guard let (drive, row) = try await database.read({ try RestoreTable.underWay(in: $0) }) else { return false }
        _ = try await advance(row, driveId: drive)
        return true
    }

    // MARK: What is done

    private func advance(_ row: RestoreRow, driveId: Int64) async throws -> RestoreRow {
        let stamp = stamps.stamp(driveId: driveId, deviceId: row.deviceId)
        switch row.state {
        case .planning: return try await plan(row, stamp)
        case .running: return try await run(row, stamp)
        case .planned, .finished: return row
        }
    }

    /// Plans what the next entries of the log name. Planning follows the log to its end, so that what changes meanwhile
    /// is looked at again; it is done when nothing came after what it has seen.
    private func plan(_ row: RestoreRow, _ stamp: ChangeStamp) async throws -> RestoreRow {
        let page = try await database.read { db in try Self.page(row, db, stamp) }
        return try await database.write { db in
            let restores = RestoreTable(db, drive: stamp.driveId)
            var current = try restores.require(row.id)
            // Another request works at the same restore, and was here first.
            guard current.state == .planning, current.planned == row.planned else { return current }
            let steps = RestoreStepTable(db, drive: stamp.driveId, restoreId: row.id)
            for id in page.ids where try steps.find(id)?.newId == nil { try steps.remove(id) }
            for step in page.steps { try steps.put(step) }
            current.planned = page.last
            if try ChangeLog(db, drive: stamp.driveId).head().sequence == page.last {
                current.state = current.wanted ? .running : .planned
            }
            current.touchedLived = stamp.lived
            try restores.update(current)
            return current
        }
    }

    private struct Page: Sendable {
        var ids: [String]
        var steps: [RestoreStep]
        /// The sequence of the last entry.
        var last: Int64
    }

    private static func page(_ row: RestoreRow, _ db: any SQLConnection, _ stamp: ChangeStamp) throws -> Page {
        let entries = try ChangeLog(db, drive: stamp.driveId).entries(after: row.planned, limit: planBatch)
        var planning = RestorePlanning(
            db, drive: stamp.driveId, scope: row.fileId, after: row.moment,
            planned: RestoreStepTable(db, drive: stamp.driveId, restoreId: row.id), newId: stamp.newId)
        var ids = [String]()
        var seen = Set<String>()
        // What is put back may be in the trash though nothing of its own changed. What went with its folder is told of with that.
        let named = [row.fileId] + entries.filter { $0.kind == .file && $0.removal != .withFolder }.map(\.entityId)
        for id in named where seen.insert(id).inserted {
            ids.append(id)
            try planning.plan(id)
        }
        return Page(ids: ids, steps: planning.steps, last: entries.last?.sequence ?? row.planned)
    }

    private func run(_ row: RestoreRow, _ stamp: ChangeStamp) async throws -> RestoreRow {
        let current = try await database.write { db in
            let restores = RestoreTable(db, drive: stamp.driveId)
            var current = try restores.require(row.id)
            guard current.state == .running else { return current }
            let log = ChangeLog(db, drive: stamp.driveId)
            let steps = RestoreStepTable(db, drive: stamp.driveId, restoreId: row.id)
            let stepping = RestoreStepping(db, stamp: stamp, steps: steps)
            if current.before == nil { current.before = try log.head().text }
            for _ in 0..<Self.stepBatch {
                guard let step = try steps.next() else {
                    current.state = .finished
                    break
                }
                try stepping.perform(step)
            }
            current.after = try log.head().text
            current.touchedLived = stamp.lived
            try restores.update(current)
            return current
        }
        // Also of a part: who takes the rest on may come much later.
        if current.after != row.after, let after = current.after.flatMap({ ChangeCursor(text: $0) }) {
            await notifier.wake(driveId: stamp.driveId, cursor: after)
        }
        return current
    }
}

extension RestoreRow {
    fileprivate func wire(_ counts: RestoreCounts, epoch: Int64) -> DriveRestore {
        DriveRestore(
            restoreId: id, fileId: fileId, at: at, askedAt: askedAt,
            cursor: ChangeCursor(epoch: epoch, sequence: moment, tag: momentTag).text, state: state, counts: counts,
            before: before, after: state == .finished ? after : nil, createdAt: createdAt)
    }
}
