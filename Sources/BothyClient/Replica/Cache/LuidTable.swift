import BothyContract
import Foundation
import GRDB

/// The table `luids`: which local id stands for which thing of the server's, and of this device's.
enum LuidTable {
    /// A new LUID for something that the server does not have, or not yet.
    static func make(
        _ kind: LUIDKind, localId: String? = nil, hash: ContentHash? = nil, in db: Database
    ) throws -> LUID {
        try db.cachedStatement(sql: "INSERT INTO luids (kind, local_id, content_hash) VALUES (?, ?, ?)")
            .execute(arguments: [kind.rawValue, localId, hash.map { Data($0.bytes) }])
        return LUID(db.lastInsertedRowID)
    }

    static func find(serverId: String, in db: Database) throws -> LUID? {
        try db.cachedStatement(sql: "SELECT luid FROM luids WHERE server_id = ?")
            .fetchInt(serverId).map(LUID.init)
    }

    static func find(localId: String, kind: LUIDKind, in db: Database) throws -> LUID? {
        try Int64.fetchOne(
            db, sql: "SELECT luid FROM luids WHERE kind = ? AND local_id = ?", arguments: [kind.rawValue, localId]
        ).map(LUID.init)
    }

    /// The LUID of a thing of the server's, made where there is none: a folder is named by its children before it
    /// arrives itself.
    static func ensure(serverId: String, as kind: LUIDKind = .file, in db: Database) throws -> LUID {
        try find(serverId: serverId, in: db) ?? add(serverId: serverId, as: kind, in: db)
    }

    /// A new LUID for a thing of the server's that has none.
    static func add(serverId: String, as kind: LUIDKind = .file, in db: Database) throws -> LUID {
        try db.cachedStatement(sql: "INSERT INTO luids (kind, server_id) VALUES (?, ?)")
            .write([kind.rawValue, serverId], in: db)
        return LUID(db.lastInsertedRowID)
    }

    /// - Returns: nil while the server does not have it.
    static func serverId(of luid: LUID, in db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT server_id FROM luids WHERE luid = ?"), arguments: [luid.value])
    }

    /// What a LUID stands for now: another one, where what it made turned out to be a thing that had one.
    static func resolved(_ luid: LUID, in db: Database) throws -> LUID {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT same_as FROM luids WHERE luid = ? AND same_as IS NOT NULL"),
            arguments: [luid.value]
        ).map(LUID.init) ?? luid
    }

    /// The server has this thing now, under this id.
    ///
    /// - Returns: the LUID that stands for it: another one where the server's thing had one already.
    static func bind(_ luid: LUID, to serverId: String, in db: Database) throws -> LUID {
        if let holder = try find(serverId: serverId, in: db) {
            guard holder != luid else { return luid }
            try db.cachedStatement(sql: "UPDATE luids SET same_as = ? WHERE luid = ?")
                .execute(arguments: [holder.value, luid.value])
            return holder
        }
        // With its trigger it costs more to be read than to be done, and there are thousands.
        try db.cachedStatement(sql: "UPDATE luids SET server_id = ? WHERE luid = ?")
            .execute(arguments: [serverId, luid.value])
        return luid
    }

    /// The server has been put back to a time before it had this thing, which is made anew.
    static func release(_ luid: LUID, in db: Database) throws {
        try db.execute(sql: "UPDATE luids SET server_id = NULL WHERE luid = ?", arguments: [luid.value])
    }

    /// Nothing here speaks of it any more. What another LUID turned out to be stays.
    static func forget(_ luid: LUID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM luids WHERE luid = ?1
                    AND NOT EXISTS (SELECT 1 FROM luids o WHERE o.same_as = ?1)
                    AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.subject = ?1)
                """
        ).execute(arguments: [luid.value])
    }

    /// The content that it was made with here; nil for what was made elsewhere, and for what has none.
    static func content(of luid: LUID, in db: Database) throws -> ContentHash? {
        try Data.fetchOne(db, sql: "SELECT content_hash FROM luids WHERE luid = ?", arguments: [luid.value])
            .flatMap { ContentHash(bytes: $0) }
    }

    static func kind(of luid: LUID, in db: Database) throws -> LUIDKind? {
        try String.fetchOne(db, sql: "SELECT kind FROM luids WHERE luid = ?", arguments: [luid.value])
            .flatMap(LUIDKind.init)
    }
}

extension Statement {
    fileprivate func fetchInt(_ text: String) throws -> Int64? {
        try Int64.fetchOne(self, arguments: [text])
    }
}
