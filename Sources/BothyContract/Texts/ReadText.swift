/// Bytes as the text that they are, in the encodings that people's files have.
///
/// With a byte order mark UTF-8 or UTF-16 (The Unicode Standard, §23.8); else UTF-8, and what is none Windows-1252, which
/// Latin-1 is a part of (https://encoding.spec.whatwg.org/#legacy-single-byte-encodings).
package enum ReadText {
    /// - Parameter bytes: of the beginning of a file, which may end within a character.
    /// - Returns: nil for what is no text, whatever its name says.
    package static func of(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2)) { UInt16($0) | UInt16($1) << 8 } }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) } }
        return utf8(bytes[...])
    }

    /// Zero bytes are in no text.
    private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.contains(0) else { return nil }
        if let text = String(validating: whole(bytes), as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { windows1252[Int($0)] }))
    }

    /// Without the character that the end has cut through.
    private static func whole(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for length in 1...3 where bytes.count >= length {
            let byte = bytes[bytes.endIndex - length]
            if byte & 0b1100_0000 == 0b1000_0000 { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > length ? bytes.dropLast(length) : bytes
        }
        return bytes
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        let units = pairs.map { unit(bytes[$0], bytes[$0 + 1]) }
        return units.contains(0) ? nil : String(decoding: units, as: UTF16.self)
    }

    private static let windows1252: [Unicode.Scalar] = {
        var table = (0..<256).map { Unicode.Scalar(UInt8($0)) }
        let high = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ"
        for (place, scalar) in high.unicodeScalars.enumerated() { table[0x80 + place] = scalar }
        return table
    }()
}
