import BothyContract
import Foundation

/// What a mutation came to: its answer, and the place of its change.
package struct Mutation<Answer: Codable & Sendable>: Sendable {
    package var answer: Answer
    package var cursor: ChangeCursor
    /// The place right before it, where what is answered is all that changed; not told when the answer is given again.
    package var before: ChangeCursor?

    package init(answer: Answer, cursor: ChangeCursor, before: ChangeCursor? = nil) {
        self.answer = answer
        self.cursor = cursor
        self.before = before
    }
}

/// The table `outcomes`: what each request id led to, for 30 days. Refusals are not kept.
package struct OutcomeTable {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// Acts, unless the same request did already: then its answer is given again.
    ///
    /// The outcome is written in the transaction of the action, so that a request acts once however often, and however
    /// much at once, it comes.
    ///
    /// - Parameter head: the place of the drive's log before the action. An outcome at this place changed nothing, and is not
    ///   written: repeating the request does no harm. Nil where every outcome is written.
    /// - Throws: `idempotency_mismatch` when the id stood for another request; what `action` throws.
    package func once<Answer>(
        _ identity: RequestIdentity, lived: Int64, ignoring head: ChangeCursor? = nil,
        _ action: () throws -> Mutation<Answer>
    ) throws -> Mutation<Answer> {
        guard let requestId = identity.requestId else { return try action() }
        if let known: Mutation<Answer> = try find(requestId, identity) { return known }
        let outcome = try action()
        if let head, outcome.cursor == head { return outcome }
        let answer = try WireCoding.text(of: outcome.answer)
        try write(requestId, identity, answer: answer, cursor: outcome.cursor, lived)
        return outcome
    }

    private func write(
        _ requestId: String, _ identity: RequestIdentity, answer: String, cursor: ChangeCursor, _ lived: Int64
    ) throws {
        try db.execute(
            """
            INSERT INTO outcomes (drive_id, request_id, route, body_hash, status, answer, cursor, at_lived)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                drive.sql, requestId.sql, identity.route.sql, identity.bodyHash.sql, 0, answer.sql, cursor.text.sql,
                lived.sql,
            ])
    }

    private func find<Answer>(_ requestId: String, _ identity: RequestIdentity) throws -> Mutation<Answer>? {
        let row = try db.first(
            "SELECT route, body_hash, answer, cursor FROM outcomes WHERE drive_id = ? AND request_id = ?",
            [drive.sql, requestId.sql])
        guard let row else { return nil }
        guard row.string(0) == identity.route, row.hash(1) == identity.bodyHash else { throw Self.mismatch }
        guard let cursor = row.optional(3, SQLRow.string).flatMap({ ChangeCursor(text: $0) }) else {
            throw DatabaseError.corrupt("outcomes: no cursor at \(requestId)")
        }
        return Mutation(
            answer: try WireCoding.decode(Answer.self, from: Data(row.string(2).utf8)), cursor: cursor)
    }

    /// What is known of a request id.
    package struct Known {
        /// `POST /v1/files`; nil for one that was withdrawn before it came.
        package var route: String?
        /// JSON.
        package var answer: String
    }

    package func known(_ requestId: String) throws -> Known? {
        try db.first(
            "SELECT route, answer FROM outcomes WHERE drive_id = ? AND request_id = ?",
            [drive.sql, requestId.sql]
        ).map { row in
            Known(route: row.string(0) == Self.withdrawn ? nil : row.string(0), answer: row.string(1))
        }
    }

    /// Whatever comes under this id from now on is refused.
    package func withdraw(_ requestId: String, lived: Int64) throws {
        let nothing = RequestIdentity.none(for: Self.withdrawn)
        try write(requestId, nothing, answer: "null", cursor: try ChangeLog(db, drive: drive).head(), lived)
    }

    /// What comes under this id from now on acts anew.
    func forget(_ requestId: String) throws {
        try db.execute(
            "DELETE FROM outcomes WHERE drive_id = ? AND request_id = ?", [drive.sql, requestId.sql])
    }

    /// Stands in the place of a route, which begins with a method.
    private static let withdrawn = "withdrawn"

    /// Forgets outcomes of before `lived`, at most `limit` of them, in every drive.
    ///
    /// What they made is still known by its request id: a creation repeated after that finds its file.
    package static func prune(livedBefore lived: Int64, limit: Int, in db: any SQLConnection) throws -> Int {
        try db.executeEach(
            "DELETE FROM outcomes WHERE drive_id = ? AND request_id = ?",
            of: "SELECT drive_id, request_id FROM outcomes WHERE at_lived < ? ORDER BY at_lived LIMIT ?",
            [lived.sql, limit.sql])
    }

    package static var mismatch: Problem {
        Problem(.idempotencyMismatch, "This request id was used for another request. Use a new id for a new request.")
    }
}
