import BothyContent
import BothyContract

/// A download's partial file: opened, hashed as it fills up, and at last put in its place.
///
/// Unchecked because only its own queue touches what varies.
final class PartialFile: @unchecked Sendable {
    private let transfer: DownloadTransfer
    private let disk: any LocalDisk
    private let queue = DiskQueue("partial")
    private var file: (any LocalFile)?
    private var hasher = SHA256Hasher()
    private var scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: PartialFile.piece, alignment: 64)

    private static let piece = 1 << 20

    init(_ transfer: DownloadTransfer, disk: any LocalDisk) {
        self.transfer = transfer
        self.disk = disk
    }

    deinit { scratch.deallocate() }

    /// Checks the destination and the room, and opens the file.
    ///
    /// - Parameters:
    ///   - size: bytes of the whole.
    ///   - missing: bytes still to come.
    /// - Returns: the file, and whether it was there with that size.
    func prepare(
        size: Int64, missing: Int64, keeping: Bool
    ) async throws -> (file: any LocalFile, kept: Bool) {
        try await queue.run { [self] in
            try checkDestination()
            let there = try disk.facts(of: transfer.tempPath)
            let kept = keeping && there?.kind == .file && there?.size == size
            if !kept { try disk.remove(transfer.tempPath) }
            try checkRoom(kept ? missing : size)
            let opened = try disk.openForWriting(transfer.tempPath)
            if !kept { try opened.truncate(to: size) }
            file = opened
            hasher = SHA256Hasher()
            return (opened, kept)
        }
    }

    /// Hashes on to `end`, and tells the whole file's hash when that is its size.
    func hash(upTo end: Int64, of size: Int64) async throws -> ContentHash? {
        try await queue.run { [self] in
            guard let file else { return nil }
            while hasher.byteCount < end {
                let wanted = min(Self.piece, Int(end - hasher.byteCount))
                let space = UnsafeMutableRawBufferPointer(rebasing: scratch[..<wanted])
                let count = try file.read(into: space, at: hasher.byteCount)
                guard count > 0 else {
                    throw ClientFailure(.diskFailed, "“\(transfer.tempPath)” is shorter than what was written to it.")
                }
                hasher.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
            }
            return hasher.byteCount == size ? hasher.finish() : nil
        }
    }

    /// Makes it durable, then visible, in one step.
    func promote(executable: Bool, modifiedAt: Timestamp?) async throws {
        try await queue.run { [self] in
            guard let file else { return }
            try checkDestination()
            try disk.setMode(transfer.tempPath, executable: executable)
            if let modifiedAt { try disk.setModified(transfer.tempPath, to: modifiedAt) }
            try file.sync()
            try disk.rename(transfer.tempPath, to: transfer.destinationPath, replacing: transfer.replacing)
            try disk.syncFolder(transfer.folder)
            self.file = nil
        }
    }

    func discard() async throws {
        try await queue.run { [self] in
            file = nil
            hasher = SHA256Hasher()
            try disk.remove(transfer.tempPath)
        }
    }

    // MARK: - On the queue

    private func checkDestination() throws {
        guard try disk.facts(of: transfer.folder)?.kind == .folder else {
            throw ClientFailure(.destinationFolderMissing, "The folder “\(transfer.folder)” is not there.")
        }
        guard let there = try disk.facts(of: transfer.destinationPath) else { return }
        if there.kind == .folder {
            throw ClientFailure(.destinationIsAFolder, "“\(transfer.destinationPath)” is a folder.")
        }
        if !transfer.replacing {
            throw ClientFailure(.destinationExists, "“\(transfer.destinationPath)” is there already.")
        }
    }

    private func checkRoom(_ needed: Int64) throws {
        let free = try disk.freeBytes(at: transfer.folder)
        guard needed <= free else {
            throw ClientFailure(
                .diskFull,
                "“\(transfer.name)” needs \(needed) bytes more, and the disk of “\(transfer.folder)” has \(free).")
        }
    }
}
