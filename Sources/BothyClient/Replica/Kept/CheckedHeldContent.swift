import BothyContract
import NIOCore
import Synchronization

/// Reads out content that this device holds, so that nobody takes what a disk has damaged for the whole.
///
/// A whole is hashed while it goes out, and its last piece stays here until the hash is right. Before a part goes out the
/// whole is read, once in this process for as long as nothing touches the file.
package final class CheckedHeldContent: Sendable {
    /// The content is not what it is known to be.
    package struct Damage: Error {
        /// Whether some of it has gone out.
        package var isBegun: Bool
    }

    /// What tells one state of a file that was found to be right.
    private struct Stamp: Hashable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var modifiedAt: Timestamp
        var changedAt: Timestamp
        var checksum: ContentHash?

        init(_ file: any LocalFile, _ checksum: ContentHash?) throws(ClientFailure) {
            let facts = try file.facts()
            (device, inode, size, modifiedAt) = (facts.device, facts.inode, facts.size, facts.modifiedAt)
            changedAt = try file.changedAt()
            self.checksum = checksum
        }
    }

    /// Files that are remembered. With more than that all are forgotten: what is read again is only read.
    private static let mostRemembered = 1000

    private let disk: any LocalDisk
    private let queue = DiskQueue("held")
    private let right = Mutex(Set<Stamp>())

    package init(disk: any LocalDisk) { self.disk = disk }

    /// Reads all of it, unless it was found to be right before and nothing touched it since.
    ///
    /// - Throws: `Damage`; `fileMissing`, `permissionDenied`, `diskFailed`.
    package func check(_ copy: HeldCopy) async throws {
        try await requireWhole(try await open(copy), copy)
    }

    /// Hands on a part of it, or all of it, in order.
    ///
    /// - Throws: `Damage`; `fileMissing`, `permissionDenied`, `diskFailed`.
    package func send(
        _ range: Range<Int64>, of copy: HeldCopy, _ piece: (ByteBuffer) async throws -> Void
    ) async throws {
        let file = try await open(copy)
        guard range != 0..<copy.size else { return try await sendWhole(file, copy, piece) }
        try await requireWhole(file, copy)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (start, count) = (offset, range.upperBound - offset)
            let bytes = try await queue.run { try LocalReading.piece(of: file, at: start, most: count) }
            guard bytes.readableBytes > 0 else { throw Damage(isBegun: offset > range.lowerBound) }
            offset += Int64(bytes.readableBytes)
            try await piece(bytes)
        }
    }

    private func open(_ copy: HeldCopy) async throws -> any LocalFile {
        try await queue.run { [disk] in try disk.openForReading(copy.path) }
    }

    private func sendWhole(
        _ file: any LocalFile, _ copy: HeldCopy, _ piece: (ByteBuffer) async throws -> Void
    ) async throws {
        let stamp = try await queue.run { try Stamp(file, copy.checksum) }
        guard stamp.size == copy.size else { throw Damage(isBegun: false) }
        var pieces = CheckedPieces()
        var isBegun = false
        while pieces.byteCount < copy.size {
            let (next, ready) = try await queue.run { [pieces] in
                var next = pieces
                let most = copy.size - next.byteCount
                let ready = next.take(try LocalReading.piece(of: file, at: next.byteCount, most: most))
                return (next, ready)
            }
            guard next.byteCount > pieces.byteCount else { throw Damage(isBegun: isBegun) }
            pieces = next
            guard let ready else { continue }
            isBegun = true
            try await piece(ready)
        }
        if let checksum = copy.checksum, pieces.checksum != checksum { throw Damage(isBegun: isBegun) }
        remember(stamp)
        if let last = pieces.last { try await piece(last) }
    }

    private func requireWhole(_ file: any LocalFile, _ copy: HeldCopy) async throws {
        let stamp = try await queue.run { try Stamp(file, copy.checksum) }
        guard copy.checksum != nil, !right.withLock({ $0.contains(stamp) }) else { return }
        do {
            try await sendWhole(file, copy) { _ in }
        } catch is Damage {
            throw Damage(isBegun: false)
        }
    }

    private func remember(_ stamp: Stamp) {
        right.withLock { right in
            if right.count == Self.mostRemembered { right.removeAll() }
            right.insert(stamp)
        }
    }
}
