import BothyContent
import BothyContract
import NIOCore

/// A file of this device, read for a screen.
package enum LocalReading {
    /// Bytes of one piece.
    package static let piece: Int64 = 256 << 10

    package static func beginning(of path: String, most bytes: Int, disk: any LocalDisk) throws -> [UInt8] {
        let file = try disk.openForReading(path)
        var read = [UInt8](repeating: 0, count: Int(min(Int64(bytes), try file.facts().size)))
        var count = 0
        while count < read.count {
            let got = try read.withUnsafeMutableBytes { room in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]), at: Int64(count))
            }
            if got == 0 { break }
            count += got
        }
        return Array(read.prefix(count))
    }

    /// Reads all of a file, piece by piece.
    ///
    /// - Throws: `fileMissing`, `permissionDenied`, `diskFailed`; `canceled` once nobody waits for it any more.
    package static func hash(of path: String, disk: any LocalDisk) throws(ClientFailure) -> ContentHash {
        let file = try disk.openForReading(path)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(piece), alignment: 64)
        defer { room.deallocate() }
        var hasher = SHA256Hasher()
        while true {
            if DiskWork.isCancelled { throw DiskWork.canceled }
            let count = try file.read(into: room, at: hasher.byteCount)
            guard count > 0 else { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// The next bytes from a place on; none at the end.
    static func piece(of file: any LocalFile, at offset: Int64, most bytes: Int64 = .max) throws -> ByteBuffer {
        let count = Int(min(piece, bytes))
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: offset)
        }
        return buffer
    }

    /// From its beginning, as fast as it is taken.
    ///
    /// - Throws: `fileMissing`, `permissionDenied`.
    package static func stream(_ path: String, disk: any LocalDisk) throws -> AsyncThrowingStream<ByteBuffer, any Error>
    {
        let reading = Reading(try disk.openForReading(path), queue: DiskQueue("reading"))
        return AsyncThrowingStream { try await reading.next() }
    }

    private actor Reading {
        private let file: any LocalFile
        private let queue: DiskQueue
        private var offset: Int64 = 0

        init(_ file: any LocalFile, queue: DiskQueue) {
            self.file = file
            self.queue = queue
        }

        func next() async throws -> ByteBuffer? {
            let (file, offset) = (file, offset)
            let bytes = try await queue.run { try LocalReading.piece(of: file, at: offset) }
            self.offset += Int64(bytes.readableBytes)
            return bytes.readableBytes == 0 ? nil : bytes
        }
    }
}
