import BothyContent
import BothyContract
import Crypto
import Foundation

/// How a browser on this machine comes in to this device's own web app: by a token that is good once and for half a
/// minute, handed over where only the owner of this device can read it; from then on by a ticket, as with a server.
///
/// Kept of a ticket is its SHA-256 alone.
public actor DeviceEntrance: BrowserTickets {
    /// Seconds that a token is good.
    public static let patience = 30.0
    /// Tokens that wait at a time.
    private static let mostTokens = 16
    /// Browsers that are known; the one that came first is forgotten for another.
    private static let mostTickets = 32
    /// Seconds that a ticket is good.
    private static let ticketLifetime: Int64 = 90 * 86_400

    private struct Kept: Codable {
        var hash: ContentHash
        var issuedAt: Timestamp
    }

    private let browsing: DeviceBrowsing
    private let secrets: SecretStore
    private let clock: any ClientClock
    private var tokens = [(token: String, until: Double, used: AsyncStream<Void>.Continuation)]()

    /// - Parameter device: what the device shows of itself.
    public init(_ home: DeviceHome, device: DeviceScreens?) {
        browsing = DeviceBrowsing(home, device: device)
        secrets = home.secrets
        clock = home.environment.clock
    }

    // MARK: - Tokens

    /// - Returns: a token, and what ends once it was used.
    public func newToken() -> (token: String, used: AsyncStream<Void>) {
        forgetOldTokens()
        if tokens.count == Self.mostTokens { tokens.removeFirst().used.finish() }
        let (used, continuation) = AsyncStream<Void>.makeStream()
        let token = Self.secret()
        tokens.append((token, clock.uptime() + Self.patience, continuation))
        return (token, used)
    }

    /// - Returns: a ticket; nil for a token that is no good, or not any more.
    public func come(with token: String) throws -> String? {
        forgetOldTokens()
        guard let place = tokens.firstIndex(where: { Self.hash($0.token) == Self.hash(token) }) else { return nil }
        tokens.remove(at: place).used.finish()
        let ticket = Self.secret()
        var kept = try tickets()
        kept.append(Kept(hash: Self.hash(ticket), issuedAt: clock.now()))
        try secrets.saveTickets(WireCoding.encode(kept.suffix(Self.mostTickets)))
        return ticket
    }

    private func forgetOldTokens() {
        let now = clock.uptime()
        for old in tokens where old.until <= now { old.used.finish() }
        tokens.removeAll { $0.until <= now }
    }

    // MARK: - Tickets

    public func enter(_ ticket: String) async throws -> BrowserAccount? {
        let hash = Self.hash(ticket)
        guard let kept = try tickets().first(where: { $0.hash == hash }),
            clock.now().seconds(since: kept.issuedAt) < Self.ticketLifetime
        else { return nil }
        return try await browsing.account()
    }

    public func leave(_ ticket: String) throws {
        let hash = Self.hash(ticket)
        try secrets.saveTickets(WireCoding.encode(try tickets().filter { $0.hash != hash }))
    }

    /// What cannot be read lets nobody in: a new token does.
    private func tickets() throws -> [Kept] {
        guard let data = try secrets.tickets() else { return [] }
        return (try? WireCoding.decode([Kept].self, from: data)) ?? []
    }

    private static func hash(_ text: String) -> ContentHash {
        SHA256Hasher.hash(Array(text.utf8))
    }

    /// 32 random bytes.
    private static func secret() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
