import BothyContract
import Foundation
import NIOCore
import NIOPosix

/// Plain files on the server's own disk, for export and import. Its calls run on threads that may block.
struct PlainFiles: Sendable {
    struct Status: Sendable {
        enum Kind: Sendable {
            case file
            case folder
            /// A link, a device, a socket.
            case other
        }

        var kind: Kind
        var size: Int64
        var modifiedAt: Timestamp
        var executable: Bool
    }

    private var threads: NIOThreadPool { .singleton }

    /// Links are not followed.
    func status(_ path: String) async throws -> Status {
        try await threads.runIfActive {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw Self.failure() }
            let kind: Status.Kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                default: .other
                }
            return Status(
                kind: kind, size: Int64(status.st_size),
                modifiedAt: Timestamp(
                    seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int32(status.st_mtim.tv_nsec)),
                executable: status.st_mode & S_IXUSR != 0)
        }
    }

    /// In the order of their bytes. One that is no UTF-8 has U+FFFD for what is not, and is not found by that name.
    func names(in folder: String) async throws -> [String] {
        try await threads.runIfActive {
            guard let listing = opendir(folder) else { throw Self.failure() }
            defer { closedir(listing) }
            var names = [String]()
            while true {
                // The only way to tell the end from a failure: readdir(3).
                errno = 0
                guard let entry = readdir(listing) else { break }
                let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                    bytes.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            guard errno == 0 else { throw Self.failure() }
            return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    func makeFolder(_ path: String) async throws {
        try await threads.runIfActive { guard mkdir(path, 0o700) == 0 else { throw Self.failure() } }
    }

    func open(_ path: String) async throws -> Handle {
        try await threads.runIfActive {
            Handle(descriptor: try Self.checked(Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)))
        }
    }

    /// A file that was not there.
    func create(_ path: String, executable: Bool) async throws -> Handle {
        try await threads.runIfActive {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            return Handle(descriptor: try Self.checked(Foundation.open(path, flags, executable ? 0o700 : 0o600)))
        }
    }

    func remove(_ path: String) async throws {
        try await threads.runIfActive { guard unlink(path) == 0 else { throw Self.failure() } }
    }

    /// Closed with the last reference.
    final class Handle: Sendable {
        private let descriptor: Int32

        fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// - Returns: `count` bytes from where the last ones ended, or fewer at the file's end.
        func read(_ count: Int) async throws -> ByteBuffer {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                var buffer = ByteBufferAllocator().buffer(capacity: count)
                while buffer.readableBytes < count {
                    let length = count - buffer.readableBytes
                    let read = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { bytes in
                        try checked(Foundation.read(descriptor, bytes.baseAddress, length))
                    }
                    if read == 0 { break }
                }
                return buffer
            }
        }

        /// Whether the open file is still the one that `status` was taken of, and as it was then.
        func isStill(_ status: Status) async throws -> Bool {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                var now = stat()
                _ = try checked(fstat(descriptor, &now))
                return Int64(now.st_size) == status.size
                    && Timestamp(seconds: Int64(now.st_mtim.tv_sec), nanoseconds: Int32(now.st_mtim.tv_nsec))
                        == status.modifiedAt
            }
        }

        func write(_ bytes: ByteBuffer) async throws {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                var rest = bytes
                while rest.readableBytes > 0 {
                    let written = try rest.withUnsafeReadableBytes { bytes in
                        try checked(Foundation.write(descriptor, bytes.baseAddress, bytes.count))
                    }
                    rest.moveReaderIndex(forwardBy: written)
                }
            }
        }

        func setModified(_ time: Timestamp) async throws {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                let value = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
                _ = try checked(futimens(descriptor, [value, value]))
            }
        }

        private func checked<Number: BinaryInteger>(_ result: Number) throws -> Number {
            try PlainFiles.checked(result)
        }
    }

    private static func checked<Number: BinaryInteger>(_ result: Number) throws -> Number {
        guard result >= 0 else { throw failure() }
        return result
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// What went wrong, for a person.
    static func words(_ error: any Error) -> String {
        switch error {
        case let problem as Problem: problem.detail
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case PackError.damaged: "it is damaged on the server’s disk"
        default: "\(error)"
        }
    }
}

/// Something that export or import left out, and why.
package struct LeftOut: Codable, Equatable, Sendable {
    package var path: String
    package var reason: String
}
