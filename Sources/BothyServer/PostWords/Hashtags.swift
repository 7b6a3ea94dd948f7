import BothyContract

/// The hashtags of what a person may read.
package struct Hashtags: Sendable {
    private let database: any Database

    package init(database: any Database) { self.database = database }

    /// - Parameter prefix: as a person types it, with a “#” or without; empty for the most used ones.
    /// - Returns: nothing where no tag can begin so.
    package func page(beginningWith prefix: String, limit: Int, for caller: Caller) async throws -> TagsResponse {
        let typed = prefix.hasPrefix("#") ? String(prefix.dropFirst()) : prefix
        // A number may begin a tag, and is none by itself.
        let folded = typed.isEmpty ? "" : PostTag.folded(typed + "_").map { String($0.dropLast()) }
        guard let folded else { return TagsResponse(tags: []) }
        return TagsResponse(
            tags: try await database.read {
                try PostIndex($0).tags(beginningWith: folded, reader: caller.userId, limit: limit)
            })
    }
}
