/// How bodies may be compressed for the way: the names of `Content-Encoding`.
public enum ContentCodings {
    /// RFC 8878. Of a request one frame, which says how many bytes it holds; of an answer as many as it takes.
    public static let zstd = "zstd"
}
