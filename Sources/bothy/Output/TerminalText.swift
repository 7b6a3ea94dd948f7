import BothyContract

/// Text that is safe to show on a terminal, and how wide it is there.
///
/// Names come from elsewhere. One with an escape sequence in it could move the cursor, change the title or answer
/// for the person; one with a bidirectional mark could show `exe.gpj` where it says `jpg.exe`.
enum TerminalText {
    /// The text with everything that acts rather than shows written out: `\u{1B}`, `\u{202E}`.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.acts) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.acts {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same for what has several lines on purpose.
    static func safeLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }

    /// Columns that the text takes on a terminal: two for wide East Asian characters and emoji, none for marks.
    static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text in at most `columns` columns, its middle left out where it is longer: names differ at their ends.
    static func fitted(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard width(text) > columns else { return text }
        let room = columns - 1
        var head = ""
        var headWidth = 0
        for character in text {
            let next = width(of: character)
            if headWidth + next > room - room / 2 { break }
            head.append(character)
            headWidth += next
        }
        var tail: [Character] = []
        var tailWidth = 0
        for character in text.reversed() {
            let next = width(of: character)
            if headWidth + tailWidth + next > room { break }
            tail.append(character)
            tailWidth += next
        }
        return head + "…" + String(tail.reversed())
    }

    /// The text with blanks after it (or before it) up to `columns`.
    static func padded(_ text: String, to columns: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - width(text)))
        return right ? blanks + text : text + blanks
    }

    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(first.value) || character.unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
        }
    }

    /// The wide ranges of Unicode's EastAsianWidth.txt, without their narrow exceptions: a column too many does no harm.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
