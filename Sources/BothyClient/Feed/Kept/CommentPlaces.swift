import Synchronization

/// Where the pages of comments ended that this process has read: the server's mark of a place tells a device nothing.
final class CommentPlaces: Sendable {
    /// A comment, by what the server orders them.
    struct End: Sendable {
        var thread: Int64
        var comment: Int64
    }

    private static let most = 1_000
    private let ends = Mutex<[String: End]>([:])

    /// - Returns: the last comment before that place; nil where no page that ended there was read.
    func end(before place: String, on post: Int64) -> End? {
        ends.withLock { $0["\(post) \(place)"] }
    }

    func note(_ end: End, before place: String, on post: Int64) {
        ends.withLock { ends in
            if ends.count >= Self.most { ends.removeAll() }
            ends["\(post) \(place)"] = end
        }
    }
}
