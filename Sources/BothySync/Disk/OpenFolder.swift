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
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return DiskFacts(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw ClientFailure(errno: errno, path: path(of: name), doing: "be looked at")
    }

    func sync() throws(ClientFailure) {
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw ClientFailure(errno: errno, path: path, doing: "be synced")
        }
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
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func entry(_ entry: UnsafeMutablePointer<dirent>, _ folder: Int32) -> DiskEntry? {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        if name[0] == 0x2E, name[1] == 0 || (name[1] == 0x2E && name[2] == 0) { return nil }
        var status = stat()
        let facts = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? DiskFacts(status) : nil
        if let text = String(validatingCString: name) { return DiskEntry(name: text, facts: facts) }
        return DiskEntry(name: String(cString: name), isText: false, facts: facts)
    }
}

extension DiskFacts {
    init(_ status: stat) {
        let kind: Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .symbolicLink
        default: kind = .special
        }
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.init(
            kind: kind, size: Int64(status.st_size),
            modifiedAt: Timestamp(seconds: Int64(modified.tv_sec), nanoseconds: Int32(modified.tv_nsec)),
            changedAt: Timestamp(seconds: Int64(changed.tv_sec), nanoseconds: Int32(changed.tv_nsec)),
            inode: UInt64(status.st_ino), device: UInt64(status.st_dev), links: Int(status.st_nlink),
            executable: status.st_mode & S_IXUSR != 0)
    }

    init(ofDescriptor descriptor: Int32, path: String) throws(ClientFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw ClientFailure(errno: errno, path: path, doing: "be looked at")
        }
        self.init(status)
    }
}
