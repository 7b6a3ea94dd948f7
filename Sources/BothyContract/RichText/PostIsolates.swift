/// The marks of Unicode that keep the direction of some words from what stands beside them (UAX #9, LRI, RLI, FSI and PDI), in
/// one block of a post. Each is closed in it, so that no block turns what comes after it.
struct PostIsolates {
    private(set) var open = 0
    private var skipped = 0

    /// In each other.
    private static let deepest = 8
    static let end: Unicode.Scalar = "\u{2069}"

    /// - Returns: false for one that is left out: it closes nothing, or would be too deep.
    mutating func keep(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2066...0x2068:
            guard open < Self.deepest else {
                skipped += 1
                return false
            }
            open += 1
        case Self.end.value:
            guard skipped == 0 else {
                skipped -= 1
                return false
            }
            guard open > 0 else { return false }
            open -= 1
        default: break
        }
        return true
    }
}
