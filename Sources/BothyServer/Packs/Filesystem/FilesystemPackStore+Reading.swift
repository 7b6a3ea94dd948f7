import BothyContent
import BothyContract
import Foundation
import NIOCore

extension FilesystemPackStore {
    package func read(_ location: BlockLocation, of hash: ContentHash, range: Range<Int>) async throws -> ByteBuffer {
        guard location.length > 0, (1...location.length).contains(location.stored),
            location.offset >= Int64(2 * PackFormat.headerBytes), location.pack > 0,
            range.lowerBound >= 0, range.upperBound <= location.length
        else { throw PackError.failed("bytes \(range) are not in a block of \(location.length)") }
        if range.isEmpty { return ByteBuffer() }
        return try await blocking { [packs] in
            let file: PackFile
            do throws(DiskFailure) {
                file = try packs.file(location.pack)
            } catch  where error.isMissing {
                throw PackError.damaged(location)
            }
            do {
                return try PackRecord(location: location, hash: hash).read(range, from: file)
            } catch let failure as DiskFailure where failure.code == EIO {
                // A sector that cannot be read is damage of what lies there, and no reason to look no further.
                throw PackError.damaged(location)
            }
        }
    }
}

/// A block as it lies in a pack, plain or compressed. Blocks.
struct PackRecord {
    let location: BlockLocation
    let hash: ContentHash

    /// A frame may hold as many bytes as the block has and no other number, whatever it says.
    ///
    /// - Parameter range: of the block.
    /// - Throws: ``PackError/damaged(_:)``; ``DiskFailure``.
    func read(_ range: Range<Int>, from file: PackFile) throws -> ByteBuffer {
        guard location.isCompressed else {
            return try CheckedPages(location: location, hash: hash, range: range).read(from: file)
        }
        let frame = try CheckedPages(location: location, hash: hash, range: 0..<location.stored).read(from: file)
        let block = frame.withUnsafeReadableBytes { Zstd.decompress($0, upTo: location.length) }
        guard let block, block.count == location.length else { throw PackError.damaged(location) }
        return ByteBuffer(bytes: block[range])
    }
}

/// The pages of a record's payload that hold some range, read and checked as whole pages. Blocks.
struct CheckedPages {
    let location: BlockLocation
    let hash: ContentHash
    let range: Range<Int>

    private var pages: Range<Int> {
        range.lowerBound / PackFormat.pageBytes..<PackFormat.pageCount(range.upperBound)
    }

    private var bytes: Range<Int> {
        pages.lowerBound * PackFormat.pageBytes..<min(pages.upperBound * PackFormat.pageBytes, location.stored)
    }

    /// The header is read with every range: pages know their place, but only the header knows whose they are.
    ///
    /// - Throws: ``PackError/damaged(_:)`` when a page, its checksum, or the header is not as written, or of another block.
    func read(from file: PackFile) throws -> ByteBuffer {
        var header = [UInt8](repeating: 0, count: PackFormat.headerBytes)
        var table = [UInt8](repeating: 0, count: 4 * pages.count)
        var payload = ByteBufferAllocator().buffer(capacity: bytes.count)
        let isWhole = try header.withUnsafeMutableBytes { header in
            try table.withUnsafeMutableBytes { table in
                try payload.withUnsafeMutableWritableBytes { writable in
                    let page = UnsafeMutableRawBufferPointer(rebasing: writable[..<bytes.count])
                    return try read(
                        [
                            (location.offset - Int64(header.count), header),
                            (location.offset + Int64(bytes.lowerBound), page),
                            (location.offset + Int64(location.stored + 4 * pages.lowerBound), table),
                        ], from: file)
                }
            }
        }
        guard isWhole else { throw PackError.damaged(location) }
        payload.moveWriterIndex(forwardBy: bytes.count)
        guard PackFormat.isHeader(header, of: hash, at: location), matches(payload, table) else {
            throw PackError.damaged(location)
        }
        payload.moveReaderIndex(forwardBy: range.lowerBound - bytes.lowerBound)
        guard let slice = payload.readSlice(length: range.count) else {
            preconditionFailure("the range lies in its pages")
        }
        return slice
    }

    /// One call for parts that lie side by side.
    ///
    /// - Returns: false when the file ends before.
    private func read(
        _ parts: [(start: Int64, bytes: UnsafeMutableRawBufferPointer)], from file: PackFile
    ) throws -> Bool {
        var rest = parts[...]
        while let first = rest.popFirst() {
            var run = [first.bytes]
            var end = first.start + Int64(first.bytes.count)
            while let next = rest.first, next.start == end {
                run.append(next.bytes)
                end += Int64(next.bytes.count)
                rest.removeFirst()
            }
            guard try file.read(into: run, at: first.start) else { return false }
        }
        return true
    }

    private func matches(_ payload: ByteBuffer, _ table: [UInt8]) -> Bool {
        payload.withUnsafeReadableBytes { payload in
            pages.allSatisfy { page in
                let first = (page - pages.lowerBound) * PackFormat.pageBytes
                let last = min(first + PackFormat.pageBytes, payload.count)
                let entry = 4 * (page - pages.lowerBound)
                return PackFormat.matches(
                    UnsafeRawBufferPointer(rebasing: payload[first..<last]), page, at: location,
                    entry: table[entry..<(entry + 4)])
            }
        }
    }
}
