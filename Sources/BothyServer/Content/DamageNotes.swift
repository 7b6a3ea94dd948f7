/// Writes down which blocks were found to be damaged on the disk. From then on such a block counts as missing: a client that puts
/// the file again is asked for its bytes, and they take the damaged ones' place, in every file and revision that has them.
package struct DamageNotes: Sendable {
    private let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// - Parameter isDamaged: false for one that is readable again, such as after its disk was.
    package func note(_ location: BlockLocation, isDamaged: Bool = true) async throws {
        try await database.write(from: .reserve) { db in
            try db.execute(
                "UPDATE blocks SET damaged = ? WHERE pack = ? AND pack_offset = ?",
                [isDamaged.sql, location.pack.sql, location.offset.sql])
        }
    }

    /// Runs `body`, and writes down the damage that it meets before it reaches the caller.
    package func noting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch PackError.damaged(let location) {
            try await note(location)
            throw PackError.damaged(location)
        }
    }
}
