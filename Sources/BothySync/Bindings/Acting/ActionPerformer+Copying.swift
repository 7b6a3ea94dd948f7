import BothyClient
import BothyContract

/// What is to be brought here and lies here already, under another name: a copy, one of two files that were swapped, a log that was rotated.
extension ActionPerformer {
    /// Bytes. To ask for a smaller file in the trash costs as much as to fetch it among others.
    private static let leastInTrash: Int64 = 16 << 10
    /// Files of one content in the trash that are tried.
    private static let mostInTrash = 2

    /// A file here that has some content.
    struct Twin: Sendable {
        var place: Place
        /// What it was when that was agreed on.
        var stamp: LocalStamp
        /// What of the server's it is; nil where that is not known.
        var source: DriveCopy.Source?
    }

    /// Copies a revision into the staging folder from where it lies here, and holds the copy against its hash. Whatever goes wrong only means that
    /// it is fetched.
    ///
    /// - Parameters:
    ///   - isChange: whether it takes the place of another version.
    ///   - twins: files here with the same content, as far as is known.
    /// - Returns: whether it is there, whole.
    func copy(
        _ theirs: RemoteFingerprint, as staged: String, isChange: Bool, from twins: [Twin]
    ) async throws -> Bool {
        guard let content = theirs.checksum, theirs.size > 0 else { return false }
        for twin in twins
        where try await copy(twin.place, { $0.stamp.isSameContent(as: twin.stamp) }, theirs, as: staged) {
            await remember(theirs, staged, isChange, from: twin.source)
            return true
        }
        // What another action of this plan, or of an earlier one, has replaced or taken away.
        guard theirs.size >= Self.leastInTrash else { return false }
        for keep in try await store.trashed(content, of: binding.id, most: Self.mostInTrash) {
            if try await copy(disk.trashed(keep), { $0.stamp.size == theirs.size }, theirs, as: staged) {
                await remember(theirs, staged, isChange, from: nil)
                return true
            }
        }
        return false
    }

    /// Where that cannot be written, more is sent when it changes.
    private func remember(
        _ theirs: RemoteFingerprint, _ staged: String, _ isChange: Bool, from source: DriveCopy.Source?
    ) async {
        guard let revision = theirs.revisionId else { return }
        // Where that cannot be written, more is sent when it changes.
        try? await drive.remember(
            DriveCopy(
                fileId: theirs.id, revisionId: revision, size: theirs.size, path: disk.staging(staged),
                isChange: isChange, source: source))
    }

    private func copy(
        _ place: Place, _ isIt: @escaping @Sendable (DiskFacts) -> Bool, _ theirs: RemoteFingerprint, as staged: String
    ) async throws -> Bool {
        do {
            return try await onDisk { disk in
                guard let facts = try disk.facts(place), facts.kind == .file, isIt(facts),
                    try disk.freeBytes() >= theirs.size
                else { return false }
                if try disk.stageCopy(of: place, expecting: facts, as: staged) == theirs.checksum { return true }
                try disk.unstage(staged)
                return false
            }
        } catch is ClientFailure {
            try Task.checkCancellation()
            try await onDisk { try $0.unstage(staged) }
            return false
        }
    }
}
