import BothyClient

extension FolderBindings {
    /// Seconds that the server is given to take note of what is withdrawn. After them all is unlinked without it.
    private static let patience = 3.0

    /// Forgets a binding, and ends what its folder had begun to send and to fetch. The files stay on both sides.
    ///
    /// - Parameter keepingTrash: leaves what lies in the folder's own trash where it is.
    package func untie(_ binding: Binding, keepingTrash: Bool) async throws {
        let loan = try await borrowAsItIs(binding)
        let disk = SystemFolderDisk(path: binding.localPath)
        try await endWhatWasBegun(of: binding, stagedIn: disk.staging(""))
        if try disk.mark() == binding.mark { try disk.disclaim(keepingTrash: keepingTrash) }
        try await store.untie(binding, at: environment.clock.now())
        withExtendedLifetime(loan) {}
    }

    /// No plan will want it any more, and nobody else continues it.
    private func endWhatWasBegun(of binding: Binding, stagedIn staging: String) async throws {
        let begun = try await store.unanswered(binding: binding.id).filter(\.action.step.changesTheServer)
            .map(\.requestId)
        let drive = home.drive
        // What has arrived there all the same is told as what it is; what has not is refused when it arrives.
        _ = await briefly(begun) { _ = try await drive.end(of: $0, withdrawing: true) }
        // On this device it ends whatever the server says, and whether it says anything.
        for ended in await briefly(begun, { try await drive.letGo(ofUpload: $0) }) { try ended.get() }
        try await drive.letGo(ofDownloadsTo: staging, but: [])
    }

    /// Does something about each of them, side by side; what takes longer than ``patience`` is cut off.
    private func briefly(
        _ requestIds: [String], _ work: @escaping @Sendable (String) async throws -> Void
    ) async -> [Result<Void, any Error>] {
        let works = requestIds.map { id in Task { try await work(id) } }
        let alarm = Task { [clock = environment.clock] in
            try await clock.sleep(seconds: Self.patience)
            for work in works { work.cancel() }
        }
        defer { alarm.cancel() }
        var ends = [Result<Void, any Error>]()
        for work in works { ends.append(await work.result) }
        return ends
    }
}
