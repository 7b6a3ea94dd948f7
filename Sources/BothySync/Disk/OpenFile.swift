import BothyClient
import BothyContent
import BothyContract
import CShims
import Foundation

/// A file's descriptor, closed with its last owner.
struct OpenFile: ~Copyable {
    let descriptor: Int32
    let path: String

    private static let piece = 1 << 20

    /// - Parameter flags: besides `O_CLOEXEC` and `O_NOFOLLOW`. `O_NONBLOCK` is added: a pipe must not wait for its
    ///   other end.
    init(_ name: String, in folder: borrowing OpenFolder, _ flags: Int32 = O_RDONLY) throws(ClientFailure) {
        descriptor = openat(folder.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        path = folder.path(of: name)
        guard descriptor < 0 else { return }
        throw ClientFailure(errno: errno, path: path, doing: flags == O_RDONLY ? "be read" : "be written")
    }

    /// A new file in a folder that has no name yet: nothing is left of it where it gets none.
    init(unnamedIn folder: borrowing OpenFolder) throws(ClientFailure) {
        descriptor = bothy_open_unnamed(folder.descriptor)
        path = folder.path
        guard descriptor < 0 else { return }
        throw ClientFailure(errno: -descriptor, path: path, doing: "be written")
    }

    /// Gives it a name that nothing has.
    ///
    /// - Returns: 0, or the errno.
    func link(as name: String, in folder: borrowing OpenFolder) -> Int32 {
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether somebody has it open to write in it, as far as the system tells.
    var isBeingWritten: Bool { bothy_is_being_written(descriptor) == 1 }

    func facts() throws(ClientFailure) -> DiskFacts { try DiskFacts(ofDescriptor: descriptor, path: path) }

    func hash() throws(ClientFailure) -> ContentHash {
        var hasher = SHA256Hasher()
        try read { hasher.update($0) }
        return hasher.finish()
    }

    /// Reads to the end, piece by piece.
    private func read(_ each: (UnsafeRawBufferPointer) -> Void) throws(ClientFailure) {
        posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 64)
        defer { space.deallocate() }
        while true {
            if DiskWork.isCancelled { throw DiskWork.canceled }
            let count = Foundation.read(descriptor, space.baseAddress, space.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ClientFailure(errno: errno, path: path, doing: "be read") }
            each(UnsafeRawBufferPointer(rebasing: space[..<count]))
        }
    }

    /// - Throws: `fileTooLarge`.
    func contents(atMost limit: Int) throws(ClientFailure) -> [UInt8] {
        guard try facts().stamp.size <= limit else { throw tooLarge(limit) }
        var bytes = [UInt8]()
        try read { if bytes.count <= limit { bytes += $0 } }
        guard bytes.count <= limit else { throw tooLarge(limit) }
        return bytes
    }

    private func tooLarge(_ limit: Int) -> ClientFailure {
        ClientFailure(.fileTooLarge, "“\(path)” is larger than the allowed \(limit) bytes.")
    }

    func write(_ bytes: [UInt8]) throws(ClientFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                throw ClientFailure(errno: count == 0 ? ENOSPC : errno, path: path, doing: "be written")
            }
        }
    }

    /// Takes all of another file's bytes: by reference or within the kernel where the disk can, else through here.
    ///
    /// - Returns: the hash of what was written.
    func fill(from source: borrowing OpenFile) throws(ClientFailure) -> ContentHash {
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 64)
        defer { space.deallocate() }
        var hasher = SHA256Hasher()
        var (copied, goesDirectly): (Int64, Bool) = (0, true)
        while true {
            if DiskWork.isCancelled { throw DiskWork.canceled }
            if goesDirectly, hasher.byteCount == copied {
                let count = bothy_copy_range(source.descriptor, copied, descriptor, copied, Self.copiedAtOnce)
                goesDirectly = count > 0
                copied += max(0, count)
            }
            if hasher.byteCount == copied {
                let count = try source.read(into: space, at: copied)
                guard count > 0 else { return hasher.finish() }
                try write(UnsafeRawBufferPointer(rebasing: space[..<count]), at: copied)
                hasher.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
                copied += Int64(count)
            } else {
                let wanted = min(Int64(space.count), copied - hasher.byteCount)
                let part = UnsafeMutableRawBufferPointer(rebasing: space[..<Int(wanted)])
                let count = try read(into: part, at: hasher.byteCount)
                guard count > 0 else { return hasher.finish() }
                hasher.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
            }
        }
    }

    /// Bytes: in shared extents of this size a copy is hardly in pieces, and between two of them it can be given up.
    private static let copiedAtOnce: Int64 = 16 << 20

    private func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int {
        while true {
            let count = pread(descriptor, space.baseAddress, space.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw ClientFailure(errno: errno, path: path, doing: "be read") }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) {
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

    func sync() throws(ClientFailure) {
        guard fsync(descriptor) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
    }

    func setMode(executable: Bool, creationMask: mode_t) throws(ClientFailure) {
        try setMode((executable ? 0o777 : 0o666) & ~creationMask)
    }

    /// The executable bit for those who may read; the other bits stay.
    func setExecutable(_ executable: Bool) throws(ClientFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw ClientFailure(errno: errno, path: path, doing: "be looked at")
        }
        let readable = (status.st_mode & 0o444) >> 2
        try setMode(executable ? status.st_mode | readable : status.st_mode & ~0o111)
    }

    private func setMode(_ mode: mode_t) throws(ClientFailure) {
        guard fchmod(descriptor, mode & 0o7777) == 0 else { throw unchanged(errno) }
    }

    func setModified(_ time: Timestamp) throws(ClientFailure) {
        let stamp = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        try setTimes([stamp, stamp])
    }

    /// As the disk's own clock tells it.
    func setModifiedNow() throws(ClientFailure) { try setTimes(nil) }

    private func setTimes(_ times: [timespec]?) throws(ClientFailure) {
        guard futimens(descriptor, times) == 0 else { throw unchanged(errno) }
    }

    /// Some disks, as many of FUSE, have no such call: that is a refusal, as FAT's of what it cannot keep, and no failure of the disk.
    private func unchanged(_ code: Int32) -> ClientFailure {
        let failure = ClientFailure(errno: code, path: path, doing: "be changed")
        guard code == ENOSYS || code == EOPNOTSUPP || code == EINVAL else { return failure }
        return ClientFailure(.permissionDenied, failure.words, remedy: failure.remedy)
    }
}
