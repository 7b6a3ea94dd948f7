import BothyContract
import Foundation
import GRDB

/// The one place that opens the replica's database.
///
/// All in it but the journal can be had from the server again. So a file that is damaged, or written by a newer Bothy,
/// is set aside and a new one begun; what waits to be sent comes along. Where some of that cannot be read, nothing is begun: a person
/// decides whether to do without it.
package enum ReplicaDatabase {
    /// What was found when it was opened.
    package struct Opening: Sendable {
        package var store: ReplicaStore
        /// Where the old file lies now; nil where all was well.
        package var setAside: String?
        /// Operations that came along from it.
        package var rescued = 0
    }

    /// - Parameters:
    ///   - now: makes the name of what is set aside.
    ///   - leavingUnreadable: do without what waits and cannot be read.
    package static func open(
        path: String, now: Timestamp, durability: ClientDatabase.Durability = .full, leavingUnreadable: Bool = false
    ) throws -> Opening {
        let rescue = ReplicaRescue(path: path)
        if !rescue.isUnderWay, let store = try readable(path, rescue, durability) { return Opening(store: store) }
        return try rescue.alone {
            if rescue.isCutOff {
                let aside = try rescue.putInPlace(now: now)
                let store = try store(path, rescue, durability)
                return Opening(store: store, setAside: aside, rescued: try store.countOfOpenNow())
            }
            // Another process may have been here first.
            if let store = try readable(path, rescue, durability) {
                try rescue.forget()
                return Opening(store: store)
            }
            let work = try RescuedWork.read(from: path, leavingUnreadable: leavingUnreadable)
            let fresh = try rescue.begin { try store($0, rescue, durability) }
            try fresh.takeOver(work)
            try fresh.closeWhole()
            try rescue.finish()
            let aside = try rescue.putInPlace(now: now)
            return Opening(store: try store(path, rescue, durability), setAside: aside, rescued: work.operations.count)
        }
    }

    /// - Returns: nil where it is to be made anew.
    private static func readable(
        _ path: String, _ rescue: ReplicaRescue, _ durability: ClientDatabase.Durability
    ) throws -> ReplicaStore? {
        if rescue.isWanted { return nil }
        do {
            return try store(path, rescue, durability)
        } catch let failure as ClientFailure where failure.code == .homeNewer || failure.isDamage == true {
            return nil
        }
    }

    private static func store(
        _ path: String, _ rescue: ReplicaRescue, _ durability: ClientDatabase.Durability
    ) throws -> ReplicaStore {
        ReplicaStore(
            database: try ClientDatabase(
                path: path, migrator: ReplicaMigrations.migrator, durability: durability,
                remedy: "Try again: it is then set aside, and the list of files is loaded from the server again.",
                damaged: { rescue.want() }))
    }

    /// One that is in memory alone: the simulated world's.
    package static func inMemory() throws -> ReplicaStore {
        ReplicaStore(database: try ClientDatabase.inMemory(migrator: ReplicaMigrations.migrator))
    }
}
