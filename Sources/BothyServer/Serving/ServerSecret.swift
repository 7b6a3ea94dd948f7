import Foundation

/// Secrets that the server makes for itself once, and keeps in its database.
package enum ServerSecret {
    /// Bytes.
    package static let length = 32

    /// The secret of a name; the first one to ask makes it.
    package static func load(
        _ name: String, from database: any Database, random: SecretBytes = .system
    ) async throws -> [UInt8] {
        let fresh = Data(random(length)).base64EncodedString()
        let stored = try await database.write(from: .reserve) { try ServerStateTable($0).keepFirst(name, fresh) }
        guard let bytes = Data(base64Encoded: stored), bytes.count == length else {
            throw DatabaseError.corrupt("server_state: \(name) is no secret")
        }
        return Array(bytes)
    }
}
