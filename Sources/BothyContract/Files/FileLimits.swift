/// The bounds of what files and folders may be, and of what is asked about them.
public enum FileLimits {
    /// Folders between the root and a file.
    public static let maximumDepth = 1_000
    /// Bytes of UTF-8 of a request id.
    public static let requestIdLength = 1...128
    /// Bytes of UTF-8 of a mime type.
    public static let mimeTypeLength = 1...255
    /// Changes that one `asOf` may look back over.
    public static let maximumChangesToCheck = 100_000
    /// Days in the trash before it empties itself, as the server lives them.
    public static let trashLifetimeDays: Int64 = 30
    /// Days that the outcome of a request id is kept.
    public static let outcomeLifetimeDays: Int64 = 30
    /// Days that changes and the memory of deletions are kept.
    public static let historyLifetimeDays: Int64 = 365
}
