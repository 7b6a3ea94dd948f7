import BothyClient
import BothyContract
import Foundation

/// `.bothy`: the mark, what arrives, and what was taken away.
extension SystemFolderDisk {
    enum Room: String, CaseIterable { case staging, trash }

    private static let markName = SyncedFolderNames.mark
    /// A file whose time is set to know what the disk's clock says. It stays, so that this needs no room on a full disk.
    private static let clockName = "clock"
    private static let markLimit = 256
    private static let readme = """
        Bothy syncs this folder with your files on the server. Here it keeps deleted and replaced files for 30 days
        (“bothy trash --local”), and unfinished downloads. “bothy unsync” removes it.

        """

    package func mark() throws(ClientFailure) -> String? { try mark(of: .root) }

    package func mark(of folder: Place) throws(ClientFailure) -> String? {
        do {
            let own = try opened(folder.appending(NodeName(PrivateNames.folder)))
            let file = try OpenFile(Self.markName, in: own)
            let text = String(decoding: try file.contents(atMost: Self.markLimit), as: UTF8.self)
            return text.split(separator: "\n").first.map(String.init)
        } catch  where error.code == .fileMissing || error.code == .destinationFolderMissing {
            return nil
        }
    }

    /// Checks whether Bothy can keep what it needs in the folder, where that exists already: better now than when it is linked.
    package func checkTakesPrivateFolder() throws(ClientFailure) {
        let own = "\(path)/\(PrivateNames.folder)"
        guard try root() != nil, !FileManager.default.fileExists(atPath: own) else { return }
        guard mkdir(own, 0o700) == 0 else {
            // Of what is no disk, as /proc, the system says that nothing is there.
            guard [EACCES, EPERM, EROFS, ENOENT].contains(errno) else {
                throw ClientFailure(errno: errno, path: own, doing: "be made")
            }
            throw ClientFailure(
                .permissionDenied,
                "Bothy cannot create its own folder, “\(PrivateNames.folder)”, in “\(path)”: \(String(cString: strerror(errno))).",
                remedy: "Give yourself write permission there, or choose another folder.")
        }
        _ = rmdir(own)
    }

    package func claim(mark: String) throws(ClientFailure) {
        let root = try OpenFolder(root: path)
        try make(PrivateNames.folder, in: root)
        let own = try root.folder(PrivateNames.folder)
        for room in Room.allCases { try make(room.rawValue, in: own) }
        try write(Array(Self.readme.utf8), as: "README", in: own)
        try write(Array("\(mark)\n".utf8), as: Self.markName, in: own)
        try own.sync()
        try root.sync()
    }

    package func disclaim(keepingTrash: Bool) throws(ClientFailure) {
        let root = try OpenFolder(root: path)
        guard try root.facts(PrivateNames.folder)?.kind == .folder else { return }
        let own = try root.folder(PrivateNames.folder)
        for entry in try own.entries() where entry.name.text != Self.markName && !keepingTrash {
            try own.removeAll(entry.name.text)
        }
        for gone in [Room.staging.rawValue, Self.clockName] { try own.removeAll(gone) }
        // The mark last: a folder that was half unlinked is found bound, and can be unlinked again.
        try own.removeAll(Self.markName)
        if !keepingTrash { try root.removeAll(PrivateNames.folder) }
    }

    package func time() throws(ClientFailure) -> Timestamp {
        let own = try opened(Place(text: PrivateNames.folder))
        let file = try OpenFile(Self.clockName, in: own, O_WRONLY | O_CREAT)
        try file.setModifiedNow()
        return try file.facts().stamp.modifiedAt
    }

    package func takesName(_ name: String) throws(ClientFailure) -> Bool {
        let staging = try privateFolder(.staging)
        let file = openat(staging.descriptor, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            let code = errno
            // A disk says in many ways that it takes no such name.
            guard [EINVAL, ENAMETOOLONG, EILSEQ, ENOENT, EACCES, EPERM, EOPNOTSUPP, ENOSYS].contains(code) else {
                throw ClientFailure(errno: code, path: staging.path(of: name), doing: "be made")
            }
            return false
        }
        close(file)
        let isThere = try staging.facts(name) != nil
        try unstage(name)
        return isThere
    }

    package func staging(_ name: String) -> String {
        "\(path)/\(PrivateNames.folder)/\(Room.staging.rawValue)/\(name)"
    }

    package func stage(_ bytes: [UInt8], as name: String) throws(ClientFailure) {
        let staging = try privateFolder(.staging)
        unlinkat(staging.descriptor, name, 0)
        try write(bytes, as: name, in: staging)
    }

    package func stageCopy(
        of path: Place, expecting expected: DiskFacts, as name: String
    ) throws(ClientFailure) -> ContentHash {
        let source = try OpenFile(path.name.text, in: opened(path.parent))
        guard try source.facts().holdsTheSame(as: expected) else { throw Self.changed(path) }
        let staging = try privateFolder(.staging)
        unlinkat(staging.descriptor, name, 0)
        return try OpenFile(name, in: staging, O_RDWR | O_CREAT | O_EXCL).fill(from: source)
    }

    package func staged() throws(ClientFailure) -> [String] {
        try privateFolder(.staging).entries().map(\.name.text).filter { !$0.hasSuffix(PrivateNames.partial) }
    }

    package func discardStaged(_ name: String, keep: String) throws(ClientFailure) {
        try rename(name, in: privateFolder(.staging), to: keep, in: privateFolder(.trash), path: Place(text: name))
    }

    package func unstage(_ name: String) throws(ClientFailure) {
        let staging = try privateFolder(.staging)
        guard unlinkat(staging.descriptor, name, 0) == 0 || errno == ENOENT else {
            throw ClientFailure(errno: errno, path: staging.path(of: name), doing: "be removed")
        }
    }

    package func trashed(_ keep: String) -> Place {
        Place(text: "\(PrivateNames.folder)/\(Room.trash.rawValue)/\(keep)")
    }

    package func stagedPlace(_ name: String) -> Place {
        Place(text: "\(PrivateNames.folder)/\(Room.staging.rawValue)/\(name)")
    }

    package func isInTrash(_ keep: String) throws(ClientFailure) -> Bool {
        try privateFolder(.trash).facts(keep) != nil
    }

    package func takeBack(_ keep: String, to path: Place) throws(ClientFailure) -> DiskFacts {
        let target = try opened(path.parent)
        try rename(keep, in: privateFolder(.trash), to: path.name.text, in: target, path: path)
        try target.sync()
        guard let facts = try target.facts(path.name.text) else { throw Self.changed(path) }
        return facts
    }

    package func purge(_ keep: String) throws(ClientFailure) { try privateFolder(.trash).removeAll(keep) }

    /// One that somebody deleted, to make room, is made again.
    func privateFolder(_ room: Room) throws(ClientFailure) -> OpenFolder {
        let own = try opened(Place(text: PrivateNames.folder))
        try make(room.rawValue, in: own)
        return try own.folder(room.rawValue)
    }

    private func make(_ name: String, in folder: borrowing OpenFolder) throws(ClientFailure) {
        guard mkdirat(folder.descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw ClientFailure(errno: errno, path: folder.path(of: name), doing: "be made")
        }
    }

    private func write(_ bytes: [UInt8], as name: String, in folder: borrowing OpenFolder) throws(ClientFailure) {
        let file = try OpenFile(name, in: folder, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(bytes)
        try file.sync()
    }
}
