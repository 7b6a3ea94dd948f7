import GRDB

/// The LUIDs of posts, comments and people. The server numbers each kind for itself: their ids are kept with their kind.
enum FeedLuids {
    static func ensure(_ kind: LUIDKind, _ number: Int64, in db: Database) throws -> LUID {
        try LuidTable.ensure(serverId: serverId(kind, number), as: kind, in: db)
    }

    /// The server has it now.
    static func bind(_ luid: LUID, _ kind: LUIDKind, _ number: Int64, in db: Database) throws {
        _ = try LuidTable.bind(luid, to: serverId(kind, number), in: db)
    }

    /// - Returns: nil while the server does not have it.
    static func number(of luid: LUID, in db: Database) throws -> Int64? {
        try LuidTable.serverId(of: LuidTable.resolved(luid, in: db), in: db)?
            .split(separator: "/").last.flatMap { Int64($0) }
    }

    private static func serverId(_ kind: LUIDKind, _ number: Int64) -> String { "\(kind.rawValue)/\(number)" }
}
