import BothyContract

/// The tables `people_blocks` and `mutes`.
struct PeopleBlockTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Hides both from each other. What they followed of each other ends, and what was asked.
    func block(_ other: Int64, by person: Int64) throws {
        // Before they are hidden, so that what is theirs for another reason is there again once they are not.
        for (one, another) in [(person, other), (other, person)] {
            let follows = FollowTable(db)
            if try follows.delete(one, of: another) { try FeedEntryTable(db).unfollow(another, by: one) }
            try follows.withdraw(one, of: another)
        }
        for (one, another, own) in [(person, other, 1), (other, person, 0)] {
            try db.execute(
                """
                INSERT INTO people_blocks (person_id, other_id, own) VALUES (?, ?, ?)
                ON CONFLICT (person_id, other_id) DO UPDATE SET own = CASE WHEN people_blocks.own = 1 THEN 1 ELSE excluded.own END
                """, [one.sql, another.sql, own.sql])
        }
    }

    /// Nothing where there is none. The other one's own block stays.
    func unblock(_ other: Int64, by person: Int64) throws {
        try db.execute(
            "UPDATE people_blocks SET own = 0 WHERE person_id = ? AND other_id = ?", [person.sql, other.sql])
        try db.execute(
            """
            DELETE FROM people_blocks WHERE (person_id = ? AND other_id = ? OR person_id = ? AND other_id = ?)
                AND NOT EXISTS (SELECT 1 FROM people_blocks o WHERE o.own = 1
                    AND (o.person_id = ? AND o.other_id = ? OR o.person_id = ? AND o.other_id = ?))
            """, [person, other, other, person, person, other, other, person].map(\.sql))
    }

    /// Whether it is her own doing that she does not see somebody.
    func has(_ other: Int64, by person: Int64) throws -> Bool {
        try db.first(
            "SELECT 1 FROM people_blocks WHERE person_id = ? AND other_id = ? AND own = 1", [person.sql, other.sql])
            != nil
    }

    func mute(_ other: Int64, by person: Int64) throws {
        try db.execute(
            "INSERT INTO mutes (person_id, other_id) VALUES (?, ?) ON CONFLICT (person_id, other_id) DO NOTHING",
            [person.sql, other.sql])
    }

    func unmute(_ other: Int64, by person: Int64) throws {
        try db.execute("DELETE FROM mutes WHERE person_id = ? AND other_id = ?", [person.sql, other.sql])
    }

    /// True where two are hidden from each other.
    ///
    /// - Parameters: columns or question marks, one for each.
    static func hides(_ person: String, _ other: String) -> String {
        "EXISTS (SELECT 1 FROM people_blocks hb WHERE hb.person_id = \(person) AND hb.other_id = \(other))"
    }
}
