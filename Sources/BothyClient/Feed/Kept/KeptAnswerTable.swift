import BothyContract
import GRDB

/// What the server alone knows, and answered last.
enum KeptAnswer: Hashable, Sendable {
    case notifications, drafts, scheduled
    case draft(Int64)

    static let draftPrefix = "draft/"

    var name: String {
        switch self {
        case .notifications: "notifications"
        case .drafts: "drafts"
        case .scheduled: "scheduled"
        case .draft(let id): Self.draftPrefix + String(id)
        }
    }
}

/// The table `kept_answers`: to be read without a connection. Each is as the server sent it, in JSON, and stays until the next answer.
enum KeptAnswerTable {
    static let schema = """
        CREATE TABLE kept_answers (
            name TEXT PRIMARY KEY NOT NULL,
            answer TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    static func put(_ value: some Encodable, as answer: KeptAnswer, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO kept_answers (name, answer) VALUES (?, ?)",
            arguments: [answer.name, try WireCoding.text(of: value)])
    }

    /// - Returns: nil where none is kept, or one that this release cannot read: another one has kept it.
    static func find<Value: Decodable>(_ answer: KeptAnswer, in db: Database) throws -> Value? {
        try String.fetchOne(db, sql: "SELECT answer FROM kept_answers WHERE name = ?", arguments: [answer.name])
            .flatMap { try? WireCoding.decode(Value.self, fromText: $0) }
    }

    static func remove(_ answer: KeptAnswer, in db: Database) throws {
        try db.execute(sql: "DELETE FROM kept_answers WHERE name = ?", arguments: [answer.name])
    }

    /// Lets go of drafts that are not there any more.
    ///
    /// - Parameter drafts: all that there are.
    static func keep(_ drafts: Set<Int64>, in db: Database) throws {
        let kept = try String.fetchAll(
            db, sql: "SELECT name FROM kept_answers WHERE name GLOB ?", arguments: [KeptAnswer.draftPrefix + "*"])
        let names = Set(drafts.map { KeptAnswer.draft($0).name })
        for name in kept where !names.contains(name) {
            try db.execute(sql: "DELETE FROM kept_answers WHERE name = ?", arguments: [name])
        }
    }
}
