/// The words of names, for searching.
let migration006Search = Migration(
    number: 6,
    name: "search",
    statements: [
        // A row for each word of a node's name, as `NameWords` folds it. Read by the beginnings of words, so the order is
        // that of the bytes: a driver whose text has another says so for this column.
        """
        CREATE TABLE name_words (
            drive_id BIGINT NOT NULL,
            word TEXT NOT NULL,
            node_id TEXT NOT NULL,
            PRIMARY KEY (drive_id, word, node_id)
        )
        """,
        // Nodes from before there was a search, until a job has been at them.
        """
        CREATE TABLE names_to_index (
            drive_id BIGINT NOT NULL,
            node_id TEXT NOT NULL,
            PRIMARY KEY (drive_id, node_id)
        )
        """,
        """
        INSERT INTO names_to_index (drive_id, node_id)
            SELECT drive_id, node_id FROM nodes WHERE purged = 0 AND parent_id IS NOT NULL
        """,
    ])
