/// Which Bothy this is. Client and server of one release are one binary.
public enum Release {
    /// Semantic version.
    public static let version = "0.1.0"
}
