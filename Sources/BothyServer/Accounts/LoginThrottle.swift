import BothyContract
import Crypto
import Foundation

/// Slows sign-ins per account, per address and per known device apart, so that a stranger's guesses lock no owner out.
///
/// Of all guesses at one account at most 10 a minute are evaluated: 6 from strangers (3 at once, then one in 20 s) and 4
/// from devices that have signed in to it before (2 at once, then one in 30 s). A right password counts for nothing.
/// Buckets lie in the database, so a restart forgives nothing.
package struct LoginThrottle: Sendable {
    package static let stranger = RateLimit(burst: 3, interval: 20_000)
    package static let knownDevice = RateLimit(burst: 2, interval: 30_000)
    /// Over all accounts, from one IPv4 address or one IPv6 /64.
    package static let address = RateLimit(burst: 30, interval: 2_000)

    /// What an attempt took, to be given back when the password was right.
    package struct Ticket: Hashable, Sendable {
        fileprivate var taken: [Taken]
    }

    fileprivate struct Taken: Hashable, Sendable {
        var bucket: String
        var limit: RateLimit
    }

    package enum Outcome: Hashable, Sendable {
        case pass(Ticket)
        /// Seconds to wait.
        case wait(Int)
    }

    private let livedMilliseconds: @Sendable () -> Int64

    /// - Parameter livedMilliseconds: time that the server has run; the calendar's jumps do not reach it.
    package init(livedMilliseconds: @escaping @Sendable () -> Int64) { self.livedMilliseconds = livedMilliseconds }

    /// - Parameter isKnownDevice: whether the device that asks has signed in to this account before.
    package func take(
        emailKey: String, network: String, isKnownDevice: Bool, in connection: any SQLConnection
    ) throws -> Outcome {
        let now = livedMilliseconds()
        let account = SecretText.base64URL(SHA256.hash(data: Data(emailKey.utf8)))
        let strangers = Taken(bucket: "account:\(account)", limit: Self.stranger)
        let known = Taken(bucket: "known:\(account)", limit: Self.knownDevice)
        let choices = isKnownDevice ? [known, strangers] : [strangers]
        let byAddress = Taken(bucket: "address:\(network)", limit: Self.address)

        let addressDecision = byAddress.limit.take(now: now, emptyAt: try emptyAt(byAddress.bucket, connection))
        guard case .pass(let addressEmpty) = addressDecision else { return .wait(seconds(addressDecision)) }
        var shortest = Int.max
        for choice in choices {
            switch choice.limit.take(now: now, emptyAt: try emptyAt(choice.bucket, connection)) {
            case .pass(let empty):
                try put(byAddress.bucket, addressEmpty, connection)
                try put(choice.bucket, empty, connection)
                return .pass(Ticket(taken: [byAddress, choice]))
            case .wait(let milliseconds):
                shortest = min(shortest, seconds(.wait(milliseconds)))
            }
        }
        return .wait(shortest)
    }

    /// Counts what costs a password's hash without being a guess: registering.
    package func take(network: String, in connection: any SQLConnection) throws -> Outcome {
        let byAddress = Taken(bucket: "address:\(network)", limit: Self.address)
        let decision = byAddress.limit.take(
            now: livedMilliseconds(), emptyAt: try emptyAt(byAddress.bucket, connection))
        guard case .pass(let empty) = decision else { return .wait(seconds(decision)) }
        try put(byAddress.bucket, empty, connection)
        return .pass(Ticket(taken: [byAddress]))
    }

    /// The password was right: the attempt counts for nothing.
    package func refund(_ ticket: Ticket, in connection: any SQLConnection) throws {
        for taken in ticket.taken {
            guard let empty = try emptyAt(taken.bucket, connection) else { continue }
            try put(taken.bucket, taken.limit.refund(emptyAt: empty), connection)
        }
    }

    /// Forgets buckets that are empty. At most `limit` rows in one go.
    ///
    /// - Returns: how many.
    @discardableResult
    package func prune(limit: Int = 1_000, in connection: any SQLConnection) throws -> Int {
        try connection.execute(
            """
            DELETE FROM login_attempts WHERE bucket IN
                (SELECT bucket FROM login_attempts WHERE empty_lived_ms < ? ORDER BY empty_lived_ms LIMIT ?)
            """, [livedMilliseconds().sql, limit.sql])
    }

    private func emptyAt(_ bucket: String, _ connection: any SQLConnection) throws -> Int64? {
        try connection.first("SELECT empty_lived_ms FROM login_attempts WHERE bucket = ?", [bucket.sql])?.int64(0)
    }

    private func put(_ bucket: String, _ emptyAt: Int64, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO login_attempts (bucket, empty_lived_ms) VALUES (?, ?)
                ON CONFLICT (bucket) DO UPDATE SET empty_lived_ms = excluded.empty_lived_ms
            """, [bucket.sql, emptyAt.sql])
    }

    private func seconds(_ decision: RateLimit.Decision) -> Int {
        guard case .wait(let milliseconds) = decision else { return 0 }
        return Int((milliseconds + 999) / 1000)
    }
}
