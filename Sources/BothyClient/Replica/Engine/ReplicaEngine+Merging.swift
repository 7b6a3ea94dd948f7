import BothyContent
import BothyContract
import Foundation

/// Merging what was made here with what is there, from the version that both had.
extension ReplicaEngine {
    /// - Returns: the merged content, to be sent; nil where the two cannot be merged: no texts, too large, the same lines,
    ///   or the version that both had is not there any more.
    public func merged(_ operation: JournalOperation) async throws -> PendingContent? {
        let most = TextMerge.mostBytes
        guard case .newRevision(let mine, let base?) = operation.action,
            let there = try await store().cached(operation.subject), let head = there.headRevisionId,
            max(mine.size, there.size) <= most
        else { return nil }
        let old: [UInt8]
        do {
            old = try await bytes(ofRevision: base, of: there)
        } catch let failure as ClientFailure where failure.code == .notFound {
            return nil
        }
        let theirs = try await bytes(ofRevision: head, of: there)
        let here = [UInt8](try environment.disk.contents(of: mine.path, atMost: Int(most)))
        guard SHA256Hasher.hash(here) == mine.checksum else {
            throw ClientFailure(.sourceDamaged, "The waiting copy of “\(there.name)” is damaged.")
        }
        guard case .merged(let merged) = TextMerge.merge(base: old, mine: here, theirs: theirs) else { return nil }
        let path = content.pendingPath(JournalRecorder.newRequestId())
        try environment.disk.replace(path, with: Data(merged))
        return PendingContent(
            path: path, size: Int64(merged.count), checksum: SHA256Hasher.hash(merged),
            modifiedAt: environment.clock.now(), executable: mine.executable, mimeType: mine.mimeType, owned: true)
    }

    private func bytes(ofRevision revision: String, of file: ReplicaFile) async throws -> [UInt8] {
        let path = try await holdWhole(revision, of: file)
        return [UInt8](try environment.disk.contents(of: path, atMost: Int(TextMerge.mostBytes)))
    }

    /// Content of a version, fetched where it is not at hand here.
    ///
    /// - Returns: where it lies.
    package func hold(_ revision: String, of file: ReplicaFile) async throws -> String {
        let path = content.heldPath(revision)
        usedContent.insert(revision)
        if try environment.disk.facts(of: path) != nil { return path }
        guard let id = file.serverId else { throw Self.unknown }
        _ = try await drive.download(
            DriveDownload(fileId: id, revisionId: revision, name: file.name, destination: path, replacing: true))
        return path
    }
}
