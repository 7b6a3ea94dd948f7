/// What all of a process's downloads share of the disk.
struct TransferDisk: Sendable {
    let disk: any LocalDisk
    /// Small files, one after the other: a thread for each would be woken for microseconds, and wait for the others' folder.
    let smallFiles = DiskQueue("small files")
    let syncs = DiskQueues("partial syncs", count: syncsSideBySide)
    let folders: FolderSyncs
    let room = PromisedRoom()

    /// Syncs that wait for the disk at the same time: it makes one of what comes together.
    private static let syncsSideBySide = 16

    init(_ disk: any LocalDisk) {
        self.disk = disk
        folders = FolderSyncs(disk)
    }

    /// Finishes a small file on a thread of its own; several that are synced share what that costs.
    func finish(isDurable: Bool, _ body: @escaping @Sendable () -> Void) {
        if isDurable { syncs.begin(body) } else { smallFiles.begin(body) }
    }
}

/// Makes durable what was renamed into folders. Everyone who waits for a folder shares one sync, which begins after they came.
actor FolderSyncs {
    private let disk: any LocalDisk
    private let queues = DiskQueues("folder syncs", count: sideBySide)
    private(set) var waiting = [String: [CheckedContinuation<Void, any Error>]]()
    /// Folders that are being served.
    private var served = Set<String>()

    private static let sideBySide = 4

    init(_ disk: any LocalDisk) { self.disk = disk }

    /// Returns when what was renamed before the call outlives a power cut.
    ///
    /// - Throws: what the disk refuses.
    func sync(_ folder: String) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            waiting[folder, default: []].append(waiter)
            if served.insert(folder).inserted { Task { await serve(folder) } }
        }
    }

    private func serve(_ folder: String) async {
        while let group = waiting.removeValue(forKey: folder) {
            do {
                try await queues.run { [disk] in try disk.syncFolder(folder) }
                for waiter in group { waiter.resume() }
            } catch {
                for waiter in group { waiter.resume(throwing: error) }
            }
        }
        served.remove(folder)
    }
}
