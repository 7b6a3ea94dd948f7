import BothyClient
import BothyContent
import BothyContract
import Foundation
import NIOCore

/// Writes files to standard output, checked as they go.
enum StandardOutput {
    /// - Throws: a `Complaint` that says so when the end shows that the bytes were not what they should be: they are
    ///   out by then, and the exit status tells.
    static func write(_ file: File, revisionId: String?, from home: DeviceHome) async throws {
        if revisionId == nil, home.files.isOffline || file.isOnlyHere {
            return try writeHeld(try await home.heldContent(of: file), of: file)
        }
        for try await piece in await home.transfers.read(file.id, revisionId: revisionId) {
            try Task.checkCancellation()
            try write(piece)
        }
    }

    private static func writeHeld(_ path: String, of file: File) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Complaint(.localUnreadable, "“\(path)” cannot be read.") }
        defer { close(descriptor) }
        var hasher = SHA256Hasher()
        while true {
            var piece = ByteBufferAllocator().buffer(capacity: 1 << 18)
            let count = piece.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 18) { bytes in
                max(0, read(descriptor, bytes.baseAddress, 1 << 18))
            }
            guard count > 0 else { break }
            piece.withUnsafeReadableBytes { hasher.update($0) }
            try write(piece)
        }
        guard let checksum = file.checksum, hasher.finish() != checksum else { return }
        throw ClientFailure(
            .integrityMismatch, "What is kept of “\(file.name)” here is damaged, and so is what came out.",
            remedy: "Say it again when there is a connection.")
    }

    private static func write(_ piece: ByteBuffer) throws {
        try piece.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EPIPE {
                    // The reader has enough, as with `bothy cat /log | head`.
                    exit(128 + SIGPIPE)
                } else if errno != EINTR, errno != EAGAIN {
                    throw Complaint(
                        .localUnwritable, "Standard output cannot be written: \(String(cString: strerror(errno))).",
                        remedy: "Check the disk that it goes to.", status: .failed)
                }
            }
        }
    }
}
