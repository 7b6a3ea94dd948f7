extension Unicode.Scalar {
    /// Whether it acts on the terminal or page that shows it rather than shows itself: control characters, line and paragraph separators,
    /// and format characters (Unicode's `Cf`, which has the bidirectional marks) except for the two joiners that Persian, Indic scripts and
    /// emoji need.
    package var acts: Bool {
        if (0x20..<0x7F).contains(value) { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}
