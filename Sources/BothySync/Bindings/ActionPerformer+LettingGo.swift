/// What an earlier plan had begun to fetch.
extension ActionPerformer {
    /// A download that was interrupted goes on where it was for as long as a plan wants it. Where there is another version by
    /// now, or none, nobody would ever come back for what has arrived of it.
    func letGoOfDownloads(but plan: Plan) async throws {
        let wanted = plan.actions.flatMap { Self.fetched(for: $0.step) }
        try await drive.letGo(ofDownloadsTo: disk.staging(""), but: Set(wanted.map { disk.staging($0) }))
    }

    /// Under which names a step stages what it fetches.
    private static func fetched(for step: Step) -> [String] {
        switch step {
        case .download(_, let theirs, _): return [staged(theirs)]
        case .merge(_, let base, _, let theirs):
            return [staged(theirs)] + (base.map { [staged($0, of: theirs.id)] } ?? [])
        case .record, .forget, .rebind, .markUnsynced, .makeRemoteFolder, .upload, .moveRemote, .trashRemote,
            .touchRemote, .makeLocalFolder, .moveLocal, .setAside, .trashLocal, .touchLocal:
            return []
        }
    }
}
