import Testing

@testable import BothyServer

/// A statement that reads a whole drive to find a row is quick in every small test, and slow for everyone.
@Suite struct SQLitePlanTests {
    @Test(arguments: [
        (
            "SELECT content_id FROM contents WHERE drive_id = ? AND checksum = ? ORDER BY content_id LIMIT 1",
            "contents_by_checksum"
        ),
        (
            """
            SELECT node_id FROM nodes WHERE drive_id = ? AND request_id = ? AND request_id IS NOT NULL AND purged = 0
            ORDER BY serial LIMIT 1
            """, "nodes_by_request"
        ),
        (
            """
            SELECT name FROM nodes
            WHERE drive_id = ? AND parent_id = ? AND name = ? AND trashed = 0 AND purged = 0
            """, "nodes_by_name"
        ),
        ("SELECT node_id FROM nodes WHERE purged = 1 LIMIT 1", "nodes_to_purge"),
        ("SELECT content_id FROM contents WHERE refs <= 0 LIMIT 1", "contents_unused"),
        ("SELECT name FROM nodes WHERE drive_id = ? AND parent_id = ? AND purged = 0 LIMIT ?", "nodes_by_parent"),
        (
            """
            SELECT name FROM nodes WHERE drive_id = ? AND serial > ? AND serial <= ? AND purged = 0
            ORDER BY serial LIMIT ?
            """, "nodes_by_serial"
        ),
        (
            """
            SELECT name FROM nodes
            WHERE drive_id = ? AND trashed = 1 AND purged = 0 AND (trashed_ms, node_id) < (?, ?)
            ORDER BY trashed_ms DESC, node_id DESC LIMIT ?
            """, "nodes_in_trash"
        ),
        (
            """
            SELECT drive_id FROM nodes WHERE trashed = 1 AND purged = 0 AND trashed_lived < ?
            ORDER BY trashed_lived LIMIT ?
            """, "nodes_trash_by_age"
        ),
        (
            "SELECT size FROM revisions WHERE drive_id = ? AND node_id = ? AND version < ? ORDER BY version DESC LIMIT ?",
            "revisions_of_node"
        ),
        (
            """
            SELECT path FROM deletions
            WHERE drive_id = ? AND deleted_ms >= ? AND (deleted_ms, deletion_id) > (?, ?)
            ORDER BY deleted_ms, deletion_id LIMIT ?
            """, "deletions_by_time"
        ),
        ("SELECT path FROM deletions WHERE drive_id = ? AND node_id = ? LIMIT 1", "deletions_of_node"),
        ("SELECT 1 FROM name_words WHERE drive_id = ? AND word >= ? AND word < ? LIMIT ?", "PRIMARY KEY"),
        (
            """
            SELECT word, batch, contents FROM text_words
            WHERE drive_id = ? AND (word, batch) > (?, ?) AND word < ? ORDER BY word, batch LIMIT ?
            """, "PRIMARY KEY (drive_id=? AND (word,batch)>(?,?) AND word<?)"
        ),
        ("SELECT batch FROM texts WHERE drive_id = ? ORDER BY batch DESC LIMIT 1", "texts_by_batch (drive_id=?)"),
        (
            """
            SELECT name FROM nodes
            WHERE drive_id = ? AND node_id IN (SELECT node_id FROM revisions WHERE drive_id = ? AND content_id = ?)
                AND trashed = 0 AND purged = 0 AND hidden = 0
            """, "revisions_of_content (drive_id=? AND content_id=?)"
        ),
        (
            """
            SELECT n.name FROM revisions r
            JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id AND n.head_revision_id = r.revision_id
            WHERE r.drive_id = ? AND r.content_id = ? AND n.purged = 0 LIMIT ?
            """, "revisions_of_content (drive_id=? AND content_id=?)"
        ),
        (
            """
            SELECT name FROM node_history WHERE drive_id = ? AND node_id = ? AND until_sequence > ?
            ORDER BY until_sequence LIMIT 1
            """, "PRIMARY KEY"
        ),
        (
            """
            SELECT size FROM revisions WHERE drive_id = ? AND node_id = ? AND sequence <= ?
            ORDER BY version DESC LIMIT 1
            """, "revisions_of_node"
        ),
        (
            """
            SELECT action FROM restore_steps WHERE drive_id = ? AND restore_id = ? AND outcome IS NULL
            ORDER BY rank, node_id LIMIT 1
            """, "restore_steps_to_do"
        ),
        (
            """
            SELECT action FROM restore_steps WHERE drive_id = ? AND restore_id = ? AND (rank, node_id) > (?, ?)
            ORDER BY rank, node_id LIMIT ?
            """, "restore_steps_in_order"
        ),
        (ChangeLog.oldest, "(drive_id=? AND sequence<?)"),
        ("SELECT restore_id FROM restores WHERE wanted = 1 AND state <> 'finished' LIMIT 1", "restores_under_way"),
        (
            """
            SELECT reader_id FROM feed_entries WHERE author_id = ? AND post_id = ? AND reader_id > ?
            ORDER BY reader_id LIMIT ?
            """, "feed_entries_of_post (author_id=? AND post_id=? AND reader_id>?)"
        ),
        (
            """
            SELECT reader_id FROM feed_entries WHERE shared_by = ? AND post_id = ? AND reader_id > ?
            ORDER BY reader_id LIMIT ?
            """, "feed_entries_shared (shared_by=? AND post_id=? AND reader_id>?)"
        ),
    ])
    func theIndexMadeForAStatementIsUsed(statement: String, index: String) async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        let explain: @Sendable (any SQLConnection) throws -> [String] = { db in
            let count = statement.count { $0 == "?" }
            return try db.query("EXPLAIN QUERY PLAN \(statement)", Array(repeating: 1, count: count))
                .map { $0.string(3) }
        }
        for plan in [try await database.read(explain), try await database.write(explain)] {
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
        }
        try await database.close()
    }

    @Test func figuresSayThatOneDriveMayBeAllThereIs() {
        #expect(
            SQLiteStatistics.figures(columns: ["drive_id", "node_id"], isUnique: true, isSmall: false)
                == "1000000 1000000 1")
        #expect(
            SQLiteStatistics.figures(columns: ["drive_id", "parent_id", "kind"], isUnique: false, isSmall: false)
                == "1000000 1000000 100 10")
    }
}
