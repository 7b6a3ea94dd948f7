/// Posts, who follows whom, what people do with posts, and each person's feed.
///
/// Posts, and what belongs to them, lie with their author; a feed lies with its reader. So a database that shards by account
/// finds each in one place, and only writing a post goes to many.
let migration015Feed = Migration(
    number: 15,
    name: "feed",
    statements: [
        """
        CREATE TABLE posts (
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            request_id TEXT,
            content TEXT NOT NULL,
            summary TEXT NOT NULL,
            is_cut BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            PRIMARY KEY (author_id, post_id),
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE UNIQUE INDEX posts_by_id ON posts (post_id)",
        "CREATE UNIQUE INDEX posts_by_request ON posts (author_id, request_id) WHERE request_id IS NOT NULL",
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
        "CREATE INDEX post_attachments_by_revision ON post_attachments (author_id, revision_id)",
        // The last word of each person about each post. `shared`: the place that it has in feeds by that; 0 where it was not shared.
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
        "CREATE INDEX post_reactions_by_person ON post_reactions (person_id, shared)",
        "CREATE INDEX post_reactions_bookmarked ON post_reactions (person_id, post_id) WHERE bookmarked = 1",
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
            PRIMARY KEY (author_id, post_id, comment_id),
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
            FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX comments_by_thread ON comments (author_id, post_id, thread_id, comment_id)",
        "CREATE INDEX comments_by_person ON comments (person_id, comment_id)",
        "CREATE UNIQUE INDEX comments_by_request ON comments (person_id, request_id) WHERE request_id IS NOT NULL",
        """
        CREATE TABLE follows (
            follower_id BIGINT NOT NULL,
            author_id BIGINT NOT NULL,
            PRIMARY KEY (follower_id, author_id),
            FOREIGN KEY (follower_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX follows_by_author ON follows (author_id, follower_id)",
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
        "CREATE UNIQUE INDEX feed_entries_once ON feed_entries (reader_id, post_id)",
        "CREATE INDEX feed_entries_of_post ON feed_entries (author_id, post_id)",
        "CREATE INDEX feed_entries_shared ON feed_entries (shared_by, reader_id) WHERE shared_by IS NOT NULL",
        "CREATE INDEX accounts_by_name ON accounts (display_name, user_id)",
    ])
