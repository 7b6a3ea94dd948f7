import BothyClient
import BothyContent
import BothyContract

/// The staging folder: what arrives there is put in its place once it is whole.
extension ActionPerformer {
    /// A revision that is wanted there.
    struct Wish: Sendable {
        var theirs: RemoteFingerprint
        /// To be shown.
        var name: String
        /// Where what it replaces lies: what both share is not fetched.
        var over: Place?
        /// Where the whole of it may lie here under another name; then nothing is fetched. nil to fetch it anyway.
        var twins: [Twin]?
        /// Of the revision, where they are known.
        var facts: RemoteFacts?
    }

    /// Brings a revision into the staging folder, whole and checked. It is made durable where it is installed.
    ///
    /// - Returns: its name there.
    func stage(_ wish: Wish) async throws -> String { try await stage([wish])[0].get() }

    /// - Returns: what came of each, in their order.
    func stage(_ wishes: [Wish]) async -> [Result<String, any Error>] {
        var here = [Result<Bool, any Error>]()
        for wish in wishes { here.append(await Result(awaiting: { try await isThere(wish) })) }
        let missing = zip(wishes, here).compactMap { wish, isHere in
            if case .success(false) = isHere { wish } else { nil }
        }
        var fetched = await fetch(missing)
        fetched.reverse()
        return zip(wishes, here).map { wish, isHere in
            isHere.flatMap { $0 ? .success(StagedName(wish.theirs).text) : fetched.removeLast() }
        }
    }

    /// What is there already, or need not be fetched.
    private func isThere(_ wish: Wish) async throws -> Bool {
        let staged = StagedName(wish.theirs).text
        if self.staged.contains(staged) { return true }
        guard wish.theirs.revisionId != nil else {
            try await onDisk { try $0.stage([], as: staged) }
            return true
        }
        guard let twins = wish.twins else { return false }
        return try await copy(wish.theirs, as: staged, isChange: wish.over != nil, from: twins)
    }

    private func fetch(_ wishes: [Wish]) async -> [Result<String, any Error>] {
        guard !wishes.isEmpty else { return [] }
        let contents = await drive.download(wishes.map(download))
        var staged = [Result<String, any Error>]()
        for (wish, content) in zip(wishes, contents) {
            staged.append(await Result(awaiting: { try await check(wish, try content.get()) }))
        }
        return staged
    }

    private func check(_ wish: Wish, _ content: DownloadedContent) async throws -> String {
        let staged = StagedName(wish.theirs).text
        guard wish.theirs.checksum == nil || content.checksum == wish.theirs.checksum else {
            try await onDisk { try $0.unstage(staged) }
            throw ClientFailure(
                .integrityMismatch, "The downloaded content of “\(wish.name)” does not match the server's.")
        }
        return staged
    }

    private func download(_ wish: Wish) -> DriveDownload {
        let (theirs, revision) = (wish.theirs, wish.theirs.revisionId ?? "")
        var download = DriveDownload(
            fileId: theirs.id, revisionId: revision, name: wish.name,
            destination: disk.staging(StagedName(theirs).text),
            replacing: true, size: theirs.size, isDurable: false, basis: wish.over.map { disk.absolute($0) })
        download.known = wish.facts.map { facts in
            RemoteContent(
                revisionId: revision, size: theirs.size, checksum: theirs.checksum, downloadUrl: nil,
                modifiedAt: facts.modifiedAt, executable: facts.executable)
        }
        return download
    }

    /// Whether a revision still waits in the staging folder; under its name there may be what it has replaced by now.
    func isStaged(_ theirs: RemoteFingerprint, _ hash: ContentHash) async throws -> Bool {
        try await onDisk { disk in
            let place = disk.stagedPlace(StagedName(theirs).text)
            guard let facts = try disk.facts(place) else { return false }
            return try disk.hash(place, expecting: facts) == hash
        }
    }
}
