import BothyContract
import GRDB

/// Posts that are kept here, found by their authors and by what they say.
extension FeedStore {
    /// What is kept of one person's posts, the newest first.
    func posts(of author: Int64, after place: KeptPlace?, limit: Int) async throws -> FeedPage {
        try await page(after: place, limit: limit) { post, _ in post.author.id == author }
    }

    /// Posts that have, for each term, a word that begins with it, in their text or in the warning before it.
    ///
    /// - Parameter terms: as ``NameWords`` has them.
    func posts(having terms: [String], after place: KeptPlace?, limit: Int) async throws -> FeedPage {
        guard !terms.isEmpty else { return FeedPage(posts: []) }
        return try await page(after: place, limit: limit) { post, text in
            let said = [post.contentWarning, try text().plain].compactMap(\.self).joined(separator: "\n")
            return NameWords.missing(terms, in: said).isEmpty
        }
    }

    /// - Parameter tag: as ``PostTag/folded(_:)`` has it.
    func posts(tagged tag: String, after place: KeptPlace?, limit: Int) async throws -> FeedPage {
        try await page(after: place, limit: limit) { _, text in
            try text().blocks.contains { block in block.runs.contains { $0.reference == .hashtag(tag: tag) } }
        }
    }

    /// - Parameter isWanted: is given a post and what is known of its text: all of it where it was opened here, else its beginning.
    private func page(
        after place: KeptPlace?, limit: Int,
        where isWanted: @escaping @Sendable (PostPreview, () throws -> PostText) throws -> Bool
    ) async throws -> FeedPage {
        let found = try await read { db in
            let overlay = FeedOverlay(try FeedOperationTable.all(in: db))
            return try PostTable.newest(below: place?.post, most: limit + 1, in: db) { preview in
                let text = {
                    PostText(
                        html: try PostTable.detail(of: preview.postId, in: db)?.content ?? preview.contentSummary)
                }
                return try isWanted(preview, text) ? overlay.applied(to: preview) : nil
            }
        }
        let shown = Array(found.prefix(limit))
        return FeedPage(
            posts: shown, next: found.count > limit ? shown.last.map { KeptPlace(after: $0.postId).text } : nil)
    }
}
