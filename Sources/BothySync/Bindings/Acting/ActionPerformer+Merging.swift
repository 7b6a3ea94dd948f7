import BothyClient
import BothyContent
import BothyContract

/// Merging two versions of a text from the one that both had.
extension ActionPerformer {
    func merge(
        _ place: Place, base: String?, _ mine: LocalFingerprint, _ theirs: RemoteFingerprint, _ reason: Reason,
        in scene: Scene, _ performed: inout Performed
    ) async throws {
        let facts = try remote(theirs, in: scene)
        let local = try await look(place, mine, in: scene)
        if try await onDisk({ try SubtreeCheck.isInUse(place, on: $0) }) { throw ClientFailure.inUse(place) }
        performed.outcome.remote = facts
        performed.outcome.local = local
        let agreed = scene.synced.facts(theirs.id)?.checksum
        guard let merged = try await merged(place, base: base, of: agreed, mine, theirs) else {
            performed.outcome.couldNotMerge = true
            performed.trace.couldNotMerge = true
            return
        }
        let name = StagedName(theirs).ofMerge
        let keep = environment.newId()
        try await noteInTrash(keep, place, mine, reason, scene.lived)
        performed.trace.keep = keep
        let staged = StagedFile(name: name, modifiedAt: environment.clock.now(), executable: local.executable)
        let there = try await onDisk(takingAwayAs: keep) { disk in
            try disk.stage(merged, as: name)
            do throws(ClientFailure) {
                return try disk.install(staged, at: place, replacing: scene.expected(mine), keep: keep)
            } catch {
                // It is nobody's: the next pass merges anew.
                if error.code == .fileInUse { try disk.unstage(name) }
                throw error
            }
        }
        performed.outcome.local = scene.known(there, holding: SHA256Hasher.hash(merged))
    }

    /// - Parameter agreed: the base's content, as it was agreed on.
    /// - Returns: nil for what cannot be merged.
    private func merged(
        _ place: Place, base: String?, of agreed: ContentHash?, _ mine: LocalFingerprint, _ theirs: RemoteFingerprint
    ) async throws -> [UInt8]? {
        let most = TextMerge.mostBytes
        guard let base, theirs.size <= most, mine.stamp.size <= most else { return nil }
        guard let oldBytes = try await content(ofBase: base, theirs, place), SHA256Hasher.hash(oldBytes) == agreed
        else {
            return nil
        }
        let theirBytes = try await content(theirs, place)
        let myBytes = try await onDisk { try $0.contents(place, atMost: Int(most)) }
        guard SHA256Hasher.hash(myBytes) == mine.hash else { throw SubtreeCheck.changed(place) }
        switch TextMerge.merge(base: oldBytes, mine: myBytes, theirs: theirBytes) {
        case .merged(let bytes): return bytes
        case .overlap, .notForMerging: return nil
        }
    }

    /// - Returns: nil where the server no longer has it: old versions go in time, and a server that was put back to a backup may
    ///   never have had it.
    private func content(
        ofBase base: String, _ theirs: RemoteFingerprint, _ place: Place
    ) async throws -> [UInt8]? {
        var old = theirs
        old.revisionId = base
        old.checksum = nil
        do {
            return try await content(old, place)
        } catch let failure as ClientFailure where failure.code == .notFound {
            return nil
        }
    }

    private func content(_ revision: RemoteFingerprint, _ place: Place) async throws -> [UInt8] {
        let name = try await stage(Wish(theirs: revision, name: place.name.text))
        return try await onDisk { disk in
            let bytes = try disk.contents(disk.stagedPlace(name), atMost: Int(TextMerge.mostBytes))
            try disk.unstage(name)
            return bytes
        }
    }
}
