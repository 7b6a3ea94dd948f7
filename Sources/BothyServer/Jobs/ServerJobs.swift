import BothyContract
import Synchronization

/// Everything that the server does by itself, and how often.
package struct ServerJobs: Sendable {
    /// Rows that one transaction takes, so that no one waits long behind it.
    private static let batch = 500

    private let database: any Database
    private let collection: GarbageCollection
    private let stamps: StampSource
    private let lived: LivedTime
    private let notifier: Notifier
    private let restores: DriveRestores
    private let thinning: VersionThinning?

    /// - Parameter thinning: which old versions are let go; nil keeps all.
    package init(
        database: any Database, collection: GarbageCollection, stamps: StampSource, lived: LivedTime,
        notifier: Notifier, restores: DriveRestores, thinning: VersionThinning?
    ) {
        self.database = database
        self.collection = collection
        self.stamps = stamps
        self.lived = lived
        self.notifier = notifier
        self.restores = restores
        self.thinning = thinning
    }

    /// - Parameter accounts: what the accounts want done each hour, in one transaction a round.
    package func all(accounts: @escaping @Sendable () async throws -> Void) -> [Job] {
        [keepLivedTime, emptyTrash, drainPurged, freeContents, indexNames, finishRestores, endUploads, freeBlocks]
            + [forgetChanges] + forgetting + thinOut + [
                Job("accounts", every: 3600) {
                    try await accounts()
                    return .done
                }
            ]
    }

    private var keepLivedTime: Job {
        Job("lived time", every: 60) {
            try await lived.keep()
            return .done
        }
    }

    private var emptyTrash: Job {
        Job("trash", every: 600) {
            let before = lived.now() - Retention.trash
            let changed = try await database.write(from: .reserve) { [stamps] db in
                try Purge.emptyTrash(livedBefore: before, in: db, stamps: stamps)
            }
            for (drive, cursor) in changed { await notifier.wake(driveId: drive, cursor: cursor) }
            return changed.isEmpty ? .done : .more
        }
    }

    private var drainPurged: Job {
        let walk = PurgeWalk(database: database, stamps: stamps, notifier: notifier)
        return Job("deleted folders", every: 10) { try await walk.step() }
    }

    /// What a post let go of that was too much for the transaction that deleted it.
    private var freeContents: Job {
        Job("unused contents", every: 10) {
            guard try await database.read(ContentTable.hasUnused) else { return .done }
            let now = lived.now()
            return try await database.write(from: .reserve) { try ContentTable.freeUnused(lived: now, in: $0) } == 0
                ? .done : .more
        }
    }

    /// Names from before there was a search, in the minutes after the first start of a server that has one.
    private var indexNames: Job {
        Job("names to search", every: 60) {
            let isDone = try await database.read { try $0.first("SELECT 1 FROM names_to_index LIMIT 1") } == nil
            if isDone { return .done }
            return try await database.write { try NameWordTable.addOld(in: $0, limit: Self.batch) } == 0 ? .done : .more
        }
    }

    /// What a crash broke off, or its caller did not wait for.
    private var finishRestores: Job {
        Job("restores", every: 10) { try await restores.resume() ? .more : .done }
    }

    private var endUploads: Job {
        Job("uploads", every: 600) {
            let now = lived.now()
            let ended = try await database.write(from: .reserve) { db in
                try UploadExpiry.expireSessions(in: db, lived: now, limit: Self.batch)
                    + UploadExpiry.forgetSessions(in: db, lived: now, limit: Self.batch)
            }
            return ended == 0 ? .done : .more
        }
    }

    private var thinOut: [Job] {
        guard let thinning else { return [] }
        let walk = ThinningWalk(thinning, database: database, lived: { [lived] in lived.now() })
        return [Job("old versions", every: 86_400) { try await walk.step() }]
    }

    private var freeBlocks: Job {
        Job("free blocks", every: 3600) {
            try await collection.freeBlocks() < GarbageCollection.batch ? .done : .more
        }
    }

    /// Tidies all packs four times a day, and gives back between two of these what a disk without room needs. It waits for the disk
    /// between two pieces of work, and so must not hold the others up: it belongs to a runner of its own.
    package var reclaim: Job {
        let round = ReclaimRound(now: lived.now())
        return Job("reclaim", every: Double(ReclaimCalendar.look)) {
            let (began, isShort) = (lived.now(), collection.isShortOfRoom)
            let due = round.calendar.withLock { $0.due(at: began, isShort: isShort) }
            do {
                switch due {
                case .nothing: return .done
                case .all: try await collection.tidyPacks()
                // What was refused, broken off or deleted lies in the packs, and would keep everybody out until the next round.
                case .dead: try await collection.giveBack()
                }
            } catch {
                round.calendar.withLock { $0.failed(due, at: lived.now()) }
                throw error
            }
            round.calendar.withLock { $0.ended(due, from: began, to: lived.now()) }
            return .done
        }
    }

    private var forgetting: [Job] {
        [
            prune("outcomes", after: Retention.outcomes) { db, before in
                try OutcomeTable.prune(livedBefore: before, limit: Self.batch, in: db)
            },
            prune("deleted posts", after: Retention.trash) { db, before in
                try PostTable.emptyTrash(
                    livedBefore: before, lived: before + Retention.trash, limit: Self.batch, in: db)
            },
            prune("deletions", after: Retention.deletions) { db, before in
                try DeletionTable.prune(livedBefore: before, limit: Self.batch, in: db)
            },
            prune("notifications", after: Retention.notifications) { db, before in
                try NotificationTable.prune(livedBefore: before, limit: Self.batch, in: db)
            },
            Job("notifications beyond most", every: 3600) {
                try await database.write(from: .reserve) { try NotificationTable.pruneBeyondMost(in: $0) } == 0
                    ? .done : .more
            },
            prune("restores", after: Retention.plans) { db, before in
                let finished = before + Retention.plans - Retention.outcomes
                return try RestoreTable.prune(
                    plansBefore: before, finishedBefore: finished, limit: Self.batch, in: db)
            },
        ]
    }

    private var forgetChanges: Job {
        let walk = ForgettingWalk(database: database)
        return Job("changes", every: 3600) { [lived] in
            try await walk.step(livedBefore: lived.now() - Retention.changes)
        }
    }

    private func prune(
        _ name: String, after keep: Int64, _ body: @escaping @Sendable (any SQLConnection, Int64) throws -> Int
    ) -> Job {
        Job(name, every: 3600) {
            let before = lived.now() - keep
            // Nothing is that old in a server's first month or year.
            guard before > 0 else { return .done }
            return try await database.write(from: .reserve) { db in try body(db, before) } == 0 ? .done : .more
        }
    }
}

/// The calendar of one server's runs.
private final class ReclaimRound: Sendable {
    let calendar: Mutex<ReclaimCalendar>

    init(now: Int64) { calendar = Mutex(ReclaimCalendar(now: now)) }
}
