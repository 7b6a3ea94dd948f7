import BothyContent
import BothyContract
import Foundation

/// A copy of a file of this machine's in the home's own folder: what a person does to the file afterwards changes
/// nothing about what is sent.
struct LocalCopy: Sendable {
    let disk: any LocalDisk

    private static let piece = 1 << 20

    /// By reflink where the disk can: then it costs no room. Durable when this returns.
    ///
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile`, `sourceChanged`, `diskFull`; then nothing is kept.
    func make(of source: String, at path: String, mimeType: String?) throws -> PendingContent {
        guard let before = try disk.facts(of: source) else {
            throw ClientFailure(.fileMissing, "“\(source)” is not there.")
        }
        guard before.kind == .file else { throw ClientFailure(.sourceNotAFile, "“\(source)” is not a file.") }
        do {
            let hash = try copy(source, to: path, before.size)
            guard try disk.facts(of: source) == before else {
                throw ClientFailure(.sourceChanged, "“\(source)” changed while it was read.")
            }
            return PendingContent(
                path: path, size: before.size, checksum: hash, modifiedAt: before.modifiedAt,
                executable: before.executable, mimeType: mimeType, owned: true)
        } catch {
            // What went wrong first is told; the copy is nobody's.
            try? disk.remove(path)
            throw error
        }
    }

    private func copy(_ source: String, to path: String, _ size: Int64) throws -> ContentHash {
        let from = try disk.openForReading(source)
        let to = try disk.openForWriting(path)
        // What a copy that was killed has left there is longer than this one, perhaps.
        try to.truncate(to: 0)
        let isShared = Self.reflink(source, path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 64)
        defer { buffer.deallocate() }
        var hasher = SHA256Hasher()
        var offset: Int64 = 0
        while true {
            let count = try (isShared ? to : from).read(into: buffer, at: offset)
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            if !isShared { try to.write(bytes, at: offset) }
            offset += Int64(count)
        }
        guard offset == size else { throw ClientFailure(.sourceChanged, "“\(source)” changed while it was read.") }
        // What is sent later says when and how the file was: the copy is as the source.
        if let facts = try disk.facts(of: source) {
            try disk.setMode(path, executable: facts.executable)
            try disk.setModified(path, to: facts.modifiedAt)
        }
        try to.sync()
        return hasher.finish()
    }

    /// FICLONE: https://man7.org/linux/man-pages/man2/ioctl_ficlone.2.html
    private static func reflink(_ source: String, _ path: String) -> Bool {
        #if os(Linux)
            let from = open(source, O_RDONLY | O_CLOEXEC)
            guard from >= 0 else { return false }
            defer { close(from) }
            let to = open(path, O_WRONLY | O_CLOEXEC)
            guard to >= 0 else { return false }
            defer { close(to) }
            return ioctl(to, 0x4004_9409, from) == 0
        #else
            return false
        #endif
    }
}
