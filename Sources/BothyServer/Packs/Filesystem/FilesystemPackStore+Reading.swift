import BothyContent
import BothyContract
import Foundation
import NIOCore

extension FilesystemPackStore {
    package func read(_ location: BlockLocation, range: Range<Int>) async throws -> ByteBuffer {
        guard location.length > 0, location.offset >= Int64(2 * PackFormat.headerBytes), location.pack > 0,
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
                return try CheckedPages(location: location, range: range).read(from: file)
            } catch let failure as DiskFailure where failure.code == EIO {
                // A sector that cannot be read is damage of what lies there, and no reason to look no further.
                throw PackError.damaged(location)
            }
        }
    }
}

/// The pages of a block that hold some range, read and checked as whole pages. Blocks.
struct CheckedPages {
    let location: BlockLocation
    let range: Range<Int>

    private var pages: Range<Int> {
        range.lowerBound / PackFormat.pageBytes..<PackFormat.pageCount(range.upperBound)
    }

    private var bytes: Range<Int> {
        pages.lowerBound * PackFormat.pageBytes..<min(pages.upperBound * PackFormat.pageBytes, location.length)
    }

    /// - Throws: ``PackError/damaged(_:)`` when a page, its checksum, or the header before the first page is not as
    ///   written.
    func read(from file: PackFile) throws -> ByteBuffer {
        let readsHeader = pages.lowerBound == 0
        var header = [UInt8](repeating: 0, count: readsHeader ? PackFormat.headerBytes : 0)
        var table = [UInt8](repeating: 0, count: 4 * pages.count)
        var payload = ByteBufferAllocator().buffer(capacity: bytes.count)
        let isWhole = try header.withUnsafeMutableBytes { header in
            try table.withUnsafeMutableBytes { table in
                try payload.withUnsafeMutableWritableBytes { writable in
                    let page = UnsafeMutableRawBufferPointer(rebasing: writable[..<bytes.count])
                    return try readParts(header, page, table, from: file)
                }
            }
        }
        guard isWhole else { throw PackError.damaged(location) }
        payload.moveWriterIndex(forwardBy: bytes.count)
        if readsHeader, PackFormat.hash(inHeader: header, at: location) == nil { throw PackError.damaged(location) }
        guard matches(payload, table) else { throw PackError.damaged(location) }
        payload.moveReaderIndex(forwardBy: range.lowerBound - bytes.lowerBound)
        guard let slice = payload.readSlice(length: range.count) else {
            preconditionFailure("the range lies in its pages")
        }
        return slice
    }

    /// One call where header, pages and table lie side by side, else one more for the table.
    private func readParts(
        _ header: UnsafeMutableRawBufferPointer, _ page: UnsafeMutableRawBufferPointer,
        _ table: UnsafeMutableRawBufferPointer, from file: PackFile
    ) throws -> Bool {
        let start = location.offset + Int64(bytes.lowerBound) - Int64(header.count)
        if pages.lowerBound == 0, bytes.upperBound == location.length {
            return try file.read(into: [header, page, table], at: start)
        }
        let tableStart = location.offset + Int64(location.length) + Int64(4 * pages.lowerBound)
        return try file.read(into: [header, page], at: start) && file.read(into: [table], at: tableStart)
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
