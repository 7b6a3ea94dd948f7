/// `GET …/{revisionId}/sketch`: what a device that has another version finds the same bytes by. It sends what is new then, and has never to have
/// had this one.
///
/// The size of a fragment as a big-endian 32-bit number; then, of each fragment from the first byte on, side by side, two of those: its anchor
/// and the highest half of its hash. What is left at the end of the file is in none.
public enum SketchFormat {
    public static let mediaType = "application/vnd.bothy.sketch"
    /// Bytes before the first fragment's.
    public static let bytesOfHead = 4
    /// Bytes of each fragment.
    public static let bytesOfFragment = 8
    /// Bytes of a file that there is one of: to make it the server reads all of it.
    public static let fileSizes: ClosedRange<Int64> = 1...(64 << 20)
    /// Bytes. Of 64 MiB it is half of that.
    public static let mostBytes = bytesOfHead + 64 << 10
    /// Bytes that a fragment has at least, and at most.
    public static let fragmentSizes: ClosedRange<Int> = 256...(64 << 10)

    /// Bytes of each fragment. The sketch and what goes around one edit, which is a fragment as a rule, are the least together where a
    /// fragment's square is eight times the file; this is the power of two below that.
    ///
    /// - Parameter size: bytes, 0 or more.
    public static func fragmentSize(forFileOf size: Int64) -> Int {
        var fragment = fragmentSizes.lowerBound
        while fragment < fragmentSizes.upperBound, Int64(4 * fragment * fragment) <= size * Int64(bytesOfFragment) {
            fragment *= 2
        }
        return fragment
    }
}
