import CShims
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The machine's own disk.
package struct LocalDisk: DiskOperations {
    /// The most parts that one call takes (IOV_MAX).
    private static let maximumParts = 1024

    package init() {}

    package func open(_ path: String) throws(DiskFailure) -> Int32 {
        try checked("open") { openFile(path, O_RDWR | O_CLOEXEC, 0) }
    }

    package func openForReading(_ path: String) throws(DiskFailure) -> Int32 {
        try checked("open") { openFile(path, O_RDONLY | O_CLOEXEC, 0) }
    }

    package func create(_ path: String) throws(DiskFailure) -> Int32 {
        try checked("create") { openFile(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    }

    package func close(_ file: Int32) { closeFile(file) }

    package func write(_ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        var vectors = parts.prefix(Self.maximumParts).map { part in
            iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
        }
        return try checked("write") { pwritev(file, &vectors, Int32(vectors.count), off_t(offset)) }
    }

    package func read(
        _ file: Int32, into parts: [UnsafeMutableRawBufferPointer], at offset: Int64
    ) throws(DiskFailure) -> Int {
        var vectors = parts.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }
        return try checked("read") { preadv(file, &vectors, Int32(vectors.count), off_t(offset)) }
    }

    package func startWriteback(_ file: Int32, offset: Int64, length: Int64) {
        bothy_start_writeback(file, offset, length)
    }

    package func sync(_ file: Int32) throws(DiskFailure) {
        // No second try on EINTR or anything else: after a failed sync nobody knows what is on the disk.
        guard fdatasync(file) == 0 else { throw DiskFailure(call: "fdatasync", code: errno) }
    }

    package func syncDirectory(_ path: String) throws(DiskFailure) {
        let directory = try checked("open directory") { openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        defer { closeFile(directory) }
        guard fsync(directory) == 0 else { throw DiskFailure(call: "fsync directory", code: errno) }
    }

    package func size(_ file: Int32) throws(DiskFailure) -> FileExtent {
        var status = stat()
        _ = try checked("fstat") { fstat(file, &status) }
        return FileExtent(bytes: Int64(status.st_size), allocatedBytes: Int64(status.st_blocks) * 512)
    }

    package func punchHole(_ file: Int32, offset: Int64, length: Int64) throws(DiskFailure) {
        let code = bothy_punch_hole(file, offset, length)
        guard code == 0 else { throw DiskFailure(call: "punch hole", code: code) }
    }

    package func remove(_ path: String) throws(DiskFailure) {
        _ = try checked("unlink") { unlink(path) }
    }

    package func list(_ directory: String) throws(DiskFailure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw DiskFailure(call: "list", code: EIO)
        }
    }

    package func makeDirectory(_ path: String) throws(DiskFailure) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw DiskFailure(call: "mkdir", code: errno)
    }

    package func freeBytes(_ path: String) throws(DiskFailure) -> Int64 {
        var status = statvfs()
        _ = try checked("statvfs") { statvfs(path, &status) }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    /// Runs a call that says −1 and errno, again when a signal broke it off.
    private func checked<Number: BinaryInteger>(
        _ call: String, _ body: () -> Number
    ) throws(DiskFailure) -> Number {
        while true {
            let result = body()
            if result >= 0 { return result }
            guard errno == EINTR else { throw DiskFailure(call: call, code: errno) }
        }
    }
}

// The methods above share these names with the calls that they make.

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

private func closeFile(_ file: Int32) { _ = close(file) }

extension DiskFailure {
    static func words(for code: Int32) -> String { String(cString: strerror(code)) }

    static var ioError: Int32 { EIO }

    var isMissing: Bool { code == ENOENT }

    /// A disk that is full, or a share of it that is used up.
    var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// The disk knows no such call: holes, on NFS before 4.2, FAT and many that lie in user space.
    var isUnsupported: Bool { code == EOPNOTSUPP || code == ENOSYS }
}
