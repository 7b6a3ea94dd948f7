import BothyContract

/// What people post to each other and nobody else.
extension Posts {
    /// The last conversation of a page.
    private struct Place: Codable {
        var lastPostId: Int64
    }

    /// - Throws: `page_invalid`.
    package func conversations(after: String?, limit: Int, for caller: Caller) async throws -> ConversationsResponse {
        let place = try PageCursor.read(Place.self, from: after)
        var found = try await database.read {
            try ConversationTable($0).page(of: caller.userId, before: place?.lastPostId, limit: limit + 1)
        }
        let hasMore = found.count > limit
        if hasMore { found.removeLast() }
        let next = hasMore ? found.last.map { Place(lastPostId: $0.lastPostId) } : nil
        return ConversationsResponse(
            conversations: found,
            paging: PaginationMetadata(next: try next.map { try PageCursor.text($0) }, limit: limit))
    }
}
