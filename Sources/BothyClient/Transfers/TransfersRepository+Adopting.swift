import BothyContract
import GRDB

/// Transfers that nobody runs: a process that died left them behind, or one that hands its work on.
extension TransfersRepository {
    /// This process's name in the transfers that it runs.
    package nonisolated var runnerId: String { identity.id }

    /// Whether the process of this name still lives.
    package nonisolated func isAlive(runner: String) -> Bool { identity.isAlive(runner) }

    /// Goes on, in this process, with what others left in the middle, and with what waited for somebody to sign in. What a person
    /// stopped or paused stays; what was asked of a process that died before it heard of it is done.
    ///
    /// - Returns: their ids.
    package func adopt() async throws -> [String] {
        guard !isStopped else { return [] }
        for (id, wish) in try await store.unheard(by: identity) { try await settleAtRest(wish, id) }
        let claims = try await store.claimLeftBehind(by: identity, now: services.clock.now())
        begin(claims.map { ($0, $0.record.snapshot.bytesTotal, nil) })
        return claims.map(\.record.id)
    }

    /// Stops these where they run here, and leaves them for the next process to adopt.
    package func leaveBehind(_ ids: Set<String>) async throws {
        for id in ids { _ = queue.remove(id) }
        // All are asked before the first is waited for.
        for id in ids { pass(.stop, to: id) }
        for id in ids { await bringToRest(id, by: .stop) }
        try await store.release(ids, by: identity)
    }
}

extension TransferStore {
    private static func open(in db: Database) throws -> [TransferRecord] {
        try UploadTransferTable.all(over: false, in: db).map(TransferRecord.upload)
            + DownloadTransferTable.all(over: false, in: db).map(TransferRecord.download)
    }

    /// What persons asked of processes that died before they did it.
    fileprivate func unheard(by runner: RunnerIdentity) async throws -> [(id: String, wish: TransferWish)] {
        try await all(over: false).compactMap { record in
            guard let wish = record.wish, !runner.isAlive(record.runner) else { return nil }
            return (record.id, wish)
        }
    }

    fileprivate func claimLeftBehind(by runner: RunnerIdentity, now: Timestamp) async throws -> [Claim] {
        try await transact { db in
            var alive = [String: Bool]()
            return try Self.open(in: db).filter { record in
                guard !record.state.rests || record.state == .paused(.signInNeeded), record.wish == nil else {
                    return false
                }
                guard let other = record.runner else { return true }
                let lives = alive[other] ?? runner.isAlive(other)
                alive[other] = lives
                return !lives
            }
            .map { record in
                let claimed = record.begunAgain(by: runner.id, now: now)
                try Self.write(claimed, in: db)
                return Claim(record: claimed, mine: true)
            }
        }
    }

    fileprivate func release(_ ids: Set<String>, by runner: RunnerIdentity) async throws {
        try await transact { db in
            for id in ids {
                guard var record = try Self.find(id, in: db) else { continue }
                let wasStopped = record.state == .paused(.stopped)
                let neverBegan = !record.state.rests && record.runner == runner.id
                guard wasStopped || neverBegan else { continue }
                record.set(state: .queued, runner: nil)
                try Self.write(record, in: db)
            }
        }
    }
}
