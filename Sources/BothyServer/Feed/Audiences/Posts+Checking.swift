import BothyContract

extension Posts {
    /// Tells what became of posts that a client holds.
    ///
    /// - Throws: `invalid_parameter` for none, too many, and what is no post's id.
    package func check(_ held: [PostAtVersion], for caller: Caller) async throws -> PostCheckResponse {
        guard (1...FeedLimits.maximumChecked).contains(held.count) else {
            throw Problem(.invalidParameter, "One request has 1 to \(FeedLimits.maximumChecked) posts.")
        }
        guard held.allSatisfy({ $0.postId > 0 }) else {
            throw Problem(.invalidParameter, "The id of a post is 1 or more.")
        }
        let readable = try await database.read { db in
            try PostAccess(db, reader: caller.userId).versions(of: Set(held.map(\.postId)))
        }
        return PostCheckResponse(to: held, readable: readable)
    }
}

extension PostCheckResponse {
    /// - Parameter readable: the versions of those posts that the client may read. Why another is missing is not told.
    init(to held: [PostAtVersion], readable: [Int64: Int]) {
        self.init(changed: [], gone: [])
        var told = Set<Int64>()
        for post in held {
            let version = readable[post.postId]
            guard version != post.version, told.insert(post.postId).inserted else { continue }
            if let version {
                changed.append(PostAtVersion(postId: post.postId, version: version))
            } else {
                gone.append(post.postId)
            }
        }
    }
}
