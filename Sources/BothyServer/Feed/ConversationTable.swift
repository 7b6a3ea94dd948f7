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
