import BothyContent
import BothyContract

/// How packs lie on the disk. Numbers are little-endian.
///
/// ```
/// pack    = "BothyPk1" | pack number (8) | zeros (44) | CRC-32C (4) | record …
/// record  = header | payload | CRC-32C of each page of 64 KiB of the payload (4 each)
/// header  = kind (8) | length (8) | SHA-256 (32) | payload's offset (8) | low half of the pack's number (4) | CRC-32C (4)
/// kind    = "BothyBlk": the payload is the block | "BothyBlz": the payload is one Zstandard frame that holds the block, and
/// length is the payload's (4) and the block's (4)
/// ```
/// The SHA-256 is always that of the block. A page's checksum is mixed with its place, so that a page that landed somewhere else is noticed too.
enum PackFormat {
    static let headerBytes = 64
    static let pageBytes = 64 << 10
    private static let packMagic = Array("BothyPk1".utf8)
    private static let plainKind = Array("BothyBlk".utf8)
    private static let compressedKind = Array("BothyBlz".utf8)

    static func pageCount(_ length: Int) -> Int { (length + pageBytes - 1) / pageBytes }

    /// Bytes that a block of `length` takes in a pack.
    static func recordBytes(_ length: Int) -> Int64 {
        Int64(length) + overhead(blocks: 1, pages: Int64(pageCount(length)))
    }

    /// Bytes that a pack adds to those of so many blocks with so many pages in all.
    static func overhead(blocks: Int64, pages: Int64) -> Int64 { blocks * Int64(headerBytes) + 4 * pages }

    static func fileName(_ pack: Int64) -> String {
        let digits = String(pack)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits + ".pack"
    }

    static func pack(ofFileName name: String) -> Int64? {
        guard name.hasSuffix(".pack"), let pack = Int64(name.dropLast(5)), pack > 0, fileName(pack) == name else {
            return nil
        }
        return pack
    }

    static func packHeader(_ pack: Int64) -> [UInt8] {
        var bytes = packMagic
        append(UInt64(pack), to: &bytes)
        bytes += [UInt8](repeating: 0, count: headerBytes - 4 - bytes.count)
        append(CRC32C.checksum(bytes), to: &bytes)
        return bytes
    }

    static func recordHeader(_ location: BlockLocation, hash: ContentHash) -> [UInt8] {
        var bytes = location.isCompressed ? compressedKind : plainKind
        bytes.reserveCapacity(headerBytes)
        let plain = location.isCompressed ? UInt64(location.length) << 32 : 0
        append(UInt64(location.stored) | plain, to: &bytes)
        bytes += hash.bytes
        append(UInt64(location.offset), to: &bytes)
        append(UInt32(truncatingIfNeeded: location.pack), to: &bytes)
        append(CRC32C.checksum(bytes), to: &bytes)
        return bytes
    }

    /// Whether a record's header is whole, and names this block and this very place.
    static func isHeader(_ bytes: [UInt8], of hash: ContentHash, at location: BlockLocation) -> Bool {
        bytes == recordHeader(location, hash: hash)
    }

    /// The table that follows the payload.
    static func table(_ pages: [UInt32], at location: BlockLocation) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(4 * pages.count)
        for (page, checksum) in pages.enumerated() { append(checksum ^ placeMark(page, location), to: &bytes) }
        return bytes
    }

    /// Whether a page is as the table says. `entry` is 4 bytes of the table.
    static func matches(
        _ page: UnsafeRawBufferPointer, _ index: Int, at location: BlockLocation, entry: ArraySlice<UInt8>
    ) -> Bool {
        var expected = [UInt8]()
        append(CRC32C.checksum(page) ^ placeMark(index, location), to: &expected)
        return entry.elementsEqual(expected)
    }

    private static func placeMark(_ page: Int, _ location: BlockLocation) -> UInt32 {
        var place = (UInt64(bitPattern: location.pack), UInt64(bitPattern: location.offset), UInt64(page))
        return withUnsafeBytes(of: &place) { CRC32C.checksum($0) }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
