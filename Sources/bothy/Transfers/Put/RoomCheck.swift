import BothyClient
import BothyContract

/// Refuses a large new file for which the account has no room, before a byte of it is sent.
struct RoomCheck: Sendable {
    let home: DeviceHome

    /// Bytes from which on a question costs nothing beside sending them.
    private static let smallest: Int64 = 16 << 20

    /// - Returns: why it cannot be sent; nil where it may, and where only the server can tell.
    func refusal(of order: UploadOrder, size: Int64) async throws -> ClientFailure? {
        // A new version shares most of its content with the one before, and of one that was begun a part counts already.
        guard size >= Self.smallest, order.fileId == nil, !home.files.isOffline,
            try await !home.transfers.hasBegun(order), let quota = try await quota(), let limit = quota.limit
        else { return nil }
        let free = max(0, limit - quota.used)
        // Equal content counts once.
        guard size > free, try await !home.replica.knowsFile(ofSize: size) else { return nil }
        return ClientFailure(
            .quotaExceeded,
            """
            There is not enough space: it needs \(ByteText.text(size)), and \(ByteText.text(free)) are left of this account's \
            quota of \(ByteText.text(limit)).
            """)
    }

    /// - Returns: nil where the server does not say; it decides as the bytes come then.
    private func quota() async throws -> DriveQuota? {
        do {
            return try await home.drive.quota()
        } catch let failure as ClientFailure where failure.code != .signInNeeded {
            return nil
        }
    }
}
