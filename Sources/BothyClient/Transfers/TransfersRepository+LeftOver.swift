import BothyContract

/// Uploads that the journal does not wait for any more.
extension TransfersRepository {
    /// Uploads from a folder that have not ended, and that no process of this device moves.
    package func openUploads(from folder: String) async throws -> [String] {
        try await store.all(over: false).compactMap { record in
            guard case .upload(let transfer) = record, transfer.localPath.hasPrefix(folder + "/"),
                running[record.id] == nil, ended[record.id] == nil
            else { return nil }
            // The process that stopped it may live on, as the agent does.
            let isMoved = !transfer.state.rests && transfer.runner != identity.id && identity.isAlive(transfer.runner)
            return isMoved ? nil : record.id
        }
    }
}
