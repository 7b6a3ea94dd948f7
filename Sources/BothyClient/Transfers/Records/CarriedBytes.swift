import GRDB

/// What the transfers that completed in the last 30 days were, and what of it had to cross the network.
public struct CarriedBytes: Codable, Equatable, Sendable {
    /// Bytes of the files that went up.
    public var uploaded: Int64
    /// Those of them that were sent; the server had the others.
    public var sent: Int64
    /// Bytes of the files that came down.
    public var downloaded: Int64
    /// Those of them that were fetched; this device had the others.
    public var fetched: Int64
}

extension TransferStore {
    package func carried() async throws -> CarriedBytes {
        try await look { db in
            let up = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce(sum(file_size), 0), coalesce(sum(min(sent_bytes, file_size)), 0)
                    FROM upload_transfers WHERE state = 'completed'
                    """)
            let down = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce(sum(expected_size), 0), coalesce(sum(min(fetched_bytes, expected_size)), 0)
                    FROM download_transfers WHERE state = 'completed'
                    """)
            return CarriedBytes(
                uploaded: up?[0] ?? 0, sent: up?[1] ?? 0, downloaded: down?[0] ?? 0, fetched: down?[1] ?? 0)
        }
    }
}

extension TransfersRepository {
    /// What did not have to be sent or fetched, as far as records go back.
    public func carried() async throws -> CarriedBytes { try await store.carried() }
}
