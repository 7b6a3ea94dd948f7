import BothyContract

/// The chunks of one open session: those that came, and for named blocks all that the plan names.
package struct UploadChunkTable {
    private let db: any SQLConnection
    private let drive: Int64
    private let uploadId: String

    /// Chunks that one body may hold: 64 MiB of blocks of 8 KiB.
    package static let maximumChunksInBody = 8192
    /// Runs that one answer lists. What lies past them is only sent again, which is fine.
    package static let maximumRuns = 16_384
    /// Places after the prefix that the answer to a chunk looks at: more than a client has in flight.
    private static let answerWindow = 1024
    /// Rows read at once while the prefix moves.
    private static let prefixStep = 64
    /// Rows that one statement writes: their arguments stay far below what an engine takes.
    private static let rowsInInsert = 128

    package init(_ db: any SQLConnection, drive: Int64, uploadId: String) {
        self.db = db
        self.drive = drive
        self.uploadId = uploadId
    }

    /// Binds the columns that lead the key.
    private var key: [SQLValue] { [drive.sql, uploadId.sql] }

    // MARK: - Reading

    /// The chunks that `placement` covers exactly, in order, with what the session has of each.
    ///
    /// - Throws: `range_off_plan`, `body_too_large`.
    package func chunks(at placement: ChunkPlacement, of plan: UploadPlan) throws -> [PlannedChunk] {
        try plan.check(placement)
        switch (plan.kind, placement) {
        case (.fixed, .index(let index)):
            return try fixed(index...index, of: plan)
        case (.fixed, .range(let range)):
            return try fixed(plan.fixedChunks(covering: range), of: plan)
        case (_, .index(let index)):
            return try rows(from: index, limit: 1)
        case (_, .range(let range)):
            return try named(range, of: plan)
        case (_, .unreadable):
            preconditionFailure("a placement that cannot be read does not pass its check")
        }
    }

    private func fixed(_ indexes: ClosedRange<Int>, of plan: UploadPlan) throws -> [PlannedChunk] {
        var present = [Int: PlannedChunk]()
        for chunk in try rows(from: indexes.lowerBound, limit: indexes.count) { present[chunk.position] = chunk }
        return indexes.map { present[$0] ?? plan.fixedChunk(at: $0) }
    }

    private func named(_ range: ContentRange, of plan: UploadPlan) throws -> [PlannedChunk] {
        let first = try position(holding: range.first, totalChunks: plan.totalChunks)
        var chunks = [PlannedChunk]()
        for chunk in try rows(from: first, limit: Self.maximumChunksInBody) {
            guard chunk.start <= range.last else { break }
            chunks.append(chunk)
        }
        guard chunks.first?.start == range.first, chunks.last?.end == range.last + 1 else {
            throw plan.offPlan("\(range.text) is not made of whole blocks of this upload.")
        }
        return chunks
    }

    /// Halves the plan until the block that holds `offset` is found: positions and starts grow together.
    private func position(holding offset: Int64, totalChunks: Int) throws -> Int {
        var low = 0
        var high = totalChunks - 1
        while low < high {
            let middle = (low + high + 1) / 2
            let start = try db.first(
                "SELECT start FROM upload_chunks WHERE drive_id = ? AND upload_id = ? AND position = ?",
                key + [middle.sql])
            guard let start else { throw DatabaseError.corrupt("a plan has a hole at \(middle)") }
            if start.int64(0) <= offset { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Rows from `position` on. Those of a fixed plan are the ones that came.
    package func rows(from position: Int, limit: Int) throws -> [PlannedChunk] {
        try db.query(
            """
            SELECT position, start, size, hash, received FROM upload_chunks
            WHERE drive_id = ? AND upload_id = ? AND position >= ? AND position < ? ORDER BY position
            """, key + [position.sql, (position + limit).sql]
        ).map {
            PlannedChunk(
                position: $0.int(0), start: $0.int64(1), size: $0.int64(2), hash: $0.optional(3, SQLRow.hash),
                received: $0.bool(4))
        }
    }

    /// What has come, as runs.
    package func receivedRuns(of session: UploadSession) throws -> [ChunkRun] {
        if session.scatteredChunks == 0 { return Self.prefixRun(of: session) }
        let rest = try db.query(
            """
            SELECT min(position) AS first_position, max(position)
            FROM (
                SELECT position, position - row_number() OVER (ORDER BY position) AS island FROM upload_chunks
                WHERE drive_id = ? AND upload_id = ? AND position >= ? AND received = 1
            ) AS received
            GROUP BY island ORDER BY first_position LIMIT ?
            """, key + [session.prefixChunks.sql, Self.maximumRuns.sql])
        return Self.prefixRun(of: session) + rest.map { ChunkRun(first: $0.int(0), last: $0.int(1)) }
    }

    /// The prefix, and what came close behind it: enough for a client that sends the file from its start.
    package func nearRuns(of session: UploadSession) throws -> [ChunkRun] {
        if session.receivedChunks == session.prefixChunks { return Self.prefixRun(of: session) }
        let near = try rows(from: session.prefixChunks, limit: Self.answerWindow)
        return Self.prefixRun(of: session) + near.filter(\.received).map(\.position).chunkRuns
    }

    /// What has not come, as runs; not more of them than an answer lists.
    package func missingRuns(of session: UploadSession) throws -> [ChunkRun] {
        if session.hasEveryChunk { return [] }
        var missing = [ChunkRun]()
        var next = 0
        let received = try receivedRuns(of: session)
        for run in received {
            if run.first > next { missing.append(ChunkRun(first: next, last: run.first - 1)) }
            next = run.last + 1
        }
        if received.count < Self.maximumRuns, next < session.plan.totalChunks {
            missing.append(ChunkRun(first: next, last: session.plan.totalChunks - 1))
        }
        return missing
    }

    /// Bytes of the blocks that have yet to come for the places from `position` on; a block that repeats comes once.
    package func missingBytes(from position: Int) throws -> Int64 {
        try db.query(
            """
            SELECT size FROM upload_chunks
            WHERE drive_id = ? AND upload_id = ? AND position >= ? AND received = 0 GROUP BY hash, size
            """, key + [position.sql]
        ).reduce(0) { $0 + $1.int64(0) }
    }

    /// Moves the session's prefix over what is there now.
    package func advancePrefix(of session: inout UploadSession) throws {
        while true {
            let next = try rows(from: session.prefixChunks, limit: Self.prefixStep)
            let before = session.prefixChunks
            session.advancePrefix(over: next)
            if session.prefixChunks - before < Self.prefixStep { return }
        }
    }

    private static func prefixRun(of session: UploadSession) -> [ChunkRun] {
        session.prefixChunks > 0 ? [ChunkRun(first: 0, last: session.prefixChunks - 1)] : []
    }

    // MARK: - Writing

    /// A chunk of a fixed plan came.
    package func insertReceived(_ chunk: ArrivedChunk) throws {
        try db.execute(
            """
            INSERT INTO upload_chunks (drive_id, upload_id, position, start, size, hash, received)
            VALUES (?, ?, ?, ?, ?, ?, 1)
            """, key + [chunk.position.sql, chunk.start.sql, chunk.size.sql, chunk.hash.sql])
    }

    /// A named block came: it fills every place of the plan that names it.
    ///
    /// - Returns: how many places were empty.
    package func markReceived(_ hash: ContentHash, size: Int64) throws -> Int {
        try db.execute(
            """
            UPDATE upload_chunks SET received = 1
            WHERE drive_id = ? AND upload_id = ? AND hash = ? AND size = ? AND received = 0
            """, key + [hash.sql, size.sql])
    }

    /// Adds named blocks at the plan's end.
    package func append(_ blocks: some Collection<BlockReference>, from position: Int, start: Int64) throws {
        var position = position
        var start = start
        var rest = blocks[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.rowsInInsert)
            var arguments = [SQLValue]()
            arguments.reserveCapacity(batch.count * 6)
            for block in batch {
                arguments += key + [position.sql, start.sql, block.size.sql, block.sha256.sql]
                position += 1
                start += block.size
            }
            let places = repeatElement("(?, ?, ?, ?, ?, ?, 0)", count: batch.count).joined(separator: ", ")
            try db.execute(
                """
                INSERT INTO upload_chunks (drive_id, upload_id, position, start, size, hash, received)
                VALUES \(places)
                """, arguments)
            rest = rest.dropFirst(batch.count)
        }
    }

    /// The places from `position` on whose block the drive has whole: they are received, and their blocks pinned by that.
    ///
    /// - Returns: how many there are.
    /// - Throws: `plan_invalid` where the drive knows the block by another size.
    package func pinPresent(from position: Int) throws -> Int {
        let arguments = key + [position.sql]
        let lie = try db.first(
            """
            SELECT c.position, c.size, b.size FROM upload_chunks c
            JOIN blocks b ON b.drive_id = c.drive_id AND b.hash = c.hash
            WHERE c.drive_id = ? AND c.upload_id = ? AND c.position >= ? AND b.size <> c.size LIMIT 1
            """, arguments)
        if let lie {
            throw Problem(
                .planInvalid, "Block \(lie.int(0)) is said to have \(lie.int64(1)) bytes, and has \(lie.int64(2)).")
        }
        return try db.execute(
            """
            UPDATE upload_chunks SET received = 1
            WHERE drive_id = ? AND upload_id = ? AND position >= ? AND received = 0 AND EXISTS (
                SELECT 1 FROM blocks b
                WHERE b.drive_id = upload_chunks.drive_id AND b.hash = upload_chunks.hash AND b.damaged = 0
            )
            """, arguments)
    }

    /// The session is over: nothing of it is pinned any more.
    package func deleteAll() throws {
        try db.execute("DELETE FROM upload_chunks WHERE drive_id = ? AND upload_id = ?", key)
    }
}
