import BothyContract

/// What a client has seen of a feed, as `since` of `GET /v1/feed` spells it: opaque to the client.
package struct ArrivalCursor: Codable, Equatable, Sendable {
    /// The server's: one that was restored from a backup counts again.
    var epoch: Int64
    var arrival: Int64

    /// That of all that is in a feed now.
    static func now(_ reader: Int64, in db: any SQLConnection) throws -> ArrivalCursor {
        ArrivalCursor(epoch: try ServerEpoch.read(db), arrival: try ArrivalTable(db).last(of: reader))
    }

    /// - Throws: `cursor_expired` for one that is made up, of another life of the server, or of another's feed that is further.
    static func arrival(in text: String, of reader: Int64, in db: any SQLConnection) throws -> Int64 {
        let now = try now(reader, in: db)
        // What cannot be read is no cursor of this feed.
        guard let cursor = try? PageCursor.read(Self.self, from: text), cursor.epoch == now.epoch,
            (0...now.arrival).contains(cursor.arrival)
        else {
            throw Problem(
                .cursorExpired, "“since” is not of this feed, or of an earlier life of the server. Leave it out.")
        }
        return cursor.arrival
    }
}
