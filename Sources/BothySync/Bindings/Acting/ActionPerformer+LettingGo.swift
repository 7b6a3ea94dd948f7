import BothyContract

/// What an earlier plan had begun to fetch.
extension ActionPerformer {
    /// An interrupted download can resume for as long as a plan wants it. Where there is another version by
    /// now, or none, nobody would ever come back for what has arrived of it.
    ///
    /// - Parameter wanted: names in the staging folder.
    func letGoOfDownloads(but wanted: Set<String>) async throws {
        try await drive.letGo(ofDownloadsTo: disk.staging(""), but: Set(wanted.map { disk.staging($0) }))
    }

    /// Under which names a step stages what it fetches, and what that holds, where it is known.
    static func fetched(for step: Step) -> [(name: String, content: ContentHash?)] {
        switch step {
        case .download(_, let theirs, _): return [(StagedName(theirs).text, theirs.checksum)]
        case .merge(_, let base, _, let theirs):
            return [(StagedName(theirs).text, theirs.checksum)]
                + (base.map { [(StagedName($0, of: theirs.id).text, nil)] } ?? [])
        case .record, .forget, .leaveOut, .rebind, .markUnsynced, .makeRemoteFolder, .upload, .moveRemote,
            .untrashRemote, .trashRemote, .touchRemote, .makeLocalFolder, .moveLocal, .setAside, .trashLocal,
            .touchLocal:
            return []
        }
    }
}
