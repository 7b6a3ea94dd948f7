import NIOCore

/// One pack, open. Closed when nobody holds it any more.
final class PackFile: Sendable {
    let pack: Int64
    let path: String
    private let disk: any DiskOperations
    private let descriptor: Int32

    init(pack: Int64, path: String, descriptor: Int32, disk: any DiskOperations) {
        self.pack = pack
        self.path = path
        self.descriptor = descriptor
        self.disk = disk
    }

    deinit { disk.close(descriptor) }

    func size() throws(DiskFailure) -> FileExtent { try disk.size(descriptor) }
    func sync() throws(DiskFailure) { try disk.sync(descriptor) }

    func startWriteback(offset: Int64, length: Int64) {
        disk.startWriteback(descriptor, offset: offset, length: length)
    }

    func punchHole(offset: Int64, length: Int64) throws(DiskFailure) {
        try disk.punchHole(descriptor, offset: offset, length: length)
    }

    /// Writes all parts, one behind the other.
    func write(_ parts: [ByteBuffer], at offset: Int64) throws(DiskFailure) {
        var offset = offset
        // The buffers are held by `parts` for as long as the pointers are used.
        var rest = parts.filter { $0.readableBytes > 0 }
        while !rest.isEmpty {
            let written = try writeOnce(rest, at: offset)
            guard written > 0 else { throw DiskFailure(call: "write", code: DiskFailure.ioError) }
            offset += Int64(written)
            rest = Self.dropping(written, from: rest)
        }
    }

    private func writeOnce(_ parts: [ByteBuffer], at offset: Int64) throws(DiskFailure) -> Int {
        var pointers = [UnsafeRawBufferPointer]()
        pointers.reserveCapacity(parts.count)
        return try withPointers(parts[...], &pointers, at: offset)
    }

    /// Keeps each buffer's storage borrowed while the next one is, and writes when all are.
    private func withPointers(
        _ parts: ArraySlice<ByteBuffer>, _ pointers: inout [UnsafeRawBufferPointer], at offset: Int64
    ) throws(DiskFailure) -> Int {
        guard let first = parts.first else { return try disk.write(descriptor, pointers, at: offset) }
        let outcome: Result<Int, DiskFailure> = first.withUnsafeReadableBytes { bytes in
            pointers.append(bytes)
            do throws(DiskFailure) {
                return .success(try withPointers(parts.dropFirst(), &pointers, at: offset))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func dropping(_ count: Int, from parts: [ByteBuffer]) -> [ByteBuffer] {
        var count = count
        var rest = parts[...]
        while let first = rest.first, count >= first.readableBytes {
            count -= first.readableBytes
            rest = rest.dropFirst()
        }
        var kept = Array(rest)
        if count > 0 { kept[0].moveReaderIndex(forwardBy: count) }
        return kept
    }

    /// Fills all parts from the file.
    ///
    /// - Returns: false when the file ends before.
    func read(into parts: [UnsafeMutableRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Bool {
        var offset = offset
        var rest = parts.filter { !$0.isEmpty }
        while !rest.isEmpty {
            var count = try disk.read(descriptor, into: rest, at: offset)
            if count == 0 { return false }
            offset += Int64(count)
            while let first = rest.first, count >= first.count {
                count -= first.count
                rest.removeFirst()
            }
            if count > 0 { rest[0] = UnsafeMutableRawBufferPointer(rebasing: rest[0][count...]) }
        }
        return true
    }
}
