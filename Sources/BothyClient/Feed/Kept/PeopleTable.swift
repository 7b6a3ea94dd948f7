import BothyContract
import GRDB

/// The table `people`: what the server said last of the people who are on it.
enum PeopleTable {
    static let schema = """
        CREATE TABLE people (
            person_id INTEGER PRIMARY KEY NOT NULL,
            person TEXT NOT NULL
        ) STRICT;
        """

    /// - Parameter isWhole: these are all that there are.
    static func put(_ people: [Person], isWhole: Bool = false, in db: Database) throws {
        if isWhole { try db.execute(sql: "DELETE FROM people") }
        for person in people {
            try db.execute(
                sql: "INSERT OR REPLACE INTO people (person_id, person) VALUES (?, ?)",
                arguments: [person.id, try WireCoding.text(of: person)])
        }
    }

    static func find(_ id: Int64, in db: Database) throws -> Person? {
        try String.fetchOne(db, sql: "SELECT person FROM people WHERE person_id = ?", arguments: [id])
            .map { try WireCoding.decode(Person.self, fromText: $0) }
    }

    /// By name, as the server lists them.
    static func all(in db: Database) throws -> [Person] {
        try String.fetchAll(db, sql: "SELECT person FROM people")
            .map { try WireCoding.decode(Person.self, fromText: $0) }
            .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    static func setFollowing(_ isFollowing: Bool, isAsked: Bool, _ id: Int64, in db: Database) throws {
        guard var person = try find(id, in: db) else { return }
        person.following = isFollowing && !isAsked
        person.requested = isFollowing && isAsked ? true : nil
        try put([person], in: db)
    }

    static func delete(_ id: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM people WHERE person_id = ?", arguments: [id])
    }
}
