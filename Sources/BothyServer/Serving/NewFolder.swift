import Foundation

/// What a first start makes for its data, so that one that fails leaves nothing behind.
struct NewFolder: Sendable {
    /// The folder, and those above it, that were not there; the deepest first.
    private let missing: [String]
    private let folder: DataFolder

    /// Looks what is missing, before it is made.
    init(_ folder: DataFolder) {
        self.folder = folder
        var missing = [String]()
        var place = URL(fileURLWithPath: folder.path)
        // A link that leads nowhere is there, and somebody's.
        while place.path != "/", (try? FileManager.default.attributesOfItem(atPath: place.path)) == nil {
            missing.append(place.path)
            place.deleteLastPathComponent()
        }
        self.missing = missing
    }

    /// Whether the folder itself was missing.
    var isNew: Bool { !missing.isEmpty }

    /// Takes away those of them that are empty.
    func removeEmpty() {
        // What has something in it is not removed by this. One that could not be made is not there, those above it
        // may be.
        for path in missing { _ = rmdir(path) }
    }

    /// Takes away what a start makes in the folder, and then what is empty. To be called by the holder of the folder's lock,
    /// and knows that nothing in it is of any use.
    ///
    /// The lock goes last: until then no other server begins there, and what one makes from then on stays, as do all
    /// things that are not a server's.
    ///
    /// - Throws: what the disk refuses; nothing is taken away where there is something among the packs.
    func remove() throws {
        guard isNew else { return }
        try Self.check(rmdir(folder.packs))
        let database = ["-journal", "-wal", "-shm", ""].map { folder.database + $0 }
        for path in database + [folder.adminSocket, folder.lock] { try Self.check(unlink(path)) }
        removeEmpty()
    }

    /// What is not there need not go.
    private static func check(_ result: Int32) throws {
        guard result == 0 || errno == ENOENT else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
