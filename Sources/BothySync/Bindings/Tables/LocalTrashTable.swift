import BothyContract
import Foundation
import GRDB

/// Something that was taken away or replaced here, kept for a while.
package struct TrashedHere: Equatable, Sendable, Identifiable {
    /// Its name in the bound folder's trash.
    package let keep: String
    package var bindingId: String
    /// Where it was.
    package var place: Place
    package var isFolder: Bool
    /// Bytes.
    package var size: Int64
    /// Of a file, as far as it had been read.
    package var checksum: ContentHash?
    package var reason: Reason
    package var takenAt: Timestamp
    /// Seconds that this device had lived then.
    package var livedAt: Int64

    package var id: String { keep }

    package init(
        keep: String, bindingId: String, place: Place, isFolder: Bool, size: Int64, checksum: ContentHash? = nil,
        reason: Reason, takenAt: Timestamp, livedAt: Int64
    ) {
        self.keep = keep
        self.bindingId = bindingId
        self.place = place
        self.isFolder = isFolder
        self.size = size
        self.checksum = checksum
        self.reason = reason
        self.takenAt = takenAt
        self.livedAt = livedAt
    }

    /// Seconds that a device lives before this is deleted for good: 30 days.
    package static let lifetime: Int64 = 30 * 24 * 3600
}

/// The table `local_trash`. A row is written before its file moves: what no row names is never there.
enum LocalTrashTable {
    static func add(_ item: TrashedHere, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO local_trash
                    (keep, binding_id, place, is_folder, size, checksum, reason, taken_at, lived_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.keep, item.bindingId, item.place.text, item.isFolder, item.size,
                item.checksum.map { Data($0.bytes) }, item.reason.rawValue, item.takenAt.rfc3339, item.livedAt,
            ])
    }

    /// What was agreed on of it stays known.
    static func take(_ keep: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM local_trash WHERE keep = ?", arguments: [keep])
    }

    static func remove(_ keep: String, in db: Database) throws {
        try take(keep, in: db)
        try TrashedNodeTable.remove(keep, in: db)
    }

    /// The newest first.
    static func all(of binding: String?, in db: Database) throws -> [TrashedHere] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM local_trash WHERE ?1 IS NULL OR binding_id = ?1 ORDER BY taken_at DESC, keep",
            arguments: [binding]
        ).map(item)
    }

    /// Those that lie there since before the device had lived so many seconds.
    static func taken(before lived: Int64, of binding: String, in db: Database) throws -> [TrashedHere] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM local_trash WHERE binding_id = ? AND lived_at < ?", arguments: [binding, lived]
        ).map(item)
    }

    /// Files with this content by their names in the trash, the newest first.
    static func keeps(_ content: ContentHash, of binding: String, most: Int, in db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT keep FROM local_trash WHERE binding_id = ? AND checksum = ?
                    ORDER BY taken_at DESC, keep LIMIT ?
                    """), arguments: [binding, Data(content.bytes), most])
    }

    private static func item(_ row: Row) -> TrashedHere {
        TrashedHere(
            keep: row["keep"], bindingId: row["binding_id"], place: Place(text: row["place"]),
            isFolder: row["is_folder"], size: row["size"],
            checksum: (row["checksum"] as Data?).flatMap { ContentHash(bytes: $0) },
            reason: Reason(rawValue: row["reason"]) ?? .deletedThere,
            takenAt: JSONColumn.moment(row["taken_at"]), livedAt: row["lived_at"])
    }
}
