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
    package var overCount = 0
}

extension TransfersRepository {
    /// - Parameters:
    ///   - most: of those that have not ended.
    ///   - over: of those that have.
    ///   - journal: ids of transfers that the journal counts itself.
    package func board(most: Int, over: Int, besides journal: [String]) async throws -> TransferBoard {
        let (records, counts) = try await store.board(most: most, over: over, besides: journal)
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
        most: Int, over: Int, besides journal: [String]
    ) async throws -> (records: [TransferRecord], counts: Counts) {
        let ids = String(decoding: try JSONEncoder().encode(journal), as: UTF8.self)
        return try await look { db in
            let records =
                try UploadTransferTable.newest(over: false, most: most, in: db).map(TransferRecord.upload)
                + DownloadTransferTable.newest(over: false, most: most, in: db).map(TransferRecord.download)
                + UploadTransferTable.newest(over: true, most: over, in: db).map(TransferRecord.upload)
                + DownloadTransferTable.newest(over: true, most: over, in: db).map(TransferRecord.download)
            return (records, try Self.counts(besides: ids, in: db))
        }
    }

    private static func counts(besides ids: String, in db: Database) throws -> Counts {
        var counts: Counts = (0, 0, 0)
        for table in ["upload_transfers", "download_transfers"] {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT state, pause_reason, count(*), sum(transfer_id NOT IN (SELECT value FROM json_each(?)))
                    FROM \(table) GROUP BY state, pause_reason
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
