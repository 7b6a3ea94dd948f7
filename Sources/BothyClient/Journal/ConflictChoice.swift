/// What a person decides about an operation that met something they had not seen. No choice loses bytes: the other side
/// stays in the history, in the trash, or beside.
public enum ConflictChoice: Equatable, Sendable {
    /// What was done here is done over what is there, which stays in the history.
    case mine
    /// What was done here is given up; content goes to the local trash.
    case theirs
    /// What was done here stands beside what is there, under this name.
    case both(name: String)
    /// This content, made from both, is the new version.
    case merged(PendingContent)
}
