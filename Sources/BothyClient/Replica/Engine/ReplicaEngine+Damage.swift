import BothyContract

/// What is held here and is not what it should be: it goes, and comes again from the server.
extension ReplicaEngine {
    /// What the server has, too, goes. What waits to be sent stays, damaged or not: it may be nowhere else.
    package func letGo(ofDamaged copy: HeldCopy) throws {
        guard case .held = copy.kind else { return }
        try environment.disk.remove(copy.path)
    }

    /// What is held of a file's newest version, which the server has just told of, and is right: where it is damaged, it is fetched again first.
    ///
    /// - Returns: nil where nothing is held.
    /// - Throws: as ``fetchAgain(_:of:)``.
    package func wholeCopy(of file: File, checking held: CheckedHeldContent) async throws -> HeldCopy? {
        guard let copy = try heldCopy(of: file) else { return nil }
        do {
            try await held.check(copy)
        } catch is CheckedHeldContent.Damage {
            try await fetchAgain(copy, of: file)
        }
        return copy
    }

    /// Lets go of it, and fetches it again.
    ///
    /// - Throws: `offline` in words that tell of the damage.
    package func fetchAgain(_ copy: HeldCopy, of file: File) async throws {
        guard case .held(let revision) = copy.kind else { throw copy.damage(of: file.name, isOffline: false) }
        try letGo(ofDamaged: copy)
        do {
            _ = try await drive.download(
                DriveDownload(
                    fileId: file.id, revisionId: revision, name: file.name, destination: copy.path, replacing: true))
        } catch let failure as ClientFailure where failure.isNetworks {
            throw copy.damage(of: file.name, isOffline: true)
        }
    }

    /// Content of a version, as `hold` has it; the newest is held against its hash, and fetched again where it is damaged.
    ///
    /// - Returns: where it lies.
    package func holdWhole(_ revision: String, of file: ReplicaFile) async throws -> String {
        let (path, disk) = (try await hold(revision, of: file), environment.disk)
        guard revision == file.headRevisionId, let checksum = file.checksum else { return path }
        let found = try await DiskQueue("held").run { try LocalReading.hash(of: path, disk: disk) }
        guard found != checksum else { return path }
        try disk.remove(path)
        return try await hold(revision, of: file)
    }
}
