import BothyContract
import Crypto
import Foundation

/// Slows sign-ins per account and per address, so that a stranger's guesses lock no owner out.
///
/// Of all guesses at one account at most 10 a minute are evaluated, in shares: one for devices that have signed in to it before, and
/// of the others one each for networks that have not guessed wrong at it, that have once or twice, and that have more often. So
/// a guesser from one network takes nothing of what others have, and who mistypes once is not among those. A right
/// password counts for nothing, and makes up for what its network guessed before. Buckets lie in the database, so a restart
/// forgives nothing.
package struct LoginThrottle: Sendable {
    /// Who draws on which share of an account's guesses; together at most 10 in any minute.
    package enum Share: String, CaseIterable, Sendable {
        case knownDevice = "known"
        /// Of networks by how often they guessed wrong here lately.
        case never, seldom, often

        package var limit: RateLimit {
            switch self {
            case .knownDevice, .seldom, .often: RateLimit(burst: 1, interval: 60_000)
            case .never: RateLimit(burst: 3, interval: 60_000)
            }
        }

        /// What an attempt may draw on, the best first. A worse share than its own would else stay unused.
        static func open(isKnownDevice: Bool, wrongBefore: Int64) -> [Share] {
            let byNetwork: [Share] =
                switch wrongBefore {
                case 0: [.never, .seldom, .often]
                case 1...2: [.seldom, .often]
                default: [.often]
                }
            return isKnownDevice ? [.knownDevice] + byNetwork : byNetwork
        }
    }

    /// Over all accounts, from one IPv4 address or one IPv6 /64.
    package static let address = RateLimit(burst: 30, interval: 2_000)
    /// How long a wrong guess of a network at an account is remembered: 8 hours that the server ran. Beyond this many, the number says
    /// nothing new.
    package static let wrong = RateLimit(burst: 3, interval: 8 * 3_600_000)

    /// What an attempt took, to be given back when the password was right.
    package struct Ticket: Hashable, Sendable {
        fileprivate var taken: [Taken]
        /// What the network has guessed wrong at the account, this attempt included.
        fileprivate var wrong: String?
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
        let wrong = "wrong:\(account):\(IPAddress.site(ofNetwork: network))"
        let wrongBefore = Self.wrong.taken(now: now, emptyAt: try emptyAt(wrong, connection))
        let choices = Share.open(isKnownDevice: isKnownDevice, wrongBefore: wrongBefore).map {
            Taken(bucket: "\($0.rawValue):\(account)", limit: $0.limit)
        }
        let byAddress = Taken(bucket: "address:\(network)", limit: Self.address)

        let addressDecision = byAddress.limit.take(now: now, emptyAt: try emptyAt(byAddress.bucket, connection))
        guard case .pass(let addressEmpty) = addressDecision else { return .wait(seconds(addressDecision)) }
        var shortest = Int.max
        for choice in choices {
            switch choice.limit.take(now: now, emptyAt: try emptyAt(choice.bucket, connection)) {
            case .pass(let empty):
                try put(byAddress.bucket, addressEmpty, connection)
                try put(choice.bucket, empty, connection)
                // Wrong until it turns out to be right: many that come at once know of one another.
                let wrongEmpty = Self.wrong.filling(now: now, emptyAt: try emptyAt(wrong, connection))
                try put(wrong, wrongEmpty, connection)
                return .pass(Ticket(taken: [byAddress, choice], wrong: wrong))
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
        // A person who knows the password has mistyped it before, and guessed nothing.
        if let wrong = ticket.wrong {
            try connection.execute("DELETE FROM login_attempts WHERE bucket = ?", [wrong.sql])
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
