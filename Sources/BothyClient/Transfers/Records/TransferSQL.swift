import BothyContent
import BothyContract
import Foundation
import GRDB

/// How the fields that both kinds of transfer have lie in their tables.
enum TransferSQL {
    /// `wish` is not among the columns that a runner writes: it is another process's to set.
    static func upsert(_ table: String, _ columns: [String]) -> String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let updates = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT (transfer_id) DO UPDATE SET \(updates)
            """
    }

    /// The rows for which `condition` holds, where there are nearly always none. A statement of forty columns is made ready for them even then,
    /// so that is asked first.
    static func rows(of table: String, where condition: String, _ value: String, in db: Database) throws -> [Row] {
        let isThere = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(condition))"
        guard try Bool.fetchOne(db.cachedStatement(sql: isThere), arguments: [value]) == true else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(condition)"), arguments: [value])
    }

    static func name(of state: TransferState) -> String {
        switch state {
        case .queued: "queued"
        case .preparing: "preparing"
        case .transferring: "transferring"
        case .verifying: "verifying"
        case .paused: "paused"
        case .completed: "completed"
        case .failed: "failed"
        case .canceled: "canceled"
        }
    }

    static func reason(of state: TransferState) -> String? {
        if case .paused(let reason) = state { reason.rawValue } else { nil }
    }

    static func state(_ name: String, reason: String?) -> TransferState {
        switch name {
        case "preparing": .preparing
        case "transferring": .transferring
        case "verifying": .verifying
        case "paused": .paused(reason.flatMap(PauseReason.init) ?? .stopped)
        case "completed": .completed
        case "failed": .failed
        case "canceled": .canceled
        default: .queued
        }
    }

    static func timestamp(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else {
            throw ClientFailure(.homeUnusable, "The device's database has a time that cannot be read: “\(text)”.")
        }
        return time
    }

    static func blob(_ chunks: ChunkProgress) -> Data { Data(chunks.bytes) }
    /// What older releases kept of an upload in `uploaded_chunks`: the server is asked instead.
    static let noChunks = Data()

    /// `first-last`, run by run.
    static func text(_ chunks: ChunkSet) -> String {
        chunks.runs.map { "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    static func chunks(_ text: String) -> ChunkSet {
        var chunks = ChunkSet()
        for run in text.split(separator: ",") {
            let ends = run.split(separator: "-").compactMap { Int($0) }
            if ends.count == 2, ends[0] <= ends[1] { chunks.insert(ChunkRun(first: ends[0], last: ends[1])) }
        }
        return chunks
    }

    static func bytes(_ blob: Data) -> [UInt8] { [UInt8](blob) }

    static func text(_ failure: TransferFailure?) throws -> String? {
        try failure.map { try WireCoding.text(of: $0) }
    }

    /// What cannot be read, a newer Bothy's or a damaged one, is a failure still: a transfer that failed says so in words.
    static func failure(_ text: String?) -> TransferFailure? {
        guard let text else { return nil }
        do {
            return try WireCoding.decode(TransferFailure.self, fromText: text)
        } catch {
            return TransferFailure(
                .unexpected, "The cause of the failure can no longer be read.", remedy: "Try it again.")
        }
    }

    /// `index:count`, those chunks only that were tried more than once.
    static func text(_ attempts: [Int: Int]) -> String {
        attempts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }

    static func attempts(_ text: String) -> [Int: Int] {
        var attempts = [Int: Int]()
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: ":").compactMap { Int($0) }
            if parts.count == 2 { attempts[parts[0]] = parts[1] }
        }
        return attempts
    }
}
