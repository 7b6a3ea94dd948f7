/// How long words of a post are: in characters as people count them, and a character that is a tower of marks counts for several.
public enum PostLength {
    /// Unicode scalars of one character; the largest emoji have ten.
    private static let scalarsOfOne = 16

    public static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    static func of(_ character: Character) -> Int { 1 + (character.unicodeScalars.count - 1) / scalarsOfOne }
}

extension PostText {
    public var length: Int { blocks.reduce(0) { $0 + $1.length } }
}

extension PostText.Block {
    /// In characters: see ``PostLength``.
    var length: Int { runs.reduce(0) { $0 + PostLength.of($1.text) } }
}
