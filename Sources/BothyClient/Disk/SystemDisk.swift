import BothyContract
import CShims
import Foundation

/// The machine's disk through POSIX.
package struct SystemDisk: LocalDisk {
    /// What this process leaves out of the modes of new files. POSIX tells it only by setting it.
    private static let creationMask: mode_t = {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }()

    package init() {}

    package func facts(of path: String) throws(ClientFailure) -> FileFacts? {
        var status = stat()
        if stat(path, &status) == 0 { return FileFacts(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw ClientFailure(errno: errno, path: path, doing: "be read")
    }

    package func openForReading(_ path: String) throws(ClientFailure) -> any LocalFile {
        // O_NONBLOCK: opening a pipe must not wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be read") }
        let file = SystemFile(descriptor: descriptor, path: path)
        guard try file.facts().kind == .file else {
            throw ClientFailure(.sourceNotAFile, "“\(path)” is not a file.")
        }
        return file
    }

    package func openForWriting(_ path: String) throws(ClientFailure) -> any LocalFile {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
        return SystemFile(descriptor: descriptor, path: path)
    }

    package func rename(_ from: String, to: String, replacing: Bool) throws(ClientFailure) {
        guard replacing else { return try renameNew(from, to: to) }
        try renameReplacing(from, to: to)
    }

    private func renameNew(_ from: String, to: String) throws(ClientFailure) {
        let failure = bothy_rename_new(AT_FDCWD, from, AT_FDCWD, to)
        if failure == 0 { return }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(failure) else { throw Self.notRenamed(to, failure) }
        // A disk that cannot refuse to replace. A link never replaces, either; a process that ends right after it leaves both names.
        if link(from, to) == 0 {
            unlink(from)
            return
        }
        if errno == EEXIST { throw Self.notRenamed(to, EEXIST) }
        if try facts(of: to) != nil { throw Self.notRenamed(to, EEXIST) }
        try renameReplacing(from, to: to)
    }

    private func renameReplacing(_ from: String, to: String) throws(ClientFailure) {
        guard Foundation.rename(from, to) == 0 else { throw Self.notRenamed(to, errno) }
    }

    private static func notRenamed(_ to: String, _ failure: Int32) -> ClientFailure {
        failure == EEXIST
            ? ClientFailure(.destinationExists, "“\(to)” is there already.")
            : ClientFailure(errno: failure, path: to, doing: "be written")
    }

    package func syncFolder(_ path: String) throws(ClientFailure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be synced") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw ClientFailure(errno: errno, path: path, doing: "be synced")
        }
    }

    package func remove(_ path: String) throws(ClientFailure) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ClientFailure(errno: errno, path: path, doing: "be removed")
        }
    }

    package func freeBytes(at path: String) throws(ClientFailure) -> Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be measured") }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    package func setMode(_ path: String, executable: Bool) throws(ClientFailure) {
        let mode: mode_t = (executable ? 0o777 : 0o666) & ~Self.creationMask
        guard chmod(path, mode) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
    }

    package func setModified(_ path: String, to time: Timestamp) throws(ClientFailure) {
        let stamp = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        let times = [stamp, stamp]
        guard utimensat(AT_FDCWD, path, times, 0) == 0 else {
            throw ClientFailure(errno: errno, path: path, doing: "be written")
        }
    }
}

extension FileFacts {
    fileprivate init(_ status: stat) {
        let kind: Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        self.init(
            kind: kind, size: Int64(status.st_size),
            modifiedAt: Timestamp(seconds: Int64(modified.tv_sec), nanoseconds: Int32(modified.tv_nsec)),
            inode: UInt64(status.st_ino), device: UInt64(status.st_dev),
            executable: status.st_mode & S_IXUSR != 0)
    }
}

/// A file descriptor, closed with its last owner.
private final class SystemFile: LocalFile {
    private let descriptor: Int32
    let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func facts() throws(ClientFailure) -> FileFacts { FileFacts(try status()) }

    func changedAt() throws(ClientFailure) -> Timestamp {
        let status = try status()
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        return Timestamp(seconds: Int64(changed.tv_sec), nanoseconds: Int32(changed.tv_nsec))
    }

    func allocatedBytes() throws(ClientFailure) -> Int64 { Int64(try status().st_blocks) * 512 }

    private func status() throws(ClientFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be read") }
        return status
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw ClientFailure(errno: errno, path: path, doing: "be read") }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) {
        if try leaveHole(for: bytes, at: offset) { return }
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw ClientFailure(errno: count == 0 ? ENOSPC : errno, path: path, doing: "be written")
            }
        }
    }

    /// Bytes. For fewer zeros a hole saves less than it costs.
    private static let leastHole = 16 << 10

    /// Zeros need no room on the disk, and a file that had holes where it came from may be larger than the disk is.
    ///
    /// - Returns: false for what has to be written.
    private func leaveHole(for bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Bool {
        guard bytes.count >= Self.leastHole, let start = bytes.baseAddress, bytes[0] == 0,
            memcmp(start, start + 1, bytes.count - 1) == 0,
            // A hole makes no file longer.
            Int64(try status().st_size) >= offset + Int64(bytes.count)
        else { return false }
        return bothy_punch_hole(descriptor, offset, Int64(bytes.count)) == 0
    }

    func truncate(to size: Int64) throws(ClientFailure) {
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw ClientFailure(errno: errno, path: path, doing: "be written")
        }
    }

    func sync() throws(ClientFailure) {
        guard fsync(descriptor) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
    }
}
