import Foundation
import GRDB
import Testing

@testable import BothyClient

@Suite struct ClientDatabaseTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("one.sqlite")
    }

    private var logSize: Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
    }

    private func writeMuch(to database: ClientDatabase) async throws {
        try await database.write { db in
            try db.execute(sql: "CREATE TABLE much (bytes BLOB)")
            try db.execute(sql: "INSERT INTO much VALUES (randomblob(2000000))")
        }
    }

    private func size(in database: ClientDatabase) async throws -> Int? {
        try await database.read { db in try Int.fetchOne(db, sql: "SELECT length(bytes) FROM much") }
    }

    @Test func closedItLeavesNoLongLogToReadForTheNext() async throws {
        let database = try ClientDatabase(path: path)
        try await writeMuch(to: database)
        #expect(logSize > 2_000_000)
        try await database.close()
        #expect(logSize == 0)

        let next = try ClientDatabase(path: path)
        #expect(try await size(in: next) == 2_000_000)
        try await next.close()
    }

    @Test func aFullDiskIsSaidToAPersonWhoKnowsNoFilesOfThisDevice() async throws {
        let database = try ClientDatabase(path: path)
        try await database.write { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let failure = await #expect(throws: ClientFailure.self) { try await writeMuch(to: database) }
        #expect(failure?.code == .diskFull && failure?.words.contains("this device's disk") == true)
        #expect(failure?.description.contains("sqlite") == false, "\(failure?.description ?? "")")
        try await database.close()
    }

    @Test func whoClosesItWaitsForNobodyWhoReadsIt() async throws {
        let database = try ClientDatabase(path: path)
        try await writeMuch(to: database)
        // A transaction that is open for as long as this test likes.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try await reader.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM much")
        }
        try await database.close()
        #expect(logSize > 2_000_000)
        let count = try await reader.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM much")
        }
        #expect(count == 1)
        try await reader.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        try reader.close()
    }
}
