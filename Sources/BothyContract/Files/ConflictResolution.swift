/// What becomes of a file that was changed on both sides. No way loses bytes: each side stays as a revision or as a file.
public enum ConflictResolution: String, Codable, CaseIterable, Sendable {
    /// It waits, both versions at hand, until a person chooses.
    case ask
    /// Both are kept: the server's under its name, the one here beside it.
    case fork
    /// The one that reaches the server last is the newest revision, the other stays in the history. No clock is asked.
    case lastWriteWins
    /// Texts are merged from the revision that both had; what cannot be merged is forked.
    case merge
}
