import BothyContract
import Synchronization

/// Which sign-in of a device is valid now: what lets a sign-out end tokens that have not expired yet.
///
/// Answers come from memory for a few seconds. A sign-out through this process is felt at once; one through another
/// process that shares the database, when the answer is asked for again.
package final class DeviceSessions: Sendable {
    private struct Key: Hashable, Sendable {
        var userId: Int64
        var deviceId: String
    }

    private struct Entry: Sendable {
        var session: Int64?
        var disabled: Bool
        var loadedAt: Double
    }

    private struct State: Sendable {
        var entries = TwoGenerationCache<Key, Entry>(capacity: 20_000)
        /// Moves on with each sign-out, so that a reading from before it is never kept.
        var signOuts = 0
    }

    /// Seconds that an answer is believed.
    private static let freshness = 5.0

    private let database: any Database
    private let clock: any ServerClock
    // On the path of every request: a lock rather than an actor.
    private let state = Mutex(State())

    package init(database: any Database, clock: any ServerClock) {
        self.database = database
        self.clock = clock
    }

    /// - Throws: ``Problem`` `device_signed_out` or `account_disabled`.
    package func check(_ claims: AccessTokens.Claims) async throws {
        let entry = try await entry(Key(userId: claims.userId, deviceId: claims.deviceId))
        if entry.disabled {
            throw Problem.disabledAccount
        }
        guard entry.session == claims.session else {
            throw Problem(.deviceSignedOut, "This device was signed out.")
        }
    }

    /// Whether the sign-in that a request came by still is its device's; one that names none is anybody's.
    package func holds(_ caller: Caller) async throws -> Bool {
        try await holds(AddressedSignIn(caller))
    }

    /// Whether a sign-in still is its device's; nil, which is nobody's, always is.
    package func holds(_ signIn: AddressedSignIn?) async throws -> Bool {
        guard let signIn else { return true }
        let entry = try await entry(Key(userId: signIn.userId, deviceId: signIn.deviceId))
        return !entry.disabled && entry.session == signIn.session
    }

    /// To be called once a sign-out, a sign-in or a change of an account is committed.
    package func forget(userId: Int64, deviceIds: [String]) {
        state.withLock { state in
            state.signOuts += 1
            for deviceId in deviceIds { state.entries[Key(userId: userId, deviceId: deviceId)] = nil }
        }
    }

    private func entry(_ key: Key) async throws -> Entry {
        let now = clock.uptimeSeconds()
        let (known, signOuts) = state.withLock { ($0.entries[key], $0.signOuts) }
        if let known, now - known.loadedAt < Self.freshness { return known }
        let entry = try await database.read { connection in
            let row = try connection.first(
                """
                SELECT d.session, a.disabled FROM devices d JOIN accounts a ON a.user_id = d.user_id
                    WHERE d.user_id = ? AND d.device_id = ?
                """, [key.userId.sql, key.deviceId.sql])
            return Entry(
                session: row?.optional(0, SQLRow.int64), disabled: row?.bool(1) ?? false, loadedAt: now)
        }
        state.withLock { if $0.signOuts == signOuts { $0.entries[key] = entry } }
        return entry
    }
}
