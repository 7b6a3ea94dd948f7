import BothyContract
import BothyServer
import Crypto
import Foundation

/// What a browser carries between two requests: whose sign-in it stands for, sealed so that nobody makes one up.
///
/// It is no access token, and is refused as one; the sign-in that it names can be ended at once, as any device's.
struct Ticket: Codable, Equatable, Sendable {
    var userId: Int64
    var deviceId: String
    var session: Int64
    /// Seconds since 1970.
    var issuedAt: Int64

    /// Seconds that a ticket holds: as long as a device may stay away.
    static let lifetime = AccountLimits.refreshTokenLifetime
    /// Seconds after which one that is used is replaced, so that a browser in use stays signed in.
    static let renewal: Int64 = 24 * 3600
    /// Seconds that one may seem to come from the future, between servers whose clocks differ.
    private static let leeway: Int64 = 60

    func isGood(at now: Timestamp) -> Bool {
        issuedAt <= now.seconds + Self.leeway && now.seconds < issuedAt + Self.lifetime
    }

    func isOld(at now: Timestamp) -> Bool { now.seconds >= issuedAt + Self.renewal }
}

/// Seals tickets (HMAC-SHA256 over what they say), and reads those that it sealed.
struct TicketSeal: Sendable {
    /// Bytes of a text that is looked at at all.
    private static let longest = 1024

    private let key: SymmetricKey

    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("browser ticket".utf8), outputByteCount: 32)
    }

    func text(_ ticket: Ticket) throws -> String {
        let body = try WireCoding.encodeStably(ticket)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return SecretText.base64URL(body) + "." + SecretText.base64URL(code)
    }

    /// - Returns: nil for what this key did not seal.
    func ticket(_ text: String) -> Ticket? {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let body = Self.data(parts[0]), let code = Self.data(parts[1]),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key)
        else { return nil }
        // What was sealed here and does not read is of another release: its owner signs in again.
        return try? WireCoding.decode(Ticket.self, from: body)
    }

    private static func data(_ text: Substring) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
