import BothyContract
import Foundation

/// How names go from the server to a disk that cannot hold all of them, and back.
///
/// What a disk refuses is written as `%` and two hex digits, as in a URL (RFC 3986, 2.1). The way back needs no decoding for what is
/// synced, since each node keeps both of its names; for a name that first appears on the disk, `remoteName` undoes the mapping.
package enum NameMapping {
    /// The name that the disk holds for a name on the server; nil where it can hold neither that nor one like it.
    package static func localName(for name: NodeName, on disk: DiskTraits) -> NodeName? {
        if disk.holdsEveryName { return name }
        var text = name.text
        if disk.followsWindowsRules { text = escapedForWindows(text) }
        if disk.spelling == .decomposed { text = text.decomposedStringWithCanonicalMapping }
        if text.utf8.count > disk.longestName { text = shortened(text, of: name, to: disk.longestName) }
        return text.isEmpty ? nil : NodeName(text)
    }

    /// The name on the server for one that was given on the disk; nil where the server takes no such name.
    package static func remoteName(for name: NodeName, on disk: DiskTraits) -> NodeName? {
        var text = name.text
        if disk.followsWindowsRules, let plain = unescaped(text), escapedForWindows(plain).utf8.elementsEqual(text.utf8)
        {
            text = plain
        }
        // What cannot be made a name is none that the server takes.
        return (try? FileName.normalized(text)).map { NodeName($0) }
    }

    /// What names have in common that the disk takes for one.
    package static func fold(_ name: NodeName, on disk: DiskTraits) -> NodeName {
        if disk.spelling == .exact, disk.tellsCaseApart { return name }
        var text = name.text
        if disk.spelling != .exact { text = text.precomposedStringWithCanonicalMapping }
        if !disk.tellsCaseApart { text = text.lowercased() }
        return NodeName(text)
    }

    // MARK: - Windows' rules

    private static let refused = Set(#"<>:"|?*\"#.utf8)
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Percent signs are written as such only where they could be taken for an escape.
    private static func escapedForWindows(_ text: String) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        for (index, byte) in source.enumerated() {
            let isLast = index == source.count - 1
            let endsBadly = isLast && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: " "))
            let looksEscaped = byte == UInt8(ascii: "%") && hexValue(source[(index + 1)...].prefix(2)) != nil
            if refused.contains(byte) || endsBadly || looksEscaped {
                bytes += escape(byte)
            } else {
                bytes.append(byte)
            }
        }
        let stem = text.prefix { $0 != "." }.uppercased()
        if devices.contains(stem), let first = bytes.first { bytes.replaceSubrange(0..<1, with: escape(first)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        Array("%".utf8) + Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16, uppercase: true).utf8)
    }

    private static func unescaped(_ text: String) -> String? {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var at = 0
        while at < source.count {
            if source[at] == UInt8(ascii: "%"), let value = hexValue(source[(at + 1)...].prefix(2)) {
                bytes.append(value)
                at += 3
            } else {
                bytes.append(source[at])
                at += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    // MARK: - Long names

    /// The stem gives way, and eight digits of the whole name's hash tell it from others that begin alike.
    private static func shortened(_ text: String, of name: NodeName, to length: Int) -> String {
        let (stem, suffix) = FileName.split(text)
        let tail = "~" + NameDigest.hex(name.text).suffix(8) + suffix
        var kept = Substring(stem)
        while kept.utf8.count + tail.utf8.count > length, !kept.isEmpty { kept.removeLast() }
        return kept.isEmpty ? "" : kept + tail
    }
}

extension Place {
    /// The same place with its last name as the disk compares names.
    func folded(on disk: DiskTraits) -> Place {
        disk.foldsNames ? parent.appending(NameMapping.fold(name, on: disk)) : self
    }
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): the same on every machine and in every version.
enum NameDigest {
    /// 16 hex digits.
    static func hex(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
