/// A word as it stands on a shell's command line, read and written without ever asking the shell what it means.
enum ShellWord {
    /// What the unfinished word at the cursor means, its backslashes taken away.
    ///
    /// - Returns: nil where a quote is open, or where something would be expanded: then nothing is offered, since what is
    ///   inserted could end up in another place than it was made for.
    static func unquoted(_ word: String) -> String? {
        var result = ""
        var escaping = false
        for scalar in word.unicodeScalars {
            if escaping {
                result.unicodeScalars.append(scalar)
                escaping = false
            } else if scalar == "\\" {
                escaping = true
            } else if "'\"$`".unicodeScalars.contains(scalar) {
                return nil
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return escaping ? nil : result
    }

    /// The text as a word that bash takes for exactly that text: a backslash before every ASCII character that is not a
    /// letter, a digit or one of `/._,+-`.
    ///
    /// - Precondition: no control characters: a backslash before a newline means something else.
    static func quotedForBash(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            precondition(scalar.value >= 0x20 && scalar.value != 0x7F, "names with control characters are not offered")
            if scalar.isASCII, !isPlain(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", ",", "+", "-": true
        default: false
        }
    }
}
