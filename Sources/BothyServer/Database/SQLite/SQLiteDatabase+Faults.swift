/// SQLite's own check of its file: `bothy server verify`.
extension SQLiteDatabase {
    /// Faults that are named at most; a file that has more is not worth reading on.
    private static let mostFaults = 100

    package func faults() async throws -> [String] {
        do {
            // It takes minutes: people's requests wait for the turns of `readApart`.
            let found: [String] = try await onQueueOfItsOwn {
                try self.readHere { db in
                    try db.query("PRAGMA integrity_check(\(Self.mostFaults))").map { $0.string(0) }
                }
            }
            return found == ["ok"] ? [] : found
        } catch DatabaseError.corrupt(let reason) {
            return [reason]
        }
    }
}
