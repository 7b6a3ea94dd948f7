import BothyClient
import BothyContract

/// Taking a pass back: each of its actions is reversed on the side where it acted, the last first. What that changes is
/// a change like any other, which the next pass carries to the other side.
extension BindingEngine {
    /// - Returns: what was reversed, and what could not be because it has changed since.
    package func undo(_ pass: SyncPass, tell: @Sendable (Decision) -> Void = { _ in }) async throws -> PassReport {
        let state = try await cache.pull()
        let lived = try await store.livedSeconds(uptime: environment.clock.uptime())
        let reversal = Reversal(performer: performer, cache: cache, cursor: state.cursor, lived: lived)
        let journal = try await store.beginPass(
            of: binding.id, at: environment.clock.now(), lived: lived, isConfirmed: true, undoing: pass.id)
        var report = PassReport()
        report.passId = journal.id
        for old in try await store.decisions(of: pass.id).reversed()
        where old.trace.failure == nil && !old.action.step.isBookkeeping {
            try Task.checkCancellation()
            var decision = Decision(
                passId: journal.id, at: environment.clock.now(), action: old.action,
                trace: Decision.Trace(before: old.trace.before, remoteId: old.trace.remoteId))
            do {
                decision.trace.keep = try await reversal.reverse(old)
                report.taken.append(decision)
            } catch let failure as ClientFailure where failure.isOfOneItem {
                decision.trace.failure = failure
                report.failed.append(decision)
            }
            try await store.note(decision, of: binding.id)
            tell(decision)
        }
        try await store.endPass(journal, at: environment.clock.now())
        return report
    }
}

/// Reverses single actions.
struct Reversal: Sendable {
    let performer: ActionPerformer
    let cache: any RemoteCache
    let cursor: String
    let lived: Int64

    /// - Returns: where in the local trash it put what it took away.
    func reverse(_ decision: Decision) async throws -> String? {
        let trace = decision.trace
        switch decision.action.step {
        case .record, .forget, .rebind, .markUnsynced: return nil
        case .makeRemoteFolder, .upload(_, _, nil, _):
            try await trashWhatWasSent(trace)
        case .upload(_, _, let over?, _): try await sendOld(over)
        case .moveRemote: try await moveBack(trace)
        case .trashRemote(let theirs, _, _): try await untrash(theirs.id)
        case .touchRemote(let theirs, _, _, _):
            guard let before = trace.before else { return nil }
            try await update(
                theirs.id,
                UpdateFileRequest(executable: before.remoteExecutable, modifiedAt: before.remoteModifiedAt))
        case .makeLocalFolder(let spot, _): try await performer.onDisk { try $0.removeFolder(spot.place) }
        case .download(let spot, let theirs, _):
            return try await takeAway(spot.place, sent: theirs.checksum, bringingBack: trace.keep)
        case .merge(let place, _, _, _): return try await takeAway(place, sent: nil, bringingBack: trace.keep)
        case .moveLocal(_, _, let from, let spot, _): try await moveBack(spot.place, to: from)
        case .setAside(_, _, let from, let to): try await moveBack(to, to: from)
        case .trashLocal(_, let id, let place, _):
            try await bringBack(trace.keep, to: place)
            // Its history comes back with it where the server still has it.
            if try await cache.file(id)?.trashedAt != nil { try? await untrash(id) }
        case .touchLocal(let mine, _, let place, _, _):
            try await performer.onDisk { disk in
                guard let there = try disk.facts(place) else { throw SubtreeCheck.changed(place) }
                _ = try disk.touch(
                    place, modifiedAt: mine.stamp.modifiedAt, executable: trace.before?.localExecutable ?? false,
                    expecting: there)
            }
        }
        return nil
    }

    // MARK: - On the server

    private func current(_ id: String) async throws -> File {
        guard let file = try await cache.file(id) else {
            throw ClientFailure(.notFound, "The server has deleted it for good.")
        }
        return file
    }

    private func update(_ id: String, _ change: UpdateFileRequest) async throws {
        let seen = SeenVersion(version: try await current(id).version, cursor: cursor)
        _ = try await performer.drive.update(id, change, seen: seen, requestId: performer.environment.newId())
    }

    private func untrash(_ id: String) async throws { try await update(id, UpdateFileRequest(trashed: false)) }

    /// What this device sent stays here, and is marked as not synced: taking a pass back is no deletion of it.
    private func trashWhatWasSent(_ trace: Decision.Trace) async throws {
        guard let id = trace.remoteId else { return }
        let file = try await current(id)
        let seen: SeenContent =
            file.isFolder ? .subtree(cursor: cursor) : file.headRevisionId.map(SeenContent.head) ?? .anything
        _ = try await performer.drive.trash(id, seen: seen, requestId: performer.environment.newId())
        try await performer.store.markUnsynced(id, of: performer.binding)
    }

    /// The content from before, as a new revision: nothing is rewritten.
    private func sendOld(_ over: RemoteFingerprint) async throws {
        let file = try await current(over.id)
        let name = try await performer.stage(over, named: file.name)
        let upload = DriveUpload(
            requestId: performer.environment.newId(), localPath: performer.disk.staging(name), name: file.name,
            parentId: file.parentId ?? File.rootId, fileId: file.id, baseRevisionId: file.headRevisionId)
        _ = try await performer.drive.upload(upload)
        try await performer.onDisk { try $0.unstage(name) }
    }

    private func moveBack(_ trace: Decision.Trace) async throws {
        guard let before = trace.before, let parent = trace.parentId else { return }
        try await update(before.remoteId, UpdateFileRequest(name: before.remoteName.text, parentId: parent))
    }

    // MARK: - On the disk

    private func moveBack(_ place: Place, to old: Place) async throws {
        try await performer.onDisk { disk in
            guard let there = try disk.facts(place) else { throw SubtreeCheck.changed(place) }
            _ = try disk.move(place, to: old, expecting: there)
        }
    }

    private func bringBack(_ keep: String?, to place: Place) async throws {
        guard let keep else { return }
        _ = try await performer.onDisk { try $0.takeBack(keep, to: place) }
        try await performer.store.removeFromTrash(keep)
    }

    /// - Parameter sent: what must be there still; edits made since are nobody's to take back.
    private func takeAway(_ place: Place, sent: ContentHash?, bringingBack old: String?) async throws -> String? {
        let there = try await performer.onDisk { disk in
            guard let there = try disk.facts(place), there.kind == .file else { throw SubtreeCheck.changed(place) }
            if let sent, try disk.hash(place, expecting: there) != sent { throw SubtreeCheck.changed(place) }
            return there
        }
        let keep = performer.environment.newId()
        let facts = LocalFacts(there, hash: nil)
        try await performer.noteInTrash(keep, place, LocalFingerprint(facts), .deletedHere, lived)
        try await performer.onDisk { try $0.discard(place, expecting: there, keep: keep) }
        try await bringBack(old, to: place)
        return keep
    }
}
