/// How bodies may be compressed for the way: the names of `Content-Encoding`.
public enum ContentCodings {
    /// One frame of RFC 8878, which says how many bytes it holds.
    public static let zstd = "zstd"
}
