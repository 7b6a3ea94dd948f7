/// The bounds of what files and folders may be, and of what is asked about them.
public enum FileLimits {
    /// Folders between the root and a file.
    public static let maximumDepth = 1_000
    /// Files and folders that one request copies, within one transaction that others wait for; about a second's work.
    public static let maximumCopiedItems = 10_000
    /// Bytes of UTF-8 of a request id.
    public static let requestIdLength = 1...128
    /// Bytes of UTF-8 of a mime type.
    public static let mimeTypeLength = 1...255
    /// Changes that one `asOf` may look back over, within the transaction that deletes; with more, look anew first.
    public static let maximumChangesToCheck = 20_000
}
