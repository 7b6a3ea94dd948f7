/// Where a page of a feed begins on a device: an entry, and what the server calls the place behind it.
struct FeedPlace {
    var entry: Int64
    /// Nil where the page before was shown without the server.
    var remote: String?

    init(entry: Int64, remote: String?) {
        self.entry = entry
        self.remote = remote
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let entry = parts.first.flatMap({ Int64($0) }) else { return nil }
        self.init(entry: entry, remote: parts.count > 1 ? String(parts[1]) : nil)
    }

    var text: String { remote.map { "\(entry).\($0)" } ?? String(entry) }
}
