import BothyContract
import GRDB

/// The table `given_up_notes`: what content was that was given up here, by its name in that folder.
enum GivenUpNoteTable {
    struct Note {
        var path: String?
        var reason: GivenUpContent.Reason
        var mimeType: String?
        var at: Timestamp
    }

    static func insert(_ note: Note, named name: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO given_up_notes (name, path, reason, mime_type, given_up_ms)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [name, note.path, note.reason.rawValue, note.mimeType, note.at.milliseconds])
    }

    static func all(in db: Database) throws -> [String: Note] {
        var notes = [String: Note]()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT name, path, reason, mime_type, given_up_ms FROM given_up_notes")
        while let row = try rows.next() {
            notes[row[0]] = Note(
                path: row[1], reason: GivenUpContent.Reason(rawValue: row[2]) ?? .leftBehind, mimeType: row[3],
                at: Timestamp(milliseconds: row[4]))
        }
        return notes
    }

    /// Forgets all others.
    static func keep(_ names: [String], in db: Database) throws {
        for name in Set(try String.fetchAll(db, sql: "SELECT name FROM given_up_notes")).subtracting(names) {
            try db.execute(sql: "DELETE FROM given_up_notes WHERE name = ?", arguments: [name])
        }
    }
}
