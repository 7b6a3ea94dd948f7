import BothyContract

/// What people say of themselves, and the words that they are found by.
let migration018People = Migration(
    number: 18,
    name: "people",
    statements: [
        // '' for an account that nobody has given one yet: no account is left so.
        "ALTER TABLE accounts ADD COLUMN handle TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE accounts ADD COLUMN bio TEXT NOT NULL DEFAULT ''",
        "CREATE UNIQUE INDEX accounts_by_handle ON accounts (handle) WHERE handle <> ''",
        // A row for each word of a person's name and handle, as `NameWords` folds it. Read by the beginnings of words, so the
        // order is that of the bytes, as for `name_words`.
        """
        CREATE TABLE person_words (
            user_id BIGINT NOT NULL,
            word TEXT NOT NULL,
            PRIMARY KEY (user_id, word),
            FOREIGN KEY (user_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        // Followers are asked for, and come in when she accepts them.
        "ALTER TABLE accounts ADD COLUMN approves BIGINT NOT NULL DEFAULT 0",
        """
        CREATE TABLE follow_requests (
            author_id BIGINT NOT NULL,
            follower_id BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            PRIMARY KEY (author_id, follower_id),
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (follower_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX follow_requests_by_follower ON follow_requests (follower_id, author_id)",
        """
        CREATE TABLE mutes (
            person_id BIGINT NOT NULL,
            other_id BIGINT NOT NULL,
            PRIMARY KEY (person_id, other_id),
            FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (other_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX mutes_by_other ON mutes (other_id)",
        // A row with each of the two, no matter who began it, so that each side finds it under its own id. `own`: it is this one's doing.
        """
        CREATE TABLE people_blocks (
            person_id BIGINT NOT NULL,
            other_id BIGINT NOT NULL,
            own BIGINT NOT NULL,
            PRIMARY KEY (person_id, other_id),
            FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (other_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX people_blocks_by_other ON people_blocks (other_id)",
        """
        CREATE TABLE reports (
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            person_id BIGINT NOT NULL,
            reason TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            PRIMARY KEY (author_id, post_id, person_id),
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE,
            FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX reports_by_person ON reports (person_id)",
        "CREATE INDEX reports_by_time ON reports (created_ms, post_id)",
        // Comments of people who left, where somebody has answered them: what remains is that there was one.
        """
        CREATE TABLE left_comments (
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            comment_id BIGINT NOT NULL,
            PRIMARY KEY (author_id, post_id, comment_id),
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        // Which account made it; NULL for the server's operator.
        "ALTER TABLE invites ADD COLUMN inviter_id BIGINT",
        "CREATE INDEX invites_by_inviter ON invites (inviter_id) WHERE inviter_id IS NOT NULL",
        "CREATE INDEX person_words_by_word ON person_words (word, user_id)",
    ],
    then: { db in
        for account in try db.query("SELECT user_id, display_name FROM accounts ORDER BY user_id") {
            try ProfileTable(db).begin(account.int64(0), name: account.string(1))
        }
    })
