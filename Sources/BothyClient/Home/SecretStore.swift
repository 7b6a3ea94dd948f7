import BothyContract
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
                .signInNeeded, "The file with this device's session, “\(sessionPath)”, cannot be read as one.")
        }
    }

    package func save(_ session: StoredSession) throws {
        try disk.replace(sessionPath, with: WireCoding.encode(session))
    }

    package func forgetSession() throws {
        try disk.remove(sessionPath)
        try disk.syncFolder(folder)
    }
}
