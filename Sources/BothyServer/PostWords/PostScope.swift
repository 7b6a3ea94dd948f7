/// Whose words a post's are: everyone's, those of one author's followers, or those of one conversation. Each word and tag is
/// stored with it, so that a reader's look never touches what others wrote to others, not even to count it.
enum PostScope {
    /// - Parameters:
    ///   - audience: as the post's row has it.
    ///   - conversation: its conversation, where it is to people.
    static func text(audience: String, author: Int64, conversation: Int64?) -> String {
        switch (audience, conversation) {
        case ("everyone", _): everyone
        case ("people", let conversation?): "c\(conversation)"
        // Of a kind that is not known nobody but the author finds anything: what is found is checked again.
        default: followersMark + String(author)
        }
    }

    private static let everyone = "e"
    private static let followersMark = "f"

    /// SQL for the scopes that a reader may look into, and the values of its question marks.
    static func readable(by reader: Int64) -> (sql: String, arguments: [SQLValue]) {
        (
            """
            SELECT '\(everyone)' UNION ALL SELECT ?
            UNION ALL SELECT '\(followersMark)' || author_id FROM follows WHERE follower_id = ?
            UNION ALL SELECT 'c' || conversation_id FROM conversation_members WHERE person_id = ?
            """, [(followersMark + String(reader)).sql, reader.sql, reader.sql]
        )
    }
}
