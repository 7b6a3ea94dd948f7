import Synchronization

/// The packs that are open for reading, so that a block does not cost an open.
final class OpenPacks: Sendable {
    /// File descriptors; well below the usual limit of 1,024 that sockets share.
    static let maximumOpen = 128

    private struct Entry {
        var file: PackFile
        var lastUse: UInt64
    }

    private struct State {
        var entries = [Int64: Entry]()
        var uses: UInt64 = 0
    }

    private let folder: String
    private let disk: any DiskOperations
    private let state = Mutex(State())

    init(folder: String, disk: any DiskOperations) {
        self.folder = folder
        self.disk = disk
    }

    func path(_ pack: Int64) -> String { folder + "/" + PackFormat.fileName(pack) }

    /// Blocks while the file is opened.
    func file(_ pack: Int64) throws(DiskFailure) -> PackFile {
        if let known = state.withLock({ Self.use(pack, &$0) }) { return known }
        let path = path(pack)
        let file = PackFile(pack: pack, path: path, descriptor: try disk.open(path), disk: disk)
        keep(file)
        return file
    }

    func keep(_ file: PackFile) {
        state.withLock { state in
            state.uses += 1
            state.entries[file.pack] = Entry(file: file, lastUse: state.uses)
            while state.entries.count > Self.maximumOpen,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
        }
    }

    func forget(_ pack: Int64) { state.withLock { $0.entries[pack] = nil } }

    private static func use(_ pack: Int64, _ state: inout State) -> PackFile? {
        guard state.entries[pack] != nil else { return nil }
        state.uses += 1
        state.entries[pack]?.lastUse = state.uses
        return state.entries[pack]?.file
    }
}
