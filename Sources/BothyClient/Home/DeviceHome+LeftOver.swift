extension DeviceHome {
    /// Ends uploads that still stand as stopped, though nothing in the journal waits for them.
    ///
    /// The process that sent the file was stopped before the answer came, and the change log told of the file first. What was given up here
    /// is canceled.
    public func endLeftOverUploads() async throws {
        let open = try await transfers.openUploads(from: replica.content.pendingFolder)
        guard !open.isEmpty else { return }
        let (waiting, givenUp) = try await replica.uploadsSpokenOf()
        for id in open where !waiting.contains(id) {
            if givenUp.contains(id) {
                try await transfers.giveUp(id)
            } else {
                try await transfers.conclude(id, as: nil)
            }
        }
    }
}
