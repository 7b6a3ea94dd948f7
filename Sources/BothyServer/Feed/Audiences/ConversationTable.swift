import BothyContract

/// The tables `conversations` and `conversation_members`: a conversation is the people who are in it, and nothing else.
struct ConversationTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// The conversation of these people, which is made where they have none yet.
    ///
    /// - Parameters:
    ///   - members: at least one; each once, in any order.
    ///   - newId: made before the transaction, which may run twice.
    func conversation(of members: Set<Int64>, newId: Int64) throws -> Int64 {
        let sorted = members.sorted()
        guard let first = sorted.first else { preconditionFailure("a conversation has its author at least") }
        let key = sorted.map(String.init).joined(separator: ",")
        let known = try db.first(
            "SELECT conversation_id FROM conversations WHERE first_member_id = ? AND members = ?", [first.sql, key.sql])
        if let known { return known.int64(0) }
        try db.execute(
            "INSERT INTO conversations (first_member_id, conversation_id, members) VALUES (?, ?, ?)",
            [first.sql, newId.sql, key.sql])
        for member in sorted {
            try db.execute(
                "INSERT INTO conversation_members (person_id, conversation_id) VALUES (?, ?)", [member.sql, newId.sql])
        }
        return newId
    }

    /// - Throws: `not_found` for one that the person is not in.
    func require(_ conversationId: Int64, of person: Int64) throws {
        let row = try db.first(
            "SELECT 1 FROM conversation_members WHERE person_id = ? AND conversation_id = ?",
            [person.sql, conversationId.sql])
        guard row != nil else { throw Problem(.notFound, "There is no such conversation.") }
    }

    func memberIds(of conversationId: Int64) throws -> Set<Int64> {
        Set(
            try db.query(
                "SELECT person_id FROM conversation_members WHERE conversation_id = ?", [conversationId.sql]
            ).map { $0.int64(0) })
    }

    /// A person's conversations in which there is something to read, the one with the newest post first.
    ///
    /// - Parameter post: the last post of the last one of the page before; nil for the first page.
    func page(of person: Int64, before post: Int64?, limit: Int) throws -> [Conversation] {
        let may = PostAccess(db, reader: person).condition()
        return try db.query(
            """
            SELECT * FROM (
                SELECT m.conversation_id, (
                    SELECT max(p.post_id) FROM posts p WHERE p.conversation_id = m.conversation_id AND \(may.sql)
                ) AS last_post FROM conversation_members m WHERE m.person_id = ?
            ) mine WHERE last_post < ? ORDER BY last_post DESC LIMIT ?
            """, may.arguments + [person.sql, (post ?? .max).sql, limit.sql]
        ).map { row in
            Conversation(
                conversationId: row.int64(0), people: try members(of: row.int64(0)).filter { $0.id != person },
                lastPostId: row.int64(1))
        }
    }

    /// Those in it whose accounts are not disabled, by name.
    func members(of conversationId: Int64) throws -> [AuthorPreview] {
        try db.query(
            """
            SELECT \(AuthorPreview.columns("a")) FROM conversation_members m JOIN accounts a ON a.user_id = m.person_id
            WHERE m.conversation_id = ? AND a.disabled = 0 ORDER BY a.display_name, a.user_id
            """, [conversationId.sql]
        ).map { AuthorPreview($0, at: 0) }
    }
}
