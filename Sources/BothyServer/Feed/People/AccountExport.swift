import BothyContract
import Foundation

/// All that a person has said and done among people, as JSON, read page by page: it may be more than fits into memory.
package struct AccountExport: Sendable {
    /// Rows that are read at once.
    private static let page = 500

    /// Its lists, in their order.
    package enum Part: String, CaseIterable, Sendable { case posts, comments, interactions, following, followers }

    private let database: any Database
    private let links: DownloadLinks

    package init(database: any Database, links: DownloadLinks) {
        self.database = database
        self.links = links
    }

    private struct Beginning: Encodable {
        var email: String
        var profile: Person
    }

    /// Up to the first list.
    ///
    /// - Throws: `device_signed_out` for an account that is gone.
    package func beginning(for caller: Caller) async throws -> Data {
        let (user, profile) = try await database.read { db in
            guard let account = try AccountTable(db).row(caller.userId) else {
                throw Problem(.deviceSignedOut, "This account no longer exists.")
            }
            return (account.user, try PersonTable(db, seenBy: caller.userId).profile(caller.userId))
        }
        // Its lists follow where the object ends.
        return try WireCoding.encode(Beginning(email: user.email, profile: profile)).dropLast()
    }

    /// One list, with the comma before it.
    package func write(_ part: Part, for caller: Caller, to write: (Data) async throws -> Void) async throws {
        try await write(Data(",\"\(part.rawValue)\":[".utf8))
        var (after, isFirst) = (Int64.min, true)
        while true {
            let place = after
            let rows = try await database.read {
                try Rows($0, of: caller.userId, address: { links.path(of: $0, for: caller) })
                    .page(part, after: place, Self.page)
            }
            for row in rows {
                try await write((isFirst ? Data() : Data(",".utf8)) + row.json)
                isFirst = false
            }
            guard let last = rows.last, rows.count == Self.page else { break }
            after = last.place
        }
        try await write(Data("]".utf8))
    }
}

/// What an export has, row by row in the order of ids.
private struct Rows {
    struct Row: Sendable {
        var place: Int64
        var json: Data
    }

    private let db: any SQLConnection
    private let you: Int64
    /// Where a revision's content is read.
    private let address: (String) -> String

    init(_ db: any SQLConnection, of you: Int64, address: @escaping (String) -> String) {
        self.db = db
        self.you = you
        self.address = address
    }

    func page(_ part: AccountExport.Part, after place: Int64, _ limit: Int) throws -> [Row] {
        switch part {
        case .posts: try posts(place, limit)
        case .comments: try comments(place, limit)
        case .interactions: try interactions(place, limit)
        case .following: try people("author_id", where: "follower_id", place, limit)
        case .followers: try people("follower_id", where: "author_id", place, limit)
        }
    }

    private func posts(_ place: Int64, _ limit: Int) throws -> [Row] {
        try db.query(
            """
            SELECT post_id, content, created_ms, content_warning FROM posts
            WHERE author_id = ? AND post_id > ? AND deleted_lived IS NULL ORDER BY post_id LIMIT ?
            """, [you.sql, place.sql, limit.sql]
        ).map { row in
            let id = row.int64(0)
            let attachments = try AttachmentTable(db, of: you).rows(of: .post(id)).map {
                ExportedPost.Attachment(
                    type: $0.medium.type.rawValue, revisionId: $0.medium.revisionId,
                    contentUrl: address($0.medium.revisionId), caption: $0.caption)
            }
            return try Self.row(
                id,
                ExportedPost(
                    postId: id, content: row.string(1), contentWarning: row.optional(3, SQLRow.string),
                    createdAt: row.timestamp(2), attachments: attachments))
        }
    }

    private func comments(_ place: Int64, _ limit: Int) throws -> [Row] {
        try db.query(
            """
            SELECT comment_id, post_id, parent_id, content, created_ms FROM comments
            WHERE person_id = ? AND comment_id > ? ORDER BY comment_id LIMIT ?
            """, [you.sql, place.sql, limit.sql]
        ).map { row in
            try Self.row(
                row.int64(0),
                ExportedComment(
                    commentId: row.int64(0), postId: row.int64(1), parentCommentId: row.optional(2, SQLRow.int64),
                    content: row.string(3), createdAt: row.timestamp(4)))
        }
    }

    private func interactions(_ place: Int64, _ limit: Int) throws -> [Row] {
        try db.query(
            """
            SELECT post_id, liked, shared, bookmarked FROM post_reactions
            WHERE person_id = ? AND post_id > ? AND (liked <> 0 OR shared <> 0 OR bookmarked <> 0)
            ORDER BY post_id LIMIT ?
            """, [you.sql, place.sql, limit.sql]
        ).map { row in
            try Self.row(
                row.int64(0),
                ExportedInteraction(
                    postId: row.int64(0), liked: row.int64(1) != 0, shared: row.int64(2) != 0,
                    bookmarked: row.int64(3) != 0))
        }
    }

    private func people(_ column: String, where own: String, _ place: Int64, _ limit: Int) throws -> [Row] {
        try db.query(
            """
            SELECT \(AuthorPreview.columns("a")) FROM follows f JOIN accounts a ON a.user_id = f.\(column)
            WHERE f.\(own) = ? AND f.\(column) > ? ORDER BY f.\(column) LIMIT ?
            """, [you.sql, place.sql, limit.sql]
        ).map { try Self.row($0.int64(0), AuthorPreview($0, at: 0)) }
    }

    private static func row(_ place: Int64, _ value: some Encodable) throws -> Row {
        Row(place: place, json: try WireCoding.encode(value))
    }
}
