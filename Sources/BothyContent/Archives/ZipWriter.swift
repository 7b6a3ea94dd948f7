import BothyContract
import CZlib

/// A ZIP archive as a stream: nothing is deflated and nothing is read twice, so that an archive of any size goes out as
/// its files come in (APPNOTE.TXT 6.3.10, PKWARE: `https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT`).
///
/// A file's checksum follows its bytes (§4.3.9). What is 4 GiB or larger, lies past 4 GiB, or comes after 65,535 others is
/// told in ZIP64 (§4.5.3). Its length is known before its first byte: see ``length(of:)``.
package struct ZipWriter: Sendable {
    /// What goes in.
    package struct Entry: Equatable, Sendable {
        /// With `/` between names; a folder's ends with one.
        package var path: String
        /// Bytes; 0 for a folder.
        package var size: Int64
        package var modifiedAt: Timestamp

        package init(path: String, size: Int64, modifiedAt: Timestamp) {
            self.path = path
            self.size = size
            self.modifiedAt = modifiedAt
        }

        var isFolder: Bool { path.hasSuffix("/") }
    }

    private struct Written: Sendable {
        var entry: Entry
        var checksum: UInt32
        var offset: Int64
    }

    private static let most32 = Int64(UInt32.max)
    private static let most16 = Int(UInt16.max)
    /// Bytes of a path: its header has two for their number.
    package static let mostPathBytes = most16

    private var written = [Written]()
    private var offset: Int64 = 0
    private var checksum: UInt32 = 0
    private var left: Int64 = 0

    package init() {}

    /// What comes before the bytes of a file.
    package mutating func begin(_ entry: Entry) -> [UInt8] {
        precondition(left == 0 && entry.path.utf8.count <= Self.mostPathBytes, "one entry after the other")
        let header = Self.localHeader(entry)
        written.append(Written(entry: entry, checksum: 0, offset: offset))
        checksum = 0
        left = entry.size
        offset += Int64(header.count) + entry.size
        return header
    }

    /// Counts some of the file's bytes, which the caller sends.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= left, "a file has as many bytes as it said")
        // Nothing at nowhere would begin the checksum anew.
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        left -= Int64(bytes.count)
        checksum = UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), start, bytes.count))
    }

    /// What comes after the bytes of a file; empty for a folder.
    package mutating func end() -> [UInt8] {
        precondition(left == 0, "a file has as many bytes as it said")
        let entry = written[written.count - 1].entry
        written[written.count - 1].checksum = checksum
        if entry.isFolder { return [] }
        var bytes = LittleEndian()
        bytes.put(UInt32(0x0807_4B50))
        bytes.put(checksum)
        if entry.size > Self.most32 {
            bytes.put(UInt64(entry.size))
            bytes.put(UInt64(entry.size))
        } else {
            bytes.put(UInt32(entry.size))
            bytes.put(UInt32(entry.size))
        }
        offset += Int64(bytes.bytes.count)
        return bytes.bytes
    }

    /// What comes after everything.
    package func finish() -> [UInt8] {
        var bytes = LittleEndian()
        for one in written { Self.putCentral(one, into: &bytes) }
        let size = Int64(bytes.bytes.count)
        Self.putEnd(count: written.count, size: size, offset: offset, into: &bytes)
        return bytes.bytes
    }

    /// Bytes of an archive of these.
    package static func length(of entries: [Entry]) -> Int64 {
        var offset: Int64 = 0
        var central: Int64 = 0
        for entry in entries {
            let isLarge = entry.size > most32
            let start = offset
            offset += Int64(30 + entry.path.utf8.count + stamp + (isLarge ? 20 : 0)) + entry.size
            if !entry.isFolder { offset += isLarge ? 24 : 16 }
            central += Int64(46 + entry.path.utf8.count + stamp + wideExtra(entry.size, start))
        }
        let isWide = entries.count >= most16 || central >= most32 || offset >= most32
        return offset + central + (isWide ? 76 : 0) + 22
    }

    // MARK: - Records

    /// Bytes of the extra field with the time to the second: the header's own is to two, and of no zone.
    private static let stamp = 9

    private static func wideExtra(_ size: Int64, _ offset: Int64) -> Int {
        let fields = (size > most32 ? 2 : 0) + (offset >= most32 ? 1 : 0)
        return fields == 0 ? 0 : 4 + 8 * fields
    }

    private static func localHeader(_ entry: Entry) -> [UInt8] {
        let isLarge = entry.size > most32
        var bytes = LittleEndian()
        bytes.put(UInt32(0x0403_4B50))
        putCommon(entry, isWide: isLarge, into: &bytes)
        bytes.put(UInt32(0))
        // Known only after the bytes; a large one says here how wide they will be told.
        bytes.put(isLarge ? UInt32.max : 0)
        bytes.put(isLarge ? UInt32.max : 0)
        bytes.put(UInt16(entry.path.utf8.count))
        bytes.put(UInt16(stamp + (isLarge ? 20 : 0)))
        bytes.bytes += Array(entry.path.utf8)
        if isLarge {
            bytes.put(UInt16(1))
            bytes.put(UInt16(16))
            bytes.put(UInt64(entry.size))
            bytes.put(UInt64(entry.size))
        }
        putStamp(entry, into: &bytes)
        return bytes.bytes
    }

    private static func putCentral(_ one: Written, into bytes: inout LittleEndian) {
        let entry = one.entry
        let (isLarge, isFar) = (entry.size > most32, one.offset >= most32)
        let wide = wideExtra(entry.size, one.offset)
        bytes.put(UInt32(0x0201_4B50))
        // Made on Unix: the high half of the attributes is the mode.
        bytes.put(UInt16(3 << 8 | 45))
        putCommon(entry, isWide: wide > 0, into: &bytes)
        bytes.put(one.checksum)
        bytes.put(isLarge ? UInt32.max : UInt32(entry.size))
        bytes.put(isLarge ? UInt32.max : UInt32(entry.size))
        bytes.put(UInt16(entry.path.utf8.count))
        bytes.put(UInt16(stamp + wide))
        bytes.put(UInt16(0))
        bytes.put(UInt16(0))
        bytes.put(UInt16(0))
        bytes.put(entry.isFolder ? UInt32(0o040755) << 16 | 0x10 : UInt32(0o100644) << 16)
        bytes.put(isFar ? UInt32.max : UInt32(one.offset))
        bytes.bytes += Array(entry.path.utf8)
        if wide > 0 {
            bytes.put(UInt16(1))
            bytes.put(UInt16(wide - 4))
            if isLarge {
                bytes.put(UInt64(entry.size))
                bytes.put(UInt64(entry.size))
            }
            if isFar { bytes.put(UInt64(one.offset)) }
        }
        putStamp(entry, into: &bytes)
    }

    /// Version, flags, method and time, as both headers have them.
    private static func putCommon(_ entry: Entry, isWide: Bool, into bytes: inout LittleEndian) {
        bytes.put(UInt16(isWide ? 45 : 20))
        // Bit 3: the checksum follows the bytes. Bit 11: the name is UTF-8.
        bytes.put(UInt16((entry.isFolder ? 0 : 1 << 3) | 1 << 11))
        bytes.put(UInt16(0))
        let (time, date) = dosTime(entry.modifiedAt)
        bytes.put(time)
        bytes.put(date)
    }

    private static func putStamp(_ entry: Entry, into bytes: inout LittleEndian) {
        bytes.put(UInt16(0x5455))
        bytes.put(UInt16(5))
        bytes.bytes.append(1)
        bytes.put(UInt32(bitPattern: Int32(clamping: entry.modifiedAt.seconds)))
    }

    private static func putEnd(count: Int, size: Int64, offset: Int64, into bytes: inout LittleEndian) {
        let isWide = count >= most16 || size >= most32 || offset >= most32
        if isWide {
            bytes.put(UInt32(0x0606_4B50))
            bytes.put(UInt64(44))
            bytes.put(UInt16(3 << 8 | 45))
            bytes.put(UInt16(45))
            bytes.put(UInt32(0))
            bytes.put(UInt32(0))
            bytes.put(UInt64(count))
            bytes.put(UInt64(count))
            bytes.put(UInt64(size))
            bytes.put(UInt64(offset))
            bytes.put(UInt32(0x0706_4B50))
            bytes.put(UInt32(0))
            bytes.put(UInt64(offset + size))
            bytes.put(UInt32(1))
        }
        bytes.put(UInt32(0x0605_4B50))
        bytes.put(UInt16(0))
        bytes.put(UInt16(0))
        bytes.put(UInt16(min(count, most16)))
        bytes.put(UInt16(min(count, most16)))
        bytes.put(UInt32(min(size, most32)))
        bytes.put(UInt32(min(offset, most32)))
        bytes.put(UInt16(0))
    }

    /// In UTC, from 1980 to 2107, to two seconds.
    private static func dosTime(_ moment: Timestamp) -> (time: UInt16, date: UInt16) {
        let text = Array(moment.rfc3339.utf8)
        func number(_ range: Range<Int>) -> UInt16 {
            text[range].reduce(0) { $0 * 10 + UInt16($1 - UInt8(ascii: "0")) }
        }
        let year = number(0..<4)
        guard (1980...2107).contains(year) else { return (0, 1 << 5 | 1) }
        let time = number(11..<13) << 11 | number(14..<16) << 5 | number(17..<19) / 2
        return (time, (year - 1980) << 9 | number(5..<7) << 5 | number(8..<10))
    }
}

/// Bytes as a ZIP has its numbers.
private struct LittleEndian {
    var bytes = [UInt8]()

    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
