/// The version of a file as a strong entity tag (RFC 9110 §8.8.3): `"<epoch>-<version>"`.
public struct EntityTag: Hashable, Sendable {
    /// The server's; a restore from a backup begins another.
    public var epoch: Int64
    /// The file's.
    public var version: Int64

    public init(epoch: Int64, version: Int64) {
        self.epoch = epoch
        self.version = version
    }

    /// As `ETag` and `If-Match` have it, with its quotes.
    public var text: String { "\"\(epoch)-\(version)\"" }

    /// - Returns: nil for what is no tag of a file.
    public init?(text: String) {
        let parts = text.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        guard text.first == "\"", text.last == "\"", parts.count == 2, let epoch = Int64(parts[0]),
            let version = Int64(parts[1]), epoch >= 0, version >= 0
        else { return nil }
        self.init(epoch: epoch, version: version)
    }
}
