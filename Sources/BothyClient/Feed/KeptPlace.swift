/// Where a page of posts begins on a device: below a post, and where the server is asked from.
struct KeptPlace: Equatable {
    /// The last post that was shown.
    var post: Int64
    /// What the server calls the place below the last post that it answered with. Below that, what is kept here may have been shown since.
    /// Nil where all of the list was shown without the server.
    var remote: String?

    private static let prefix = "kept-"

    init(after post: Int64, remote: String? = nil) {
        self.post = post
        self.remote = remote
    }

    /// - Returns: nil for a place of the server's alone.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", maxSplits: 1)
        guard let post = parts.first.flatMap({ Int64($0) }) else { return nil }
        self.init(after: post, remote: parts.count > 1 ? String(parts[1]) : nil)
    }

    var text: String { Self.prefix + String(post) + (remote.map { "." + $0 } ?? "") }
}
