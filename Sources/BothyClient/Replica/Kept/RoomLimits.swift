/// How much room on this device may be taken by what goes by itself when there is too much of it.
public struct RoomLimits: Codable, Equatable, Sendable {
    /// Bytes of what is known of files; nil for as much as the server lets a device keep, which it never keeps more than.
    public var metadata: Int64?
    /// Bytes of content that is at hand without being pinned; 0 keeps none.
    public var content: Int64

    /// Bytes of content where nobody has set anything.
    public static let usualContent: Int64 = 1_000_000_000
    /// Bytes of metadata: with less, what a person looks at would push out itself.
    public static let leastMetadata: Int64 = 1_000_000

    public init(metadata: Int64? = nil, content: Int64 = Self.usualContent) {
        self.metadata = metadata
        self.content = content
    }

    /// What holds where the server allows so much metadata.
    package func mostMetadata(allowed: Int64) -> Int64 { min(metadata ?? .max, allowed) }

    /// - Throws: `refused`, with what is possible.
    func check() throws(ClientFailure) {
        guard content >= 0, metadata ?? Self.leastMetadata >= Self.leastMetadata else {
            throw ClientFailure(
                .refused, "This is too little space for the list of files.",
                remedy: "Give at least 1 MB.")
        }
    }
}
