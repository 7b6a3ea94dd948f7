import BothyContract

/// The folders that are looked at in this process, read from the disk once and then moved by what changes.
actor OpenFolders {
    /// Folders that stay open without anybody looking: a person goes back to where they came from.
    private static let mostUnwatched = 4

    private struct Entry {
        var folder: OpenFolder
        /// What the replica lets go of it by.
        var attachment: Int
    }

    private let replica: ReplicaEngine
    private var entries = [LUID: Entry]()
    /// The one that was used last is last.
    private var used = [LUID]()
    private var opening = [LUID: Task<Entry, any Error>]()

    init(_ replica: ReplicaEngine) { self.replica = replica }

    /// - Returns: nil for one that has not been read.
    func opened(_ folder: LUID) -> OpenFolder? {
        guard let entry = entries[folder], !entry.folder.isOver else { return nil }
        use(folder)
        return entry.folder
    }

    /// - Throws: `notFound`, `notAFolder`.
    func open(_ folder: LUID) async throws -> OpenFolder {
        if let opened = opened(folder) { return opened }
        if let under = opening[folder] { return try await under.value.folder }
        let task = Task { try await read(folder) }
        opening[folder] = task
        defer { opening[folder] = nil }
        let entry = try await task.value
        await close(folder)
        entries[folder] = entry
        use(folder)
        await letGo()
        return entry.folder
    }

    private func read(_ luid: LUID) async throws -> Entry {
        try await replica.read { view in try view.requireFolder(luid) }
        let folder = OpenFolder(luid)
        let (attachment, moment) = try await replica.attach(luid) { folder.take($0) }
        folder.begin(at: moment)
        return Entry(folder: folder, attachment: attachment)
    }

    private func use(_ folder: LUID) {
        used.removeAll { $0 == folder }
        used.append(folder)
    }

    private func letGo() async {
        let unwatched = used.filter { entries[$0]?.folder.isWatched == false }
        for folder in unwatched.dropLast(Self.mostUnwatched) { await close(folder) }
    }

    private func close(_ folder: LUID) async {
        used.removeAll { $0 == folder }
        guard let entry = entries.removeValue(forKey: folder) else { return }
        entry.folder.end()
        await replica.detach(entry.attachment)
    }
}

extension ReplicaEngine {
    /// A thing, and whether it or a folder that it lies in is in the trash.
    ///
    /// - Throws: `notFound`.
    func look(_ luid: LUID) async throws -> (file: ReplicaFile, trashed: Bool) {
        let found = try await read { view in try view.file(luid).map { ($0, try view.isTrashed(luid)) } }
        guard let found else { throw Self.unknown }
        return found
    }

    /// A thing that is not in the trash.
    ///
    /// - Throws: `notFound`.
    func present(_ id: ItemID) async throws -> ReplicaFile {
        let (file, trashed) = try await look(try id.luid())
        guard !trashed else { throw ClientFailure(.notFound, "“\(file.name)” is in the trash.") }
        return file
    }
}

extension ReplicaEngine {
    /// A window of a folder that nobody has opened yet, by the database alone.
    ///
    /// - Throws: `notFound`, `notAFolder`.
    func window(of folder: LUID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow {
        try await read { view in
            try view.requireFolder(folder)
            let (files, total) = try view.window(of: folder, order: order, range)
            return FolderWindow(
                first: min(range.lowerBound, total), items: files.map { FolderItem($0) }, total: total,
                mark: try view.moment())
        }
    }
}

extension ReplicaView {
    /// - Throws: `notFound`, `notAFolder`.
    func requireFolder(_ luid: LUID) throws {
        guard let file = try file(luid) else { throw ReplicaEngine.unknown }
        guard try !isTrashed(luid) else { throw ClientFailure(.notFound, "“\(file.name)” is in the trash.") }
        guard file.isFolder else { throw ClientFailure(.notAFolder, "“\(file.name)” is a file.") }
    }
}
