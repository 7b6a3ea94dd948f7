/// Who may read a post, what became of it since, the conversations that posts to named people make, and ids that a number of JavaScript
/// holds. What is there already is kept under new ids, in the same order; no release had the tables of before.
let migration017Posts = Migration(
    number: 17,
    name: "posts",
    statements: steps.flatMap { $0 })

private let steps: [[String]] = [
    renumbering, renaming, newTables, copying, dropping, newIndexes, ["DROP TABLE feed_numbers"], counting,
]

/// Those of before, those that others refer to first.
private let oldTables: [String] = ["posts", "post_attachments", "post_reactions", "comments", "feed_entries"]
private let renaming: [String] = oldTables.map { "ALTER TABLE \($0) RENAME TO old_\($0)" }
private let dropping: [String] = oldTables.reversed().map { "DROP TABLE old_\($0)" }

/// Ids of 63 bits counted milliseconds from 2024 in their upper 41; those of 53 bits do from 2025.
private let renumbering: [String] = [
    "CREATE TABLE feed_numbers (old_id BIGINT NOT NULL PRIMARY KEY, new_id BIGINT NOT NULL)",
    """
    INSERT INTO feed_numbers (old_id, new_id)
    SELECT old_id,
        ((old_id >> 22) - 31622400000) * 4096 + row_number() OVER (PARTITION BY old_id >> 22 ORDER BY old_id) - 1
    FROM (
        SELECT post_id AS old_id FROM posts UNION SELECT attachment_id FROM post_attachments
        UNION SELECT comment_id FROM comments UNION SELECT shared FROM post_reactions WHERE shared > 0
        UNION SELECT entry_id FROM feed_entries
    ) ids
    """,
]

private let newTables: [String] = [
    // `audience`: `everyone`, `followers`, or `people`, who are those of the conversation. `publish_ms`: for when its author scheduled it.
    // `deleted_lived`: when it came into its author's trash, by the time that the server lived; NULL for one that is there.
    // The counts are of people whose accounts are not disabled.
    """
    CREATE TABLE posts (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        request_id TEXT,
        content TEXT NOT NULL,
        summary TEXT NOT NULL,
        is_cut BIGINT NOT NULL,
        created_ms BIGINT NOT NULL,
        audience TEXT NOT NULL DEFAULT 'everyone',
        conversation_id BIGINT,
        version BIGINT NOT NULL DEFAULT 1,
        edited_ms BIGINT,
        publish_ms BIGINT,
        deleted_ms BIGINT,
        deleted_lived BIGINT,
        like_count BIGINT NOT NULL DEFAULT 0,
        share_count BIGINT NOT NULL DEFAULT 0,
        comment_count BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (author_id, post_id),
        FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE post_attachments (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        position BIGINT NOT NULL,
        attachment_id BIGINT NOT NULL,
        type TEXT NOT NULL,
        revision_id TEXT NOT NULL,
        caption TEXT,
        PRIMARY KEY (author_id, post_id, position),
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
    )
    """,
    // What a post said before it was edited. `made_ms`: since when it did.
    """
    CREATE TABLE post_versions (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        version BIGINT NOT NULL,
        content TEXT NOT NULL,
        made_ms BIGINT NOT NULL,
        PRIMARY KEY (author_id, post_id, version),
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
    )
    """,
    // The last word of each person about each post. `shared`: the place that it has in feeds by that; 0 where it is not shared.
    """
    CREATE TABLE post_reactions (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        person_id BIGINT NOT NULL,
        liked BIGINT NOT NULL DEFAULT 0,
        bookmarked BIGINT NOT NULL DEFAULT 0,
        shared BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (author_id, post_id, person_id),
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    // Every word of each person, in the order in which the server took them.
    """
    CREATE TABLE interactions (
        person_id BIGINT NOT NULL,
        interaction_id BIGINT NOT NULL,
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        type TEXT NOT NULL,
        request_id TEXT,
        created_ms BIGINT NOT NULL,
        PRIMARY KEY (person_id, interaction_id),
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    // A comment lies with its post. `thread_id`: the comment that begins its thread; `parent_id`: the one that it replies to.
    """
    CREATE TABLE comments (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        thread_id BIGINT NOT NULL,
        comment_id BIGINT NOT NULL,
        parent_id BIGINT,
        person_id BIGINT NOT NULL,
        request_id TEXT,
        content TEXT NOT NULL,
        created_ms BIGINT NOT NULL,
        like_count BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (author_id, post_id, comment_id),
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE comment_likes (
        author_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        comment_id BIGINT NOT NULL,
        person_id BIGINT NOT NULL,
        PRIMARY KEY (author_id, post_id, comment_id, person_id),
        FOREIGN KEY (author_id, post_id, comment_id) REFERENCES comments (author_id, post_id, comment_id)
            ON DELETE CASCADE,
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    // `entry_id`: its place in the feed. `shared_by`: who brought it here; NULL for the author.
    """
    CREATE TABLE feed_entries (
        reader_id BIGINT NOT NULL,
        entry_id BIGINT NOT NULL,
        post_id BIGINT NOT NULL,
        author_id BIGINT NOT NULL,
        shared_by BIGINT,
        PRIMARY KEY (reader_id, entry_id),
        FOREIGN KEY (reader_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
        FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
        FOREIGN KEY (shared_by) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    // `members`: their ids in order, with commas between them, which is what a conversation is known by.
    """
    CREATE TABLE conversations (
        first_member_id BIGINT NOT NULL,
        conversation_id BIGINT NOT NULL,
        members TEXT NOT NULL,
        PRIMARY KEY (first_member_id, conversation_id)
    )
    """,
    """
    CREATE TABLE conversation_members (
        person_id BIGINT NOT NULL,
        conversation_id BIGINT NOT NULL,
        PRIMARY KEY (person_id, conversation_id),
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    // Posts that wait for their time. `held`: why they were not posted then.
    """
    CREATE TABLE scheduled_posts (
        author_id BIGINT NOT NULL,
        scheduled_id BIGINT NOT NULL,
        request_id TEXT,
        publish_ms BIGINT NOT NULL,
        held TEXT,
        content TEXT NOT NULL,
        audience TEXT NOT NULL,
        conversation_id BIGINT,
        PRIMARY KEY (author_id, scheduled_id),
        FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE scheduled_attachments (
        author_id BIGINT NOT NULL,
        scheduled_id BIGINT NOT NULL,
        position BIGINT NOT NULL,
        attachment_id BIGINT NOT NULL,
        type TEXT NOT NULL,
        revision_id TEXT NOT NULL,
        caption TEXT,
        PRIMARY KEY (author_id, scheduled_id, position),
        FOREIGN KEY (author_id, scheduled_id) REFERENCES scheduled_posts (author_id, scheduled_id) ON DELETE CASCADE
    )
    """,
    // The request ids of posts and comments that are gone for good: what is sent once more makes nothing.
    """
    CREATE TABLE feed_tombstones (
        person_id BIGINT NOT NULL,
        request_id TEXT NOT NULL,
        post_id BIGINT,
        comment_id BIGINT,
        PRIMARY KEY (person_id, request_id),
        FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
    )
    """,
]

private let copying: [String] = [
    """
    INSERT INTO posts (author_id, post_id, request_id, content, summary, is_cut, created_ms)
    SELECT o.author_id, n.new_id, o.request_id, o.content, o.summary, o.is_cut, o.created_ms
    FROM old_posts o JOIN feed_numbers n ON n.old_id = o.post_id
    """,
    """
    INSERT INTO post_attachments (author_id, post_id, position, attachment_id, type, revision_id, caption)
    SELECT o.author_id, n.new_id, o.position, m.new_id, o.type, o.revision_id, o.caption
    FROM old_post_attachments o JOIN feed_numbers n ON n.old_id = o.post_id
    JOIN feed_numbers m ON m.old_id = o.attachment_id
    """,
    """
    INSERT INTO post_reactions (author_id, post_id, person_id, liked, bookmarked, shared)
    SELECT o.author_id, n.new_id, o.person_id, o.liked, o.bookmarked, coalesce(m.new_id, 0)
    FROM old_post_reactions o JOIN feed_numbers n ON n.old_id = o.post_id
    LEFT JOIN feed_numbers m ON m.old_id = o.shared
    """,
    """
    INSERT INTO comments
        (author_id, post_id, thread_id, comment_id, parent_id, person_id, request_id, content, created_ms)
    SELECT o.author_id, n.new_id, coalesce(t.new_id, c.new_id), c.new_id, p.new_id, o.person_id, o.request_id, o.content,
        o.created_ms
    FROM old_comments o JOIN feed_numbers n ON n.old_id = o.post_id JOIN feed_numbers c ON c.old_id = o.comment_id
    LEFT JOIN feed_numbers t ON t.old_id = o.thread_id LEFT JOIN feed_numbers p ON p.old_id = o.parent_id
    """,
    """
    INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by)
    SELECT o.reader_id, e.new_id, n.new_id, o.author_id, o.shared_by
    FROM old_feed_entries o JOIN feed_numbers e ON e.old_id = o.entry_id JOIN feed_numbers n ON n.old_id = o.post_id
    """,
]

private let newIndexes: [String] = [
    "CREATE UNIQUE INDEX posts_by_id ON posts (post_id)",
    "CREATE UNIQUE INDEX posts_by_request ON posts (author_id, request_id) WHERE request_id IS NOT NULL",
    "CREATE INDEX posts_of_conversation ON posts (conversation_id, post_id) WHERE conversation_id IS NOT NULL",
    "CREATE INDEX posts_in_trash ON posts (deleted_lived) WHERE deleted_lived IS NOT NULL",
    "CREATE INDEX post_attachments_by_revision ON post_attachments (author_id, revision_id)",
    "CREATE INDEX post_reactions_by_person ON post_reactions (person_id, shared)",
    "CREATE INDEX post_reactions_bookmarked ON post_reactions (person_id, post_id) WHERE bookmarked = 1",
    "CREATE INDEX scheduled_posts_due ON scheduled_posts (publish_ms) WHERE held IS NULL",
    "CREATE UNIQUE INDEX scheduled_posts_by_request ON scheduled_posts (author_id, request_id) WHERE request_id IS NOT NULL",
    "CREATE INDEX scheduled_attachments_by_revision ON scheduled_attachments (author_id, revision_id)",
    "CREATE UNIQUE INDEX interactions_by_request ON interactions (person_id, request_id) WHERE request_id IS NOT NULL",
    "CREATE INDEX interactions_of_post ON interactions (author_id, post_id)",
    "CREATE INDEX comments_by_thread ON comments (author_id, post_id, thread_id, comment_id)",
    "CREATE INDEX comments_by_person ON comments (person_id, comment_id)",
    "CREATE UNIQUE INDEX comments_by_request ON comments (person_id, request_id) WHERE request_id IS NOT NULL",
    "CREATE INDEX comment_likes_by_person ON comment_likes (person_id)",
    "CREATE UNIQUE INDEX feed_entries_once ON feed_entries (reader_id, post_id)",
    "CREATE INDEX feed_entries_of_post ON feed_entries (author_id, post_id)",
    "CREATE INDEX feed_entries_shared ON feed_entries (shared_by, reader_id) WHERE shared_by IS NOT NULL",
    "CREATE UNIQUE INDEX conversations_by_members ON conversations (first_member_id, members)",
    "CREATE INDEX conversation_members_of ON conversation_members (conversation_id, person_id)",
]

private let counting: [String] = ["UPDATE posts SET \(PostCounts.recounted)"]
