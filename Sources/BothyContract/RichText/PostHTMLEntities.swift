/// Character references of HTML: those by number, and by name those that people and editors write.
enum PostHTMLEntities {
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "mdash": "—",
        "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•",
        "middot": "·", "copy": "©", "reg": "®", "trade": "™", "euro": "€", "deg": "°", "times": "×", "shy": "\u{AD}",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é",
        "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "colon": ":", "Tab": "\t", "NewLine": "\n",
    ]
    private static let longestName = 8

    static func decoded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        var place = scalars.startIndex
        while place < scalars.endIndex {
            guard scalars[place] == "&", let (scalar, end) = reference(scalars[(place + 1)...]) else {
                text.append(scalars[place])
                place += 1
                continue
            }
            text.append(scalar)
            place = end
        }
        return String(text)
    }

    /// - Parameter rest: what stands behind the “&”.
    /// - Returns: what it stands for, and where it ends; nil where it is no reference.
    private static func reference(_ rest: ArraySlice<Unicode.Scalar>) -> (Unicode.Scalar, Int)? {
        guard rest.first == "#" else {
            let name = rest.prefix(longestName).prefix { $0.properties.isAlphabetic }
            guard let scalar = named[String(String.UnicodeScalarView(name))] else { return nil }
            return (scalar, endIndex(name.endIndex, in: rest))
        }
        let isHex = rest.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
        let digits = rest.dropFirst(isHex ? 2 : 1).prefix { Character($0).isHexDigit && (isHex || $0.isDecimal) }
        guard !digits.isEmpty else { return nil }
        let value = UInt32(String(String.UnicodeScalarView(digits)), radix: isHex ? 16 : 10)
        let scalar = value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) } ?? "\u{FFFD}"
        return (scalar, endIndex(digits.endIndex, in: rest))
    }

    /// Behind the semicolon, which browsers do without.
    private static func endIndex(_ index: Int, in rest: ArraySlice<Unicode.Scalar>) -> Int {
        index < rest.endIndex && rest[index] == ";" ? index + 1 : index
    }
}

extension Unicode.Scalar {
    fileprivate var isDecimal: Bool { ("0"..."9").contains(self) }
}
