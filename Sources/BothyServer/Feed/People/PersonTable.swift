import BothyContract

/// People as one of them sees the others: accounts that are not disabled, and that no block hides from her.
struct PersonTable {
    private let db: any SQLConnection
    private let viewer: Int64

    init(_ db: any SQLConnection, seenBy viewer: Int64) {
        self.db = db
        self.viewer = viewer
    }

    /// - Throws: `not_found` for nobody, for an account that is disabled, and for one that is hidden.
    func require(_ id: Int64) throws -> Person {
        guard let person = try people("AND a.user_id = ?", [id.sql]).first else { throw Self.nobody }
        return person
    }

    /// The same with how much there is of hers.
    ///
    /// - Throws: `not_found`.
    func profile(_ id: Int64) throws -> Person {
        var person = try require(id)
        let may = PostAccess(db, reader: viewer).condition()
        let posts = try db.first(
            "SELECT count(*) FROM posts p WHERE p.author_id = ? AND \(may.sql)", [id.sql] + may.arguments)
        person.counts = Person.Counts(
            posts: posts?.int(0) ?? 0,
            followers: try count(
                """
                SELECT count(*) FROM follows f JOIN accounts a ON a.user_id = f.follower_id
                WHERE f.author_id = ? AND a.disabled = 0
                """, id),
            following: try count(
                """
                SELECT count(*) FROM follows f JOIN accounts a ON a.user_id = f.author_id
                WHERE f.follower_id = ? AND a.disabled = 0
                """, id))
        return person
    }

    /// Those of some people who are there, by name.
    func previews(of ids: [Int64]) throws -> [AuthorPreview] {
        let places = Array(repeating: "?", count: ids.count).joined(separator: ", ")
        return try people(
            "AND a.user_id IN (\(places)) ORDER BY a.display_name, a.user_id", ids.map(\.sql)
        ).map {
            AuthorPreview(
                id: $0.id, name: $0.name, handle: $0.handle, profileImageThumbnailUrl: $0.profileImageThumbnailUrl)
        }
    }

    /// - Returns: nil where nobody has it.
    func find(_ handle: Handle) throws -> Person? { try people("AND a.handle = ?", [handle.text.sql]).first }

    /// By name.
    ///
    /// - Parameter terms: words of ``NameWords``, each of which a word of the name or the handle has to begin with.
    func page(
        matching terms: [String], _ relation: PersonRelation?, after place: PeopleListing.Position?, limit: Int
    ) throws -> [Person] {
        var (conditions, values) = ("AND (a.display_name, a.user_id) > (?, ?)", [SQLValue]())
        values += [(place?.name ?? "").sql, (place?.userId ?? -1).sql]
        for term in terms {
            conditions += " AND a.user_id IN (SELECT user_id FROM person_words WHERE word >= ? AND word < ?)"
            // No word has the last scalar in it.
            values += [term.sql, (term + "\u{10FFFF}").sql]
        }
        if let some = relation.flatMap(Self.ids) {
            conditions += " AND a.user_id IN (\(some))"
            values.append(viewer.sql)
        }
        return try people(
            conditions + " ORDER BY a.display_name, a.user_id LIMIT ?", values + [limit.sql],
            withHidden: relation == .blocked)
    }

    /// People whom she does not follow, those first whom most of the people follow whom she follows.
    func suggestions(limit: Int) throws -> [Person] {
        try people(
            """
            AND a.user_id <> ?
            AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = a.user_id)
            AND NOT EXISTS (SELECT 1 FROM follow_requests r WHERE r.author_id = a.user_id AND r.follower_id = ?)
            AND NOT EXISTS (SELECT 1 FROM mutes m WHERE m.person_id = ? AND m.other_id = a.user_id)
            ORDER BY (
                SELECT count(*) FROM follows o JOIN follows t ON t.follower_id = o.author_id
                WHERE o.follower_id = ? AND t.author_id = a.user_id
            ) DESC, a.display_name, a.user_id LIMIT ?
            """, Array(repeating: viewer.sql, count: 5) + [limit.sql])
    }

    static var nobody: Problem { Problem(.notFound, "There is no such person here.") }

    private static func ids(_ relation: PersonRelation) -> String? {
        switch relation {
        case .following: "SELECT author_id FROM follows WHERE follower_id = ?"
        case .followers: "SELECT follower_id FROM follows WHERE author_id = ?"
        case .requests: "SELECT follower_id FROM follow_requests WHERE author_id = ?"
        case .muted: "SELECT other_id FROM mutes WHERE person_id = ?"
        case .blocked: "SELECT other_id FROM people_blocks WHERE person_id = ? AND own = 1"
        case .suggested: nil
        }
    }

    private func count(_ question: String, _ id: Int64) throws -> Int { try db.first(question, [id.sql])?.int(0) ?? 0 }

    /// - Parameter withHidden: also those whom a block hides.
    private func people(_ conditions: String, _ values: [SQLValue], withHidden: Bool = false) throws -> [Person] {
        let shown = withHidden ? "" : " AND NOT \(PeopleBlockTable.hides("?", "a.user_id"))"
        let viewers = Array(repeating: viewer.sql, count: withHidden ? 5 : 6)
        return try db.query(
            """
            SELECT a.user_id, a.display_name, a.handle, a.bio, a.approves,
                EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = a.user_id),
                EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = a.user_id AND f.author_id = ?),
                EXISTS (SELECT 1 FROM follow_requests r WHERE r.author_id = a.user_id AND r.follower_id = ?),
                EXISTS (SELECT 1 FROM mutes m WHERE m.person_id = ? AND m.other_id = a.user_id),
                EXISTS (SELECT 1 FROM people_blocks b WHERE b.person_id = ? AND b.other_id = a.user_id AND b.own = 1),
                a.picture_id
            FROM accounts a WHERE a.disabled = 0\(shown) \(conditions)
            """, viewers + values
        ).map(person)
    }

    private func person(_ row: SQLRow) -> Person {
        let bio = row.string(3)
        var person = Person(
            id: row.int64(0), name: row.string(1), handle: row.string(2), bio: bio.isEmpty ? nil : bio,
            following: row.bool(5), followsYou: row.bool(6), isYou: row.int64(0) == viewer)
        person.approvesFollowers = row.bool(4) ? true : nil
        person.requested = row.bool(7) ? true : nil
        person.muted = row.bool(8) ? true : nil
        person.blocked = row.bool(9) ? true : nil
        person.profileImageThumbnailUrl = Person.picture(of: person.id, version: row.optional(10, SQLRow.int64))
        return person
    }
}

extension AuthorPreview {
    /// The columns of `accounts`, under the name `alias`, that one is read from.
    static func columns(_ alias: String) -> String {
        "\(alias).user_id, \(alias).display_name, \(alias).handle, \(alias).picture_id"
    }

    /// - Parameter column: the first of those.
    init(_ row: SQLRow, at column: Int) {
        let (id, handle) = (row.int64(column), row.string(column + 2))
        self.init(
            id: id, name: row.string(column + 1), handle: handle.isEmpty ? nil : handle,
            profileImageThumbnailUrl: Person.picture(of: id, version: row.optional(column + 3, SQLRow.int64)))
    }
}
