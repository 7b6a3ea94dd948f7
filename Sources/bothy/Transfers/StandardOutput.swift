import BothyClient
import BothyContract
import Foundation
import NIOCore

/// Writes files to standard output, checked as they go.
enum StandardOutput {
    /// - Throws: a `Complaint` that says so when the end shows that the bytes were not what they should be: they are
    ///   out by then, and the exit status tells.
    static func write(_ file: File, revisionId: String?, from home: DeviceHome) async throws {
        if revisionId == nil {
            if home.files.isOffline || file.isOnlyHere { return try await writeHeld(file, from: home) }
            if try await writeKept(file, from: home) { return }
        }
        for try await piece in await home.transfers.read(file.id, revisionId: revisionId) {
            try Task.checkCancellation()
            try write(piece)
        }
    }

    private static func writeHeld(_ file: File, from home: DeviceHome) async throws {
        let copy = try await home.heldContent(of: file)
        do {
            try await write(copy)
        } catch is CheckedHeldContent.Damage {
            try await home.replica.letGo(ofDamaged: copy)
            throw copy.damage(of: file.name, isOffline: true)
        }
    }

    /// What is here is known to be right before any of it is out, so that the server need not send it.
    ///
    /// - Returns: whether it was here; it is again, where it was damaged.
    private static func writeKept(_ file: File, from home: DeviceHome) async throws -> Bool {
        let held = CheckedHeldContent(disk: Home.environment.disk)
        guard let copy = try await home.replica.wholeCopy(of: file, checking: held) else { return false }
        do {
            try await write(copy)
        } catch is CheckedHeldContent.Damage {
            throw copy.damage(of: file.name, isOffline: false)
        }
        return true
    }

    private static func write(_ copy: HeldCopy) async throws {
        try await CheckedHeldContent(disk: Home.environment.disk).send(0..<copy.size, of: copy) { piece in
            try Task.checkCancellation()
            try write(piece)
        }
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
                        remedy: "Check the disk that it is written to.", status: .failed)
                }
            }
        }
    }
}
