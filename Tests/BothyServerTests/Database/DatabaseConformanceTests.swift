import Testing

@testable import BothyServer

/// What the server relies on in every database.
@Suite struct DatabaseConformanceTests {
    private struct Refused: Error {}

    private func withDatabase(_ driver: DatabaseDriver, _ body: (any Database) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try await driver.open(folder)
        try await body(database)
        try await database.close()
    }

    private func insert(_ id: Int64) -> @Sendable (any SQLConnection) throws -> Void {
        { try $0.execute("INSERT INTO items (drive_id, item_id) VALUES (1, ?)", [id.sql]) }
    }

    private func ids(_ database: any Database) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT item_id FROM items ORDER BY item_id").map { $0.int64(0) } }
    }

    private func expectItems(_ expected: [Int64], in database: any Database) async throws {
        let stored = try await ids(database)
        #expect(stored == expected)
    }

    @Test(arguments: DatabaseDriver.all)
    func everyKindOfValueComesBackAsItWentIn(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            let values: [[SQLValue]] = [
                [1, 1, nil, .bytes([])], [1, 2, nil, .bytes([0, 255, 7])], [1, .integer(.max), nil, nil],
                [.integer(.min), 4, nil, .bytes(Array(repeating: 9, count: 100_000))],
            ]
            try await database.write { connection in
                for row in values {
                    try connection.execute(
                        "INSERT INTO items (drive_id, item_id, parent, body) VALUES (?, ?, ?, ?)", row)
                }
            }
            let rows = try await database.read { connection in
                try connection.query(
                    "SELECT drive_id, item_id, parent, body FROM items ORDER BY drive_id DESC, item_id")
            }
            #expect(rows.map(\.values) == [values[0], values[1], values[2], values[3]])
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func hostileTextIsOnlyEverAValue(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            let name = "'; DROP TABLE items; -- ünïcode \u{202E} \u{1F6D6}"
            try await database.write {
                try $0.execute("INSERT INTO parents (drive_id, name) VALUES (1, ?)", [name.sql])
            }
            let found = try await database.read { try $0.first("SELECT name FROM parents WHERE name = ?", [name.sql]) }
            #expect(found?.string(0) == name)
            try await expectItems([], in: database)
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aTransactionThatThrowsIsUndoneWhole(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            await #expect(throws: Refused.self) {
                try await database.write { connection in
                    try self.insert(1)(connection)
                    try self.insert(2)(connection)
                    throw Refused()
                }
            }
            try await expectItems([], in: database)
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func transactionsSideBySideKeepTheirOwnOutcome(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            let refused = await withTaskGroup(of: Bool.self) { group in
                for id in Int64(0)..<500 {
                    group.addTask {
                        do {
                            try await database.write { connection in
                                try self.insert(id)(connection)
                                if id % 7 == 0 { throw Refused() }
                            }
                            return false
                        } catch {
                            return error is Refused
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(refused == 72)
            try await expectItems((0..<500).filter { $0 % 7 != 0 }, in: database)
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func transactionsHandedInTogetherRunInOrderAndKeepTheirOwnOutcome(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            let outcomes = try await database.writeEach(
                (0..<600).map { id -> @Sendable (any SQLConnection) throws -> Int in
                    { connection in
                        let before = try connection.first("SELECT COUNT(*) FROM items")!.int(0)
                        try self.insert(Int64(id))(connection)
                        if id % 7 == 1 { throw Refused() }
                        return before
                    }
                })
            var expected = 0
            for (id, outcome) in outcomes.enumerated() {
                if id % 7 == 1 {
                    #expect(throws: Refused.self) { try outcome.get() }
                } else {
                    #expect(try outcome.get() == expected)
                    expected += 1
                }
            }
            #expect(outcomes.count == 600)
            try await expectItems((0..<600).filter { $0 % 7 != 1 }, in: database)
            #expect(try await database.writeEach([@Sendable (any SQLConnection) throws -> Int]()).isEmpty)
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aCounterThatManyRaiseLosesNoStep(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            try await database.write { try self.insert(0)($0) }
            let places = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        try await database.write { connection in
                            let last = try connection.first("SELECT COUNT(*), MAX(item_id) FROM items")!.int64(1)
                            try self.insert(last + 1)(connection)
                            return last + 1
                        }
                    }
                }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(places == Set(1...300))
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aReaderSeesOneMomentAndOnlyWhatWasCommitted(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for id in Int64(0)..<100 {
                        try await database.write { connection in
                            try self.insert(id * 2)(connection)
                            try self.insert(id * 2 + 1)(connection)
                        }
                    }
                }
                for _ in 0..<100 {
                    group.addTask {
                        let (first, second) = try await database.read { connection in
                            (
                                try connection.first("SELECT COUNT(*) FROM items")!.int64(0),
                                try connection.first("SELECT COUNT(*) FROM items")!.int64(0)
                            )
                        }
                        #expect(first == second)
                        #expect(first % 2 == 0)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aReaderCannotWrite(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            await #expect(throws: DatabaseError.self) { try await database.read { try self.insert(1)($0) } }
            try await expectItems([], in: database)
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aKeyInUseAndAMissingParentAreToldApart(_ driver: DatabaseDriver) async throws {
        try await withDatabase(driver) { database in
            try await database.write { try self.insert(1)($0) }
            await #expect {
                try await database.write { try self.insert(1)($0) }
            } throws: { error in
                if case DatabaseError.uniqueViolation = error { true } else { false }
            }
            await #expect {
                try await database.write {
                    try $0.execute("INSERT INTO items (drive_id, item_id, parent) VALUES (1, 2, 'nobody')")
                }
            } throws: { error in
                if case DatabaseError.foreignKeyViolation = error { true } else { false }
            }
        }
    }

    @Test(arguments: DatabaseDriver.all)
    func aBackupTakenWhileWritingIsWhole(_ driver: DatabaseDriver) async throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let database = try await driver.open(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for id in Int64(0)..<200 {
                    try await database.write { connection in
                        try self.insert(id * 2)(connection)
                        try self.insert(id * 2 + 1)(connection)
                    }
                }
            }
            group.addTask { try await database.backup(to: other.file("bothy.sqlite")) }
            try await group.waitForAll()
        }
        let copy = try await driver.open(other)
        let copied = try await ids(copy)
        #expect(copied == Array(0..<Int64(copied.count)))
        #expect(copied.count % 2 == 0)
        await #expect(throws: DatabaseError.self) { try await database.backup(to: other.file("bothy.sqlite")) }
        try await copy.close()
        try await database.close()
    }

    @Test(arguments: DatabaseDriver.all)
    func whatWasCommittedIsThereAfterOpeningAgain(_ driver: DatabaseDriver) async throws {
        let folder = try TemporaryFolder()
        let first = try await driver.open(folder)
        try await first.write { try self.insert(5)($0) }
        try await first.close()
        await #expect(throws: DatabaseError.self) { try await first.write { try self.insert(6)($0) } }
        let second = try await driver.open(folder)
        try await expectItems([5], in: second)
        try await second.close()
    }
}
