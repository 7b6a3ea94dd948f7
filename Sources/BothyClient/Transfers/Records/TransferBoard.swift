import BothyContract
import Foundation
import GRDB

/// The newest transfers, and how many there are.
package struct TransferBoard: Sendable {
    package var open: [TransferSnapshot]
    package var over: [TransferSnapshot]
    /// How many have not ended, besides those that the journal speaks of.
    package var openCount = 0
    /// Of those, how many wait for a person.
    package var askingCount = 0
    /// 0 where none of those was asked for.
    package var overCount = 0
}

extension TransfersRepository {
    /// - Parameters:
    ///   - most: of those that have not ended.
    ///   - over: of those that have.
    ///   - journal: ids of transfers that the journal counts itself.
    ///   - pending: where content lies that the journal sends. What is sent from there and is not the journal's any more was
    ///     decided otherwise: it waits for nobody.
    package func board(
        most: Int, over: Int, besides journal: [String], pending: String
    ) async throws -> TransferBoard {
        let (records, counts) = try await store.board(most: most, over: over, besides: journal, pending: pending)
        var board = TransferBoard(open: [], over: [])
        for record in records {
            let snapshot = running[record.id] == nil ? current(record) : latest[record.id] ?? current(record)
            if snapshot.state.isOver { board.over.append(snapshot) } else { board.open.append(snapshot) }
        }
        (board.openCount, board.askingCount, board.overCount) = (counts.open, counts.asking, counts.over)
        return board
    }
}

extension TransferStore {
    fileprivate typealias Counts = (open: Int, asking: Int, over: Int)

    fileprivate func board(
        most: Int, over: Int, besides journal: [String], pending: String
    ) async throws -> (records: [TransferRecord], counts: Counts) {
        try await look { db in
            let left = try Self.leftOver(in: pending, besides: try Self.json(journal), db)
            let ids = try Self.json(journal + left)
            let records =
                try UploadTransferTable.newest(over: false, most: most, in: db).map(TransferRecord.upload)
                + DownloadTransferTable.newest(over: false, most: most, in: db).map(TransferRecord.download)
                + UploadTransferTable.newest(over: true, most: over, in: db).map(TransferRecord.upload)
                + DownloadTransferTable.newest(over: true, most: over, in: db).map(TransferRecord.download)
            let gone = Set(left)
            return (records.filter { !gone.contains($0.id) }, try Self.counts(besides: ids, alsoOver: over > 0, in: db))
        }
    }

    private static func json(_ ids: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(ids), as: UTF8.self)
    }

    private static func leftOver(in pending: String, besides ids: String, _ db: Database) throws -> [String] {
        let folder = pending + "/"
        return try String.fetchAll(
            db,
            sql: """
                SELECT transfer_id FROM upload_transfers
                WHERE state NOT IN ('completed', 'canceled') AND substr(local_path, 1, ?) = ?
                    AND transfer_id NOT IN (SELECT value FROM json_each(?))
                """, arguments: [folder.unicodeScalars.count, folder, ids])
    }

    /// - Parameter alsoOver: those that are over are the many, and counting them reads them all.
    private static func counts(besides ids: String, alsoOver: Bool, in db: Database) throws -> Counts {
        var counts: Counts = (0, 0, 0)
        let meant = alsoOver ? "" : "WHERE state NOT IN ('completed', 'canceled')"
        for table in ["upload_transfers", "download_transfers"] {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT state, pause_reason, count(*), sum(transfer_id NOT IN (SELECT value FROM json_each(?)))
                    FROM \(table) \(meant) GROUP BY state, pause_reason
                    """, arguments: [ids])
            for row in rows {
                let state = TransferSQL.state(row[0], reason: row[1])
                let (all, besides): (Int, Int) = (row[2], row[3])
                if state.isOver { counts.over += all } else { counts.open += besides }
                if state == .failed || state == .paused(.signInNeeded) { counts.asking += besides }
            }
        }
        return counts
    }
}
