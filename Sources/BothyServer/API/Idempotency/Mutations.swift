import BothyContract

/// Runs what changes a drive: one transaction, once per request id, and then the drive's other devices wake.
package struct Mutations: Sendable {
    private let database: any Database
    private let stamps: StampSource
    private let notifier: Notifier

    package init(database: any Database, stamps: StampSource, notifier: Notifier) {
        self.database = database
        self.stamps = stamps
        self.notifier = notifier
    }

    /// - Parameters:
    ///   - room: the room on the disk that it may take; deletions take of the reserve.
    ///   - forgetsNoOps: what changes nothing in the drive's log leaves no trace, so that the reserve cannot be filled by
    ///     deleting the same thing over and over.
    ///   - hearers: whom it gathers who are to hear of it.
    /// - Returns: the outcome, which is on disk.
    package func perform<Answer: Codable & Sendable>(
        _ identity: RequestIdentity, for caller: Caller, from room: WriteRoom = .shared,
        forgetsNoOps: Bool = false, telling hearers: FeedHearers? = nil,
        _ action: @escaping @Sendable (any SQLConnection, ChangeStamp) throws -> Mutation<Answer>
    ) async throws -> Mutation<Answer> {
        let stamp = stamps.stamp(for: caller)
        let outcome = try await database.write(from: room) { db in
            let head = forgetsNoOps ? try ChangeLog(db, drive: stamp.driveId).head() : nil
            return try OutcomeTable(db, drive: stamp.driveId).once(identity, lived: stamp.lived, ignoring: head) {
                try action(db, stamp)
            }
        }
        await notifier.wake(driveId: caller.driveId, cursor: outcome.cursor)
        await hearers?.wake(by: notifier)
        return outcome
    }
}
