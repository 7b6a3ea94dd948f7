/// A name as a screen may show it: anyone can name a file, and a name must not be able to pass for another.
public enum ShownName {
    /// The name with marks that turn or hide text spelt out: «photo⟨U+202E⟩gpj.exe», which would else read
    /// «photoexe.jpg» (Unicode Technical Report 36, §2.6). What scripts and emoji need to be written stays.
    public static func of(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: isDeceptive) else { return name }
        var text = ""
        for scalar in name.unicodeScalars {
            if isDeceptive(scalar) {
                text += "⟨U+" + String(scalar.value, radix: 16, uppercase: true) + "⟩"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9).
        case 0x202A...0x202E, 0x2066...0x2069: true
        // Marks of direction, line and paragraph separators, and what takes no room at all.
        case 0x200B, 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0x2060...0x2065, 0xFEFF, 0x00AD: true
        // Tags, which spell invisible text, but end the flags of England, Scotland and Wales.
        case 0xE0001: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
