extension String {
    /// The text as a person types it: one word, on one line, that a shell takes for exactly this text.
    ///
    /// What acts on a terminal is written by its bytes, as in `$'a\nb'`, which bash, zsh and ksh read, and every shell of
    /// POSIX.1-2024 (§2.2.4).
    package var asTyped: String {
        if unicodeScalars.contains(where: \.acts) { return "$'\(unicodeScalars.map(Self.escaped).joined())'" }
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "/._-+,@%".contains($0) }
        // A quote with a mark above it is one character, and none that a shell knows.
        return isPlain ? self : "'\(unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined())'"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "'", "\\": "\\\(scalar)"
        default: scalar.acts ? String(scalar).utf8.map(octal).joined() : String(scalar)
        }
    }

    /// Three digits, always: a digit that comes after them is none of theirs.
    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }
}
