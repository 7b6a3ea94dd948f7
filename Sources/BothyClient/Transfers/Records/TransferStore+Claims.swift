import BothyContent
import BothyContract
import Foundation
import GRDB

/// Who runs which transfer is decided inside one transaction each, so that no transfer is run twice.
extension TransferStore {
    package struct Claim: Sendable {
        package var record: TransferRecord
        /// This process runs it; otherwise another one does already.
        package var mine: Bool
        /// Transfers of older content that this one takes the place of, and that other processes may be running.
        package var superseded = [TransferRecord]()
    }

    package func claim(
        _ orders: [UploadOrder], sources: [FileFacts], by runner: RunnerIdentity, now: Timestamp
    ) async throws -> [Claim] {
        try await transact { db in
            try zip(orders, sources).map { order, source in
                let pin = SourcePin(source)
                let open = try UploadTransferTable.open(for: order, in: db)
                let same = open.first { $0.source == nil || $0.source == pin }
                let record: UploadTransfer
                if let same {
                    if runner.isAlive(same.runner), same.runner != runner.id {
                        return Claim(record: .upload(same), mine: false)
                    }
                    record = same.begunAgain(by: runner.id, now: now)
                    try Self.clearWish(of: same.transferId, in: db)
                } else {
                    var fresh = UploadTransfer(transferId: OrderedId.new(at: now), order: order, now: now)
                    fresh.pin(source)
                    fresh.runner = runner.id
                    record = fresh
                }
                try UploadTransferTable.save(record, in: db)
                let older = open.filter { $0.transferId != record.transferId && !$0.hasKeeper }
                let superseded = try older.map { try Self.supersede($0, by: record, runner, now, in: db) }
                return Claim(record: .upload(record), mine: true, superseded: superseded)
            }
        }
    }

    /// Those that have no keeper, not over, of a file to a place.
    package func open(for order: UploadOrder) async throws -> [UploadTransfer] {
        try await transact { db in try UploadTransferTable.open(for: order, in: db).filter { !$0.hasKeeper } }
    }

    package func handOn(
        _ order: UploadOrder, source: FileFacts, by runner: RunnerIdentity, now: Timestamp
    ) async throws -> Bool {
        try await transact { db in
            let pin = SourcePin(source)
            let same = try UploadTransferTable.open(for: order, in: db).first {
                !$0.hasKeeper && ($0.source == nil || $0.source == pin)
            }
            guard let same else { return false }
            if runner.isAlive(same.runner) { return true }
            var left = same.begunAgain(by: runner.id, now: now)
            left.runner = nil
            try Self.clearWish(of: left.transferId, in: db)
            try UploadTransferTable.save(left, in: db)
            return true
        }
    }

    package func claim(
        _ orders: [DownloadOrder], by runner: RunnerIdentity, now: Timestamp
    ) async throws -> [Claim] {
        try await transact { db in
            try orders.map { order in
                var record: DownloadTransfer
                if let same = try DownloadTransferTable.open(for: order, in: db).first {
                    if runner.isAlive(same.runner), same.runner != runner.id {
                        return Claim(record: .download(same), mine: false)
                    }
                    record = same.begunAgain(by: runner.id, now: now)
                    record.replaces = order.replaces
                    try Self.clearWish(of: same.transferId, in: db)
                } else {
                    var fresh = DownloadTransfer(transferId: OrderedId.new(at: now), order: order, now: now)
                    fresh.runner = runner.id
                    record = fresh
                }
                try DownloadTransferTable.save(record, in: db)
                return Claim(record: .download(record), mine: true)
            }
        }
    }

    /// Takes a transfer over, unless a process that lives runs it or it is over.
    ///
    /// - Parameter change: what else becomes of it when it is this process's.
    package func claim(
        _ id: String, by runner: RunnerIdentity, now: Timestamp,
        _ change: @escaping @Sendable (inout TransferRecord) -> Void = { _ in }
    ) async throws -> Claim {
        try await transact { db in
            guard let record = try Self.find(id, in: db) else { throw Self.unknown(id) }
            return try Self.claim(record, by: runner, now: now, change, in: db)
        }
    }

    /// Makes uploads under ids from outside, or takes over what was begun under them, except for what a person has paused: only a
    /// person lets that go on.
    package func claim(
        _ orders: [TransfersRepository.KeptOrder], by runner: RunnerIdentity, now: Timestamp
    ) async throws -> [Claim] {
        try await transact { db in
            try orders.map { kept in
                let order = kept.order
                if let known = try UploadTransferTable.find(kept.id, in: db) {
                    if known.state == .paused(.user) { return Claim(record: .upload(known), mine: false) }
                    return try Self.claim(
                        .upload(known), by: runner, now: now, { $0.isKept(expecting: order.checksum) }, in: db)
                }
                var fresh = UploadTransfer(transferId: kept.id, order: order, now: now)
                fresh.hasKeeper = true
                fresh.runner = runner.id
                try UploadTransferTable.save(fresh, in: db)
                return Claim(record: .upload(fresh), mine: true)
            }
        }
    }

    private static func claim(
        _ record: TransferRecord, by runner: RunnerIdentity, now: Timestamp,
        _ change: (inout TransferRecord) -> Void = { _ in }, in db: Database
    ) throws -> Claim {
        if record.state.isOver || runner.isAlive(record.runner) && record.runner != runner.id {
            return Claim(record: record, mine: false)
        }
        var record = record.begunAgain(by: runner.id, now: now)
        change(&record)
        try write(record, in: db)
        try clearWish(of: record.id, in: db)
        return Claim(record: record, mine: true)
    }

    /// What was asked of a process before this one is no wish any more.
    private static func clearWish(of id: String, in db: Database) throws {
        for table in ["upload_transfers", "download_transfers"] {
            try db.cachedStatement(sql: "UPDATE \(table) SET wish = NULL WHERE transfer_id = ?")
                .execute(arguments: [id])
        }
    }

    package static func unknown(_ id: String) -> ClientFailure {
        ClientFailure(.transferNotFound, "There is no transfer “\(id)” on this device.")
    }

    /// Newer content is there: what sends the older is canceled, here or by the process that runs it.
    private static func supersede(
        _ old: UploadTransfer, by new: UploadTransfer, _ runner: RunnerIdentity, _ now: Timestamp, in db: Database
    ) throws -> TransferRecord {
        var old = old
        old.replacedBy = new.transferId
        old.updatedAt = now
        if runner.isAlive(old.runner), old.runner != runner.id {
            try db.execute(
                sql: "UPDATE upload_transfers SET wish = ? WHERE transfer_id = ?",
                arguments: [TransferWish.cancel.rawValue, old.transferId])
        } else {
            old.state = .canceled
            old.runner = nil
            try UploadTransferTable.save(old, in: db)
        }
        return .upload(old)
    }
}

extension TransferRecord {
    func begunAgain(by runner: String, now: Timestamp) -> TransferRecord {
        switch self {
        case .upload(let transfer): .upload(transfer.begunAgain(by: runner, now: now))
        case .download(let transfer): .download(transfer.begunAgain(by: runner, now: now))
        }
    }
}

extension TransferRecord {
    /// An upload that an earlier release began does not know what it must hold, nor that somebody keeps account of it.
    fileprivate mutating func isKept(expecting checksum: ContentHash?) {
        guard case .upload(var transfer) = self else { return }
        transfer.hasKeeper = true
        transfer.expectedHash = checksum
        self = .upload(transfer)
    }
}

extension UploadTransfer {
    fileprivate func begunAgain(by runner: String, now: Timestamp) -> UploadTransfer {
        var copy = self
        copy.runner = runner
        copy.state = .queued
        copy.failures = 0
        copy.lastError = nil
        copy.updatedAt = now
        return copy
    }

    /// Nothing of what was sent counts any more, and the source is what it is now.
    mutating func forgetProgress() {
        generation += 1
        source = nil
        sessionId = nil
        sessionExpiresAt = nil
        chunked = false
        plan = .open
        chunkSize = UploadLimits.defaultChunkSize
        receivedBlocks = ChunkSet()
        sentBytes = 0
        fileHashSha256 = nil
        attemptsPerChunk = [:]
        lastByteOffset = 0
        shownBytes = 0
    }
}

extension DownloadTransfer {
    fileprivate func begunAgain(by runner: String, now: Timestamp) -> DownloadTransfer {
        var copy = self
        copy.runner = runner
        copy.state = .queued
        copy.failures = 0
        copy.lastError = nil
        copy.updatedAt = now
        return copy
    }

    /// Nothing of what was fetched counts any more.
    mutating func forgetProgress() {
        if followsHead { revisionId = nil }
        expectedSize = nil
        expectedHash = nil
        etag = nil
        downloadedChunks = ChunkProgress(total: 0)
        attemptsPerChunk = [:]
        lastByteOffset = 0
        shownBytes = 0
    }
}
