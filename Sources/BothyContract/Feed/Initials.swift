/// What stands for a person where there is no picture of her: the first letters of her name, on a colour that her id chooses.
public struct Initials: Equatable, Sendable {
    /// One or two characters, capitals where there are such; `?` for a name without letters and digits.
    public let text: String
    /// 0 to ``tints`` - 1: of the same person always the same.
    public let tint: Int

    public static let tints = 12

    public init(name: String, id: Int64) {
        let words = name.split { !($0.isLetter || $0.isNumber) }
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        // «ß» is two capitals.
        let capitals = letters.compactMap { $0.uppercased().first }
        text = capitals.isEmpty ? "?" : String(capitals)
        // Ids of accounts that were made one after the other lie close to each other.
        tint = Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 32) % Self.tints
    }

    /// The picture as SVG, 96 × 96, legible on its own.
    public var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img" aria-hidden="true">\
        <rect width="96" height="96" fill="\(Self.fills[tint])"/>\
        <text x="48" y="48" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="40" \
        font-weight="600" fill="#fff">\(Self.escaped(text))</text></svg>
        """
    }

    /// Each dark enough that white is legible on it: a contrast of 4.5 or more (WCAG 2.2, 1.4.3).
    static let fills = [
        "#a33a2c", "#9a4a12", "#7a5c00", "#556b00", "#2f7034", "#0b7261", "#0a6c86", "#2464ad", "#4a57b8", "#7048ae",
        "#934094", "#a63a68",
    ]

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "&#\($0.value);" }.joined()
    }
}
