/// Where a page of posts that are kept here goes on, however many of them the server has.
struct KeptPlace {
    /// The last post that was shown.
    var post: Int64

    private static let prefix = "kept-"

    init(after post: Int64) { self.post = post }

    /// - Returns: nil for a place of the server's.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let post = Int64(text.dropFirst(Self.prefix.count)) else { return nil }
        self.post = post
    }

    var text: String { Self.prefix + String(post) }
}
