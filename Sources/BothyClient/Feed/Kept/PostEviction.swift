/// Which posts a device lets go of: what was fetched too long ago, and beyond that the least recently read, until what is left
/// fits; and never so many that nothing is left to read without a connection.
package struct PostEviction: Sendable {
    package struct Kept: Sendable {
        package var id: Int64
        /// Seconds that the device had lived when it was fetched.
        package var fetched: Int64
        /// The same of when it was last read.
        package var used: Int64
        package var bytes: Int64

        package init(id: Int64, fetched: Int64, used: Int64, bytes: Int64) {
            self.id = id
            self.fetched = fetched
            self.used = used
            self.bytes = bytes
        }
    }

    /// Seconds that a post is kept.
    package var lifetime: Int64
    /// Posts that stay whatever their age.
    package var minimum: Int
    /// Bytes.
    package var room: Int64

    package init(lifetime: Int64, minimum: Int, room: Int64) {
        self.lifetime = lifetime
        self.minimum = minimum
        self.room = room
    }

    /// - Parameter now: seconds that the device has lived.
    /// - Returns: ids of what goes.
    package func evicted(_ posts: [Kept], now: Int64) -> [Int64] {
        // The first ones are read last: of two that were read at one time, the older post.
        let order = posts.sorted { ($0.used, $0.id) < ($1.used, $1.id) }
        var left = order.reduce(0) { $0 + $1.bytes }
        var evicted = [Int64]()
        for post in order.prefix(max(0, order.count - minimum)) where left > room || now - post.fetched > lifetime {
            evicted.append(post.id)
            left -= post.bytes
        }
        return evicted
    }
}
