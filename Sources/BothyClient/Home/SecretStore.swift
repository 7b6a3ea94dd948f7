import BothyContract
import Crypto
import Foundation

/// Who is signed in on this device, with what proves it.
package struct StoredSession: Codable, Sendable, Equatable {
    package var server: ServerAddress
    package var user: User
    package var device: Device
    package var accessToken: String
    package var refreshToken: String
    package var obtainedAt: Timestamp
    /// Seconds from `obtainedAt`.
    package var expiresIn: Int64

    package init(
        server: ServerAddress, user: User, device: Device, accessToken: String, refreshToken: String,
        obtainedAt: Timestamp, expiresIn: Int64
    ) {
        self.server = server
        self.user = user
        self.device = device
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.obtainedAt = obtainedAt
        self.expiresIn = expiresIn
    }

    package var account: SignedInAccount { SignedInAccount(server: server, user: user, device: device) }
}

/// The one place that reads and writes this device's secrets: files that only their owner can read.
package final class SecretStore: Sendable {
    private let folder: String
    private let disk: any LocalDisk

    package init(folder: String, disk: any LocalDisk) {
        self.folder = folder
        self.disk = disk
    }

    /// Held while a token is refreshed, so that two processes do not use up one refresh token.
    package var refreshLockPath: String { "\(folder)/refresh.lock" }
    private var sessionPath: String { "\(folder)/session.json" }

    /// - Returns: nil when nobody is signed in.
    package func session() throws -> StoredSession? {
        guard try disk.facts(of: sessionPath) != nil else { return nil }
        let data = try disk.contents(of: sessionPath, atMost: 1 << 20)
        do {
            return try WireCoding.decode(StoredSession.self, from: data)
        } catch {
            throw ClientFailure(
                .signInNeeded, "The file with this device's session, “\(sessionPath)”, cannot be read.")
        }
    }

    /// The same, where somebody signs in anew: what cannot be read as a session is none, and gives way to the next.
    func readableSession() throws -> StoredSession? {
        do {
            return try session()
        } catch let failure as ClientFailure where failure.code == .signInNeeded {
            return nil
        }
    }

    package func save(_ session: StoredSession) throws {
        try disk.replace(sessionPath, with: WireCoding.encode(session))
    }

    private var ticketsPath: String { "\(folder)/browsers.json" }
    private var formKeyPath: String { "\(folder)/form.key" }

    /// What is kept of the browsers that come in to this device; nil where none ever did.
    func tickets() throws -> Data? {
        guard try disk.facts(of: ticketsPath) != nil else { return nil }
        return try disk.contents(of: ticketsPath, atMost: 1 << 20)
    }

    func saveTickets(_ tickets: Data) throws { try disk.replace(ticketsPath, with: tickets) }

    /// 32 random bytes of this home's own, made when they are first asked for.
    func formKey() throws -> [UInt8] {
        if try disk.facts(of: formKeyPath) != nil {
            let key = try disk.contents(of: formKeyPath, atMost: 64)
            if key.count == 32 { return Array(key) }
        }
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        try disk.replace(formKeyPath, with: key)
        return Array(key)
    }

    package func forgetSession() throws {
        try disk.remove(sessionPath)
        // Browsers came in to what is this account's.
        try disk.remove(ticketsPath)
        try disk.syncFolder(folder)
    }
}
