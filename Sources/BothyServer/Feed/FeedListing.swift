import BothyContract

/// A page of a feed, or of one person's posts, the newest first. Of accounts that are disabled nothing is shown.
package struct FeedListing: Sendable {
    /// Whose posts.
    package enum Source: Sendable {
        /// What is in the reader's own feed.
        case feed
        /// What one person has posted.
        case author(Int64)
        /// What the reader has bookmarked.
        case bookmarks
        /// What matches, of all that the reader may read.
        case matching(PostMatch)
        /// What the members of a conversation have posted to each other.
        case conversation(Int64)
        /// What the reader has deleted, and can restore.
        case trash
    }

    /// The last entry of a page.
    package struct Position: Codable, Equatable, Sendable {
        package var entryId: Int64

        package init(entryId: Int64) { self.entryId = entryId }
    }

    package struct Page: Sendable {
        /// Without the addresses of pictures: see ``FeedListing/Entry/media``.
        package var entries: [Entry]
        /// The page's end in the direction in which it was read; nil on the last page.
        package var next: Position?
    }

    package struct Entry: Sendable {
        package var preview: PostPreview
        /// What is attached, in its order.
        package var media: [PostMedium]
        /// For what is in the trash.
        package var deletedAt: Timestamp?
    }

    package var source: Source
    package var limit: Int
    package var after: Position?
    /// Of the reader's own feed: only what came into it after this arrival.
    package var since: Int64?
    /// Of the reader's own feed: the page with the oldest entries that are newer than this one, in place of `after`.
    package var above: Int64?

    package init(_ source: Source, limit: Int, after: Position? = nil) {
        self.source = source
        self.limit = limit
        self.after = after
    }

    package func page(in db: any SQLConnection, reader: Int64) throws -> Page {
        var rows = try rows(db, reader)
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let end = rows.last.map { Position(entryId: $0.int64(0)) }
        if above != nil { rows.reverse() }
        return Page(entries: try rows.map { try entry($0, db, reader) }, next: hasMore ? end : nil)
    }

    /// How many posts there are from here on; where they are more than the limit, one more than that.
    package func count(in db: any SQLConnection, reader: Int64) throws -> Int { try rows(db, reader).count }

    private func rows(_ db: any SQLConnection, _ reader: Int64) throws -> [SQLRow] {
        let before = (after?.entryId ?? .max).sql
        let may = PostAccess(db, reader: reader).condition()
        switch source {
        case .feed:
            return try db.query(
                """
                SELECT e.entry_id, \(Self.columns), \(AuthorPreview.columns("s")) FROM feed_entries e
                JOIN posts p ON p.author_id = e.author_id AND p.post_id = e.post_id
                JOIN accounts a ON a.user_id = p.author_id
                LEFT JOIN accounts s ON s.user_id = \(EntryBringer.shown(of: "e"))
                WHERE e.reader_id = ? AND \(arrived)
                    AND (s.user_id IS NOT NULL OR \(EntryBringer.needsNoSharer("e", post: "p")))
                    AND \(may.sql) AND \(EntryBringer.isHeard("e.author_id", by: "e.reader_id"))
                ORDER BY e.entry_id \(above == nil ? "DESC" : "ASC") LIMIT ?
                """,
                [reader.sql] + (since.map { [$0.sql] } ?? []) + [above?.sql ?? before] + may.arguments + [
                    (limit + 1).sql
                ])
        case .bookmarks:
            return try db.query(
                """
                SELECT p.post_id, \(Self.columns), NULL FROM post_reactions r
                JOIN posts p ON p.author_id = r.author_id AND p.post_id = r.post_id
                JOIN accounts a ON a.user_id = p.author_id
                WHERE r.person_id = ? AND r.bookmarked = 1 AND r.post_id < ? AND \(may.sql)
                ORDER BY r.post_id DESC LIMIT ?
                """, [reader.sql, before] + may.arguments + [(limit + 1).sql])
        case .matching(let match):
            let matches = match.condition(reader: reader)
            return try db.query(
                """
                SELECT p.post_id, \(Self.columns), NULL FROM posts p
                JOIN accounts a ON a.user_id = p.author_id
                WHERE \(matches.sql) AND p.post_id < ? AND \(may.sql) ORDER BY p.post_id DESC LIMIT ?
                """, matches.arguments + [before] + may.arguments + [(limit + 1).sql])
        case .conversation(let conversation):
            return try db.query(
                """
                SELECT p.post_id, \(Self.columns), NULL FROM posts p
                JOIN accounts a ON a.user_id = p.author_id
                WHERE p.conversation_id = ? AND p.post_id < ? AND \(may.sql) ORDER BY p.post_id DESC LIMIT ?
                """, [conversation.sql, before] + may.arguments + [(limit + 1).sql])
        case .trash:
            return try db.query(
                """
                SELECT p.post_id, \(Self.columns), NULL FROM posts p
                JOIN accounts a ON a.user_id = p.author_id
                WHERE p.author_id = ? AND p.post_id < ? AND p.deleted_lived IS NOT NULL
                ORDER BY p.post_id DESC LIMIT ?
                """, [reader.sql, before, (limit + 1).sql])
        case .author(let author):
            return try db.query(
                """
                SELECT p.post_id, \(Self.columns), NULL FROM posts p
                JOIN accounts a ON a.user_id = p.author_id
                WHERE p.author_id = ? AND p.post_id < ? AND \(may.sql) ORDER BY p.post_id DESC LIMIT ?
                """, [author.sql, before] + may.arguments + [(limit + 1).sql])
        }
    }

    /// Few have come since: these are found by their arrival, and not by a walk through the feed, which the plus sign forbids.
    private var arrived: String {
        if above != nil { return "e.entry_id > ?" }
        return since == nil ? "e.entry_id < ?" : "e.arrival > ? AND +e.entry_id < ?"
    }

    private static let columns = """
        p.post_id, p.summary, p.is_cut, p.created_ms, \(AuthorPreview.columns("a")), p.audience, p.conversation_id,
        \(PostTable.Edition.columns)
        """

    private func entry(_ row: SQLRow, _ db: any SQLConnection, _ reader: Int64) throws -> Entry {
        let (postId, author) = (row.int64(1), AuthorPreview(row, at: 5))
        let state = try ReactionTable(db).state(of: postId, by: author.id, seenBy: reader)
        let media = try AttachmentTable(db, of: author.id).rows(of: .post(postId)).map(\.medium)
        let audience = StoredAudience(kind: row.string(9), conversationId: row.optional(10, SQLRow.int64))
        let edition = PostTable.Edition(row, from: 11)
        let sharer = row.optional(17, SQLRow.int64).map { _ in AuthorPreview(row, at: 17) }
        let preview = PostPreview(
            entryId: row.int64(0), postId: postId, contentSummary: row.string(2), isCut: row.bool(3), author: author,
            createdAt: row.timestamp(4), liked: state.liked, bookmarked: state.bookmarked,
            likeCount: state.likeCount, shareCount: state.shareCount,
            commentCount: state.commentCount,
            attachmentCount: media.count,
            sharedBy: sharer, audience: try audience.shown(of: author.id, in: db), shared: state.shared,
            version: edition.version, editedAt: edition.editedAt,
            requestId: author.id == reader ? edition.requestId : nil,
            publishAt: author.id == reader ? edition.publishAt : nil, contentWarning: edition.contentWarning,
            attachmentPreviews: media.isEmpty
                ? nil : media.map { AttachmentPreview(type: OpenWord($0.type), durationMs: $0.look.durationMs) })
        return Entry(preview: preview, media: media, deletedAt: edition.deletedAt)
    }
}
