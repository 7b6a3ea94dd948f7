import BothyContract
import Testing

@testable import BothyServer

/// With an account goes all that is hers, and each table that names an account says how.
@Suite struct LeavingTests {
    /// What names no account, wherever it stands.
    private static let others: Set<String> = [
        "attachment_id", "comment_id", "content_id", "conversation_id", "deletion_id", "draft_id", "entry_id",
        "interaction_id", "last_content_id", "notification_id", "parent_id", "picture_id", "post_id", "scheduled_id",
        "thread_id",
        "upload_id",
    ]

    /// Columns that name accounts without a foreign key that takes their rows along, and what becomes of them.
    private static let decided = [
        "accounts.user_id": "the account itself",
        "drives.owner_id": "the drive goes when it is empty",
        "invites.used_by": "a number alone, until the invite is pruned",
        "invites.inviter_id": "the invites go with who made them",
        "conversations.first_member_id": "a number alone: what the others have said stays theirs",
    ]

    @Test func everyColumnOfAnAccountIsDecided() async throws {
        try await AccountServer.with { server in
            let columns = try await server.services.database.read { db in
                try db.query(
                    """
                    SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND c.type LIKE 'INT%' AND (c.name LIKE '%\\_id' ESCAPE '\\' OR c.name LIKE '%\\_by' ESCAPE '\\')
                        AND NOT EXISTS (
                            SELECT 1 FROM pragma_foreign_key_list(m.name) f
                            WHERE f."from" = c.name AND f.on_delete = 'CASCADE')
                    """
                ).map { (table: $0.string(0), column: $0.string(1)) }
            }
            let ofDrives = Set(Accounts.driveTables.map(\.table) + ["drives"])
            for (table, column) in columns where !Self.others.contains(column) {
                let isDecided =
                    Self.decided["\(table).\(column)"] != nil || column == "drive_id" && ofDrives.contains(table)
                #expect(
                    isDecided,
                    "what becomes of \(table).\(column) when an account is deleted? A foreign key ON DELETE CASCADE takes the rows along; else say it here, and see to it in Leaving.swift or Accounts.driveTables."
                )
            }
        }
    }

    @Test func nothingNamesWhoHasLeftButWhatIsDecided() async throws {
        try await AccountServer.with { server in
            let (services, ann) = (server.services, try await server.register("ann@example.org"))
            let ben = try await server.register("ben@example.org")
            let (hers, his) = (ann.caller, ben.caller)
            _ = try await services.people.setFollowing(true, ann.user.id, for: his)
            _ = try await services.people.setFollowing(true, ben.user.id, for: hers)
            _ = try await services.people.update(ProfileUpdate(approvesFollowers: true), for: his)
            let cleo = try await server.register("cleo@example.org")
            _ = try await services.people.setFollowing(true, cleo.user.id, for: hers)
            try await services.people.setMuted(true, cleo.user.id, for: hers)
            try await services.people.setMuted(true, ann.user.id, for: cleo.caller)
            _ = try await services.accounts.invite(note: "", by: hers)
            let post = try await services.posts.create(
                NewPostRequest(requestId: nil, content: "<p>a</p>"), identity: .none(for: "test"), for: his)
            let own = try await services.posts.create(
                NewPostRequest(requestId: nil, content: "<p>b</p>"), identity: .none(for: "test"), for: hers)
            _ = try await services.posts.interact(
                .liked, on: post.answer.postId, identity: .none(for: "test"), for: hers)
            _ = try await services.posts.interact(
                .shared, on: post.answer.postId, identity: .none(for: "test"), for: hers)
            _ = try await services.posts.interact(
                .liked, on: own.answer.postId, identity: .none(for: "test"), for: his)
            try await services.moderation.report(ReportRequest(reason: "x"), on: post.answer.postId, for: hers)
            try await services.people.setBlocked(true, cleo.user.id, for: hers)

            try await services.accounts.delete(email: "ann@example.org")
            #expect(try await Self.mentions(of: ann.user.id, services.database) == [])
            #expect(try await services.posts.find(post.answer.postId, for: his).likeCount == 0)
            #expect(try await services.people.find(ben.user.id, for: his).counts?.followers == 0)
        }
    }

    /// Columns, of whatever table and name, that still hold the number, but for what is decided.
    private static func mentions(of id: Int64, _ database: any Database) async throws -> [String] {
        try await database.read { db in
            let columns = try db.query(
                """
                SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
                WHERE m.type = 'table' AND c.type LIKE 'INT%'
                """)
            return try columns.compactMap { row in
                let (table, column) = (row.string(0), row.string(1))
                let found = try db.first("SELECT 1 FROM \(table) WHERE \(column) = ? LIMIT 1", [id.sql])
                return found == nil || decided["\(table).\(column)"] != nil ? nil : "\(table).\(column)"
            }
        }
    }

    /// A household that was there before the feed: all follow all, once.
    @Test func whoWasHereBeforeFollowsEverybodyOnce() async throws {
        try await AccountServer.with { server in
            let (services, ann) = (server.services, try await server.register("ann@example.org"))
            let ben = try await server.register("ben@example.org")
            func begin(upTo most: Int) async throws {
                try await services.database.write { db in
                    try db.execute("DELETE FROM server_state WHERE key = 'everybody_follows'", [])
                    try Household(db).begin(upTo: most)
                }
            }
            try await begin(upTo: 1)
            #expect(try await !services.people.find(ben.user.id, for: ann.caller).following)
            try await begin(upTo: 2)
            let seen = try await services.people.find(ben.user.id, for: ann.caller)
            #expect(seen.following && seen.followsYou)
            _ = try await services.people.setFollowing(false, ben.user.id, for: ann.caller)
            try await services.database.write { try Household($0).begin(upTo: 2) }
            #expect(try await !services.people.find(ben.user.id, for: ann.caller).following)
        }
    }
}
