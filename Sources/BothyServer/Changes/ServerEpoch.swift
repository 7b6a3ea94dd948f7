import BothyContract

/// The epoch that cursors and ETags carry: a server restored from a backup starts a new one, so that what clients
/// hold from the life that the backup does not know is refused, never guessed at.
package enum ServerEpoch {
    /// The row of `server_state`; a store that was never restored has none, and lives in epoch 1.
    package static let key = "epoch"
    package static let first: Int64 = 1

    package static func read(_ db: any SQLConnection) throws -> Int64 {
        guard let kept = try ServerStateTable(db).value(key) else { return first }
        guard let epoch = Int64(kept) else { throw DatabaseError.corrupt("server_state: epoch is no number") }
        return epoch
    }
}
