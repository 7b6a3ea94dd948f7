import BothyClient
import BothyContract
import CShims
import Foundation

/// A folder's file descriptor, closed with its last owner. Names are looked up in it, never through a symbolic link.
struct OpenFolder: ~Copyable {
    let descriptor: Int32
    /// For the words of failures.
    let path: String

    /// - Parameter path: the bound folder's; links on the way to it are the person's own, and followed.
    init(root path: String) throws(ClientFailure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be opened") }
    }

    private init(_ name: String, in parent: borrowing OpenFolder) throws(ClientFailure) {
        descriptor = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        path = "\(parent.path)/\(name)"
        guard descriptor < 0 else { return }
        // A link is not followed: what it leads to may lie outside.
        throw ClientFailure(errno: errno == ELOOP ? ENOTDIR : errno, path: path, doing: "be opened")
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func folder(_ name: String) throws(ClientFailure) -> OpenFolder { try OpenFolder(name, in: self) }

    /// The folder at the end of the names.
    consuming func walk(_ names: some Sequence<String>) throws(ClientFailure) -> OpenFolder {
        var folder = self
        for name in names { folder = try folder.folder(name) }
        return folder
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func facts() throws(ClientFailure) -> DiskFacts { try DiskFacts(ofDescriptor: descriptor, path: path) }

    /// - Returns: nil when nothing has that name.
    func facts(_ name: String) throws(ClientFailure) -> DiskFacts? {
        if let facts = DiskFacts(descriptor, name) { return facts }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw ClientFailure(errno: errno, path: path(of: name), doing: "be looked at")
    }

    /// As `bothy_keeps_inodes`. A descriptor that is read off a value which nothing holds any more may be closed before it is used.
    func keepsInodes() -> Int32 { bothy_keeps_inodes(descriptor) }

    func sync() throws(ClientFailure) {
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw ClientFailure(errno: errno, path: path, doing: "be synced")
        }
    }

    /// Deletes what has this name, a folder with all below it. What is Bothy's own to delete may have come from a person, with folders that nothing
    /// may be deleted from: those are made writable first. What is not there is fine.
    ///
    /// - Throws: also for what is mounted in there, which stays.
    func removeAll(_ name: String) throws(ClientFailure) {
        let failure = bothy_remove_all(descriptor, name)
        guard failure == 0 else { throw ClientFailure(errno: failure, path: path(of: name), doing: "be deleted") }
    }

    /// Every name but `.` and `..`, in the order of their bytes, each with a look.
    func entries() throws(ClientFailure) -> [DiskEntry] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw ClientFailure(errno: code, path: path, doing: "be listed")
        }
        defer { closedir(stream) }
        var entries = [DiskEntry]()
        errno = 0
        while let entry = readdir(stream) {
            if let entry = Self.entry(entry, descriptor) { entries.append(entry) }
            errno = 0
        }
        guard errno == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be listed") }
        return entries.sorted { $0.name < $1.name }
    }

    private static func entry(_ entry: UnsafeMutablePointer<dirent>, _ folder: Int32) -> DiskEntry? {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        if name[0] == 0x2E, name[1] == 0 || (name[1] == 0x2E && name[2] == 0) { return nil }
        let facts = DiskFacts(folder, name)
        // It went in this moment; what cannot be looked at for any other reason is there all the same.
        if facts == nil, errno == ENOENT { return nil }
        if let text = String(validatingCString: name) { return DiskEntry(name: NodeName(text), facts: facts) }
        return DiskEntry(name: NodeName(String(cString: name)), isText: false, facts: facts)
    }
}

extension DiskFacts {
    /// - Returns: nil with `errno` set where the look was refused.
    init?(_ folder: Int32, _ name: UnsafePointer<CChar>, followingLinks: Bool = false) {
        var look = bothy_look()
        let failure = bothy_look_at(folder, name, followingLinks ? 1 : 0, &look)
        guard failure == 0 else {
            errno = failure
            return nil
        }
        self.init(look)
    }

    init(ofDescriptor descriptor: Int32, path: String) throws(ClientFailure) {
        guard let facts = DiskFacts(descriptor, "") else {
            throw ClientFailure(errno: errno, path: path, doing: "be looked at")
        }
        self = facts
    }

    private init(_ look: bothy_look) {
        let born = look.born.nanoseconds < 0 ? nil : Timestamp(look.born)
        self.init(
            kind: Kind(mode: look.mode),
            stamp: LocalStamp(
                inode: look.inode, size: Kind(mode: look.mode) == .file ? look.size : 0,
                modifiedAt: Timestamp(look.modified), changedAt: Timestamp(look.changed), bornAt: born),
            device: look.device, links: Int(look.links), executable: look.mode & UInt32(S_IXUSR) != 0)
        isMountRoot = look.is_mount_root != 0
    }
}

extension DiskFacts.Kind {
    fileprivate init(mode: UInt32) {
        switch mode_t(mode) & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .special(.symbolicLink)
        case S_IFSOCK: self = .special(.socket)
        case S_IFIFO: self = .special(.pipe)
        default: self = .special(.device)
        }
    }
}

extension Timestamp {
    fileprivate init(_ moment: bothy_moment) { self.init(seconds: moment.seconds, nanoseconds: moment.nanoseconds) }
}
