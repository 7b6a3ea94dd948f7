import BothyContract

/// What people say of themselves: columns of `accounts`, and `person_words`, by which they are found.
struct ProfileTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Gives a new account its handle, made from its name: the first that nobody has.
    func begin(_ id: Int64, name: String) throws {
        for handle in Handle.suggestions(for: name, id: id) where try take(handle, for: id) {
            return try index(id, name: name, handle: handle.text)
        }
        throw Problem(.internalError, "No handle could be found for the account \(id).")
    }

    /// - Returns: false where somebody else has it.
    func take(_ handle: Handle, for id: Int64) throws -> Bool {
        let owner = try db.first("SELECT user_id FROM accounts WHERE handle = ?", [handle.text.sql])
        if let owner { return owner.int64(0) == id }
        try db.execute("UPDATE accounts SET handle = ? WHERE user_id = ?", [handle.text.sql, id.sql])
        return true
    }

    func setName(_ name: String, of id: Int64) throws {
        try db.execute("UPDATE accounts SET display_name = ? WHERE user_id = ?", [name.sql, id.sql])
    }

    func setBio(_ bio: String, of id: Int64) throws {
        try db.execute("UPDATE accounts SET bio = ? WHERE user_id = ?", [bio.sql, id.sql])
    }

    func setApproving(_ approves: Bool, of id: Int64) throws {
        try db.execute("UPDATE accounts SET approves = ? WHERE user_id = ?", [approves.sql, id.sql])
    }

    /// The row of `attachments` that holds the picture of somebody; nil where she has none.
    func picture(of id: Int64) throws -> Int64? {
        try db.first("SELECT picture_id FROM accounts WHERE user_id = ?", [id.sql])?.optional(0, SQLRow.int64)
    }

    func setPicture(_ picture: Int64?, of id: Int64) throws {
        try db.execute("UPDATE accounts SET picture_id = ? WHERE user_id = ?", [picture.sql, id.sql])
    }

    /// Writes anew by which words somebody is found.
    func index(_ id: Int64, name: String, handle: String) throws {
        try db.execute("DELETE FROM person_words WHERE user_id = ?", [id.sql])
        for word in Set(NameWords.words(of: name) + NameWords.words(of: handle)) {
            try db.execute("INSERT INTO person_words (user_id, word) VALUES (?, ?)", [id.sql, word.sql])
        }
    }
}
