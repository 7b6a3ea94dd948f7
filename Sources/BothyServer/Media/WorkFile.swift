import Foundation
import NIOCore
import NIOPosix

/// A file that a program is given to read. Not all of its bytes need be written: where none are, it has none on the disk.
struct WorkFile: Sendable {
    private let descriptor: Int32

    /// Makes the file, has it filled, and closes it.
    static func make(_ path: String, fill: (WorkFile) async throws -> Void) async throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // Nothing of it outlives the next minute: what a close could still tell of the disk, nobody needs to know.
        defer { _ = close(descriptor) }
        try await fill(WorkFile(descriptor: descriptor))
    }

    func write(_ bytes: ByteBuffer, at place: Int64) async throws {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            try bytes.withUnsafeReadableBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                    let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place) + off_t(done))
                    guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                    done += count
                }
            }
        }
    }
}
