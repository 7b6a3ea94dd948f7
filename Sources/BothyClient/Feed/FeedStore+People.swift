import BothyContract

/// The people of the server as this device knows them, with what was done here done to them.
extension FeedStore {
    /// - Parameter isWhole: these are all that there are.
    package func put(_ people: [Person], isWhole: Bool = false) async throws {
        try await write { db in try PeopleTable.put(people, isWhole: isWhole, in: db) }
    }

    package func shown(_ people: [Person]) async throws -> [Person] {
        try await read { db in people.map(FeedOverlay(try FeedOperationTable.all(in: db)).applied) }
    }

    /// All that are known here, by name.
    package func people() async throws -> [Person] {
        try await read { db in
            try PeopleTable.all(in: db).map(FeedOverlay(FeedOperationTable.all(in: db)).applied)
        }
    }

    /// - Returns: nil for somebody who is not known here.
    package func person(_ id: Int64) async throws -> Person? {
        try await read { db in
            try PeopleTable.find(id, in: db).map(FeedOverlay(FeedOperationTable.all(in: db)).applied)
        }
    }
}
