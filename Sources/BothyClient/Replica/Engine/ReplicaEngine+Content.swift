import BothyContract
import Foundation
import GRDB

/// Content that is on this device: what waits to be sent, and what is kept for a time without a connection.
extension ReplicaEngine {
    /// A copy of a local file for an operation that is sent later, with its hash.
    ///
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile`, `sourceChanged`, `diskFull`.
    package func keep(_ localPath: String, mimeType: String? = nil) async throws -> PendingContent {
        let (copy, content) = (LocalCopy(disk: environment.disk), content)
        return try await DiskQueue("keep").run {
            try CopyMarks(folder: content.copyingFolder).with(JournalRecorder.newRequestId) { name in
                try copy.make(of: localPath, at: content.pendingPath(name), mimeType: mimeType)
            }
        }
    }

    /// Removes copies that were cut off when their process was killed. Nothing speaks of these; after a power cut, the mark of one that is whole
    /// may be there again.
    package func sweepCopies() async throws {
        let marks = CopyMarks(folder: content.copyingFolder)
        guard !marks.names().isEmpty else { return }
        let spokenOf = Set(try await store().operations().compactMap { $0.content?.path })
        try marks.sweep { name in
            let path = content.pendingPath(name)
            if !spokenOf.contains(path) { try environment.disk.remove(path) }
        }
    }

    /// Puts a local file, to be sent when there is a connection; the device keeps a copy of its own until then.
    ///
    /// - Parameters:
    ///   - fileId: the file that gets a new version; nil for a new file.
    ///   - conflict: what happens when somebody else has taken the name by then.
    ///   - checksum: what the file must hold; nil for whatever it does.
    /// - Throws: `integrityMismatch` where it holds something else; what `keep` throws.
    @discardableResult
    public func put(
        _ localPath: String, as name: String, in parentId: String, over fileId: String? = nil,
        conflict: ConflictPolicy = .fork, mimeType: String? = nil, checksum: ContentHash? = nil
    ) async throws -> JournalOperation? {
        let kept = try await keep(localPath, mimeType: mimeType)
        do {
            guard checksum == nil || kept.checksum == checksum else {
                throw ClientFailure(.integrityMismatch, "The content of “\(localPath)” does not match its checksum.")
            }
            if let fileId {
                let subject = try await luid(of: fileId)
                let base = try await file(subject)?.headRevisionId
                return try await record(.newRevision(content: kept, base: base), on: subject)
            }
            return try await record(
                .upload(parent: try await luid(of: parentId), name: name, content: kept, conflict: conflict))
        } catch {
            // What went wrong first is told; the copy is nobody's.
            try? environment.disk.remove(kept.path)
            throw error
        }
    }

    /// Where a file's newest content lies on this device.
    ///
    /// - Returns: nil where it does not.
    public func localContent(of luid: LUID) async throws -> String? {
        guard let file = try await file(luid), !file.isFolder else { return nil }
        return try heldCopy(of: file)?.path
    }

    /// A file's newest content on this device, with what it is known to be.
    ///
    /// - Returns: nil where it is not here.
    package func heldCopy(of file: ReplicaFile) throws -> HeldCopy? {
        if let pending = file.pendingContent { return HeldCopy(waiting: pending) }
        guard let revision = file.headRevisionId, try isAtHand(file) else { return nil }
        return held(revision, size: file.size, file.checksum)
    }

    /// The same of a file as the server has just told of it.
    package func heldCopy(of file: File) throws -> HeldCopy? {
        guard let revision = file.headRevisionId,
            try environment.disk.facts(of: content.heldPath(revision))?.size == file.size
        else { return nil }
        return held(revision, size: file.size, file.checksum)
    }

    private func held(_ revision: String, size: Int64, _ checksum: ContentHash?) -> HeldCopy {
        usedContent.insert(revision)
        return HeldCopy(
            kind: .held(revision: revision), path: content.heldPath(revision), size: size, checksum: checksum)
    }

    /// Whether a file's newest content is on this device. Asking is no use of it.
    func isAtHand(_ file: ReplicaFile) throws -> Bool {
        if file.pendingContent != nil { return true }
        guard let revision = file.headRevisionId else { return false }
        return try environment.disk.facts(of: content.heldPath(revision))?.size == file.size
    }

    /// Where a revision's content lies on this device, as far as a look tells. The reader compares its hash.
    package nonisolated func heldPath(ofRevision revision: String) throws -> String? {
        let path = content.heldPath(revision)
        return try environment.disk.facts(of: path) == nil ? nil : path
    }

    /// Copies a file's content from where it lies on this device; it appears whole, or not at all.
    ///
    /// - Parameter replacing: whether what stands in that place may go.
    /// - Throws: `integrityMismatch` or `offline` where it is damaged, and it goes; `destinationExists`, `diskFull`,
    ///   `permissionDenied`.
    package func copyContent(of file: File, at held: HeldCopy, to place: String, replacing: Bool) async throws {
        let copy = LocalCopy(disk: environment.disk)
        // Hidden, in the place's folder, and short enough for any name: what is copied there next takes the place of what a kill leaves.
        let beside = DownloadTransfer.folder(of: place) + "/.\(held.checksum?.hex ?? file.id).bothy-copy"
        let made = try await DiskQueue("copy").run { try copy.make(of: held.path, at: beside, mimeType: nil) }
        guard made.checksum == held.checksum || held.checksum == nil else {
            try environment.disk.remove(beside)
            try letGo(ofDamaged: held)
            throw held.damage(of: file.name, isOffline: true)
        }
        try environment.disk.setMode(beside, executable: file.executable)
        try environment.disk.setModified(beside, to: file.modifiedAt)
        do {
            try environment.disk.rename(beside, to: place, replacing: replacing)
        } catch {
            // What went wrong first is told; the copy is nobody's.
            try? environment.disk.remove(beside)
            throw error
        }
    }

    /// Everything of the account goes from this device: what is known, what waits, what is held.
    ///
    /// - Throws: `pendingWork` where something waits to be sent and is not to be given up; then nothing goes.
    package func removeAll(givingUp: Bool) async throws {
        await stop()
        try await store().removeAll(givingUp: givingUp)
        for folder in [
            content.spoolFolder, content.pendingFolder, content.copyingFolder, content.arrivingFolder,
            content.heldFolder, content.trashFolder,
        ] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try environment.disk.remove("\(folder)/\(name)")
            }
        }
    }

    // MARK: - Pins

    /// Keeps a file, or a folder with all that is in it, on this device from now on.
    public func pin(_ luid: LUID) async throws {
        let now = environment.clock.now()
        try await store().transact { db in try PinTable.insert(luid, now: now, in: db) }
    }

    /// - Returns: false when it was not pinned itself.
    @discardableResult
    public func unpin(_ luid: LUID) async throws -> Bool {
        try await store().transact { db in try PinTable.remove(luid, in: db) }
    }

    /// What was pinned itself, not by a folder above it.
    public func pins() async throws -> [LUID] {
        try await store().ground { ground in try PinTable.all(in: ground.db) }
    }

    /// The files that are pinned, themselves or by a folder.
    public func pinnedFiles() async throws -> [ReplicaFile] {
        for pin in try await pins() { try await completeBelow(pin) }
        return try await pinnedHere()
    }

    /// The same, as far as they are known here: this asks nobody.
    func pinnedHere() async throws -> [ReplicaFile] {
        let pins = try await pins()
        return try await store().view { view in
            var files = [LUID: ReplicaFile]()
            var waiting = pins
            while let luid = waiting.popLast() {
                guard let file = try view.file(luid), file.trashedAt == nil else { continue }
                if file.isFolder {
                    waiting += try view.childrenKnown(of: luid).map(\.luid)
                } else {
                    files[luid] = file
                }
            }
            return files.values.sorted { $0.luid < $1.luid }
        }
    }

    /// Fetches what is pinned and not here yet. What is not pinned any more goes when there is too much of it.
    ///
    /// One that cannot be fetched keeps no other from it, where the reason is its own.
    ///
    /// - Returns: how many files were fetched.
    /// - Throws: why the first that could not be fetched was not.
    @discardableResult
    public func fetchPinned() async throws -> Int {
        var fetched = 0
        var failure: ClientFailure?
        for file in try await pinnedFiles() {
            guard let revision = file.headRevisionId, let id = file.serverId else { continue }
            if try await localContent(of: file.luid) != nil { continue }
            do {
                _ = try await drive.download(
                    DriveDownload(
                        fileId: id, revisionId: revision, name: file.name, destination: content.heldPath(revision),
                        replacing: true))
                fetched += 1
            } catch let refusal as ClientFailure where !Self.isOfAll(refusal) {
                failure = failure ?? refusal.of(file.name)
            }
        }
        if let failure { throw failure }
        return fetched
    }

    /// No other file would fare better.
    private static func isOfAll(_ failure: ClientFailure) -> Bool {
        switch failure.code {
        case .signInNeeded, .diskFull, .homeUnusable, .homeNewer, .canceled: true
        default: failure.isNetworks
        }
    }
}
