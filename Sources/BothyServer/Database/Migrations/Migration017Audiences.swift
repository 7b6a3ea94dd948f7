/// Who may read a post, what was done to it since, and the conversations that posts to named people make.
let migration017Audiences = Migration(
    number: 17,
    name: "audiences",
    statements: [
        // `audience`: `everyone`, `followers`, or `people`, who are those of the conversation.
        "ALTER TABLE posts ADD COLUMN audience TEXT NOT NULL DEFAULT 'everyone'",
        "ALTER TABLE posts ADD COLUMN conversation_id BIGINT",
        "ALTER TABLE posts ADD COLUMN version BIGINT NOT NULL DEFAULT 1",
        "ALTER TABLE posts ADD COLUMN edited_ms BIGINT",
        // For when its author scheduled it.
        "ALTER TABLE posts ADD COLUMN publish_ms BIGINT",
        // When it came into its author's trash, by the time that the server lived; NULL for one that is there.
        "ALTER TABLE posts ADD COLUMN deleted_lived BIGINT",
        "CREATE INDEX posts_of_conversation ON posts (conversation_id, post_id) WHERE conversation_id IS NOT NULL",
        // `members`: their ids in order, with commas between them, which is what a conversation is known by.
        """
        CREATE TABLE conversations (
            first_member_id BIGINT NOT NULL,
            conversation_id BIGINT NOT NULL,
            members TEXT NOT NULL,
            PRIMARY KEY (first_member_id, conversation_id)
        )
        """,
        "CREATE UNIQUE INDEX conversations_by_members ON conversations (first_member_id, members)",
        """
        CREATE TABLE conversation_members (
            person_id BIGINT NOT NULL,
            conversation_id BIGINT NOT NULL,
            PRIMARY KEY (person_id, conversation_id),
            FOREIGN KEY (person_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX conversation_members_of ON conversation_members (conversation_id, person_id)",
    ])
