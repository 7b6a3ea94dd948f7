import Synchronization
import Testing

@testable import BothyServer

/// While less is free than the server keeps, only what gives room back, lets a person in or keeps the server going is written.
@Suite struct DiskReserveTests {
    private static let reserve: Int64 = 1000

    /// The bytes that a disk says are free.
    private final class Free: Sendable {
        let bytes = Mutex(DiskReserveTests.reserve)

        func tell(_ free: Int64) { bytes.withLock { $0 = free } }
    }

    private let folder: TemporaryFolder
    private let free = Free()

    init() throws { folder = try TemporaryFolder() }

    private func open() async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(
            path: folder.file("bothy.sqlite"), migrations: [DatabaseDriver.schema],
            keeping: DiskReserve(of: Self.reserve) { [free] in free.bytes.withLock { $0 } })
    }

    private static func add(_ name: String) -> @Sendable (any SQLConnection) throws -> Int {
        { try $0.execute("INSERT INTO parents (drive_id, name) VALUES (1, ?)", [name.sql]) }
    }

    private func names(_ database: SQLiteDatabase) async throws -> [String] {
        try await database.read { try $0.query("SELECT name FROM parents ORDER BY name").map { $0.string(0) } }
    }

    @Test func whatAddsSomethingIsRefusedAndTheReserveStillTakesWrites() async throws {
        let database = try await open()
        try await database.write(Self.add("before"))
        free.tell(Self.reserve - 1)
        await #expect { try await database.write(Self.add("shared")) } throws: { Self.isFull($0) }
        try await database.write(from: .reserve) { try $0.execute("DELETE FROM parents WHERE name = 'before'") }
        try await database.write(from: .reserve, Self.add("reserve"))
        #expect(try await names(database) == ["reserve"])
        free.tell(Self.reserve)
        try await database.write(Self.add("shared"))
        #expect(try await names(database) == ["reserve", "shared"])
        try await database.close()
    }

    /// Hundreds that wait together would take the whole reserve behind the one look.
    @Test func theDiskIsAskedBeforeEachOfThoseThatWaitTogether() async throws {
        let database = try await open()
        let last: @Sendable (any SQLConnection) throws -> Int = { [free] db in
            free.tell(0)
            return try Self.add("last")(db)
        }
        let outcomes = try await database.writeEach([Self.add("first"), last] + (0..<300).map { Self.add("\($0)") })
        #expect(outcomes.prefix(2).allSatisfy { (try? $0.get()) == 1 })
        for outcome in outcomes.dropFirst(2) {
            #expect(throws: DatabaseError.self) { try outcome.get() }
        }
        #expect(try await names(database) == ["first", "last"])
        try await database.close()
    }

    @Test func aDiskThatCannotBeAskedIsToldByWhoeverWritesToIt() {
        struct Unasked: Error {}
        #expect(DiskReserve(of: 1) { throw Unasked() }.isWhole())
        #expect(DiskReserve.none.isWhole())
    }

    /// The file of a database does not shrink: without this, whoever had deleted everything could add nothing.
    @Test func whatWasDeletedMakesRoomForOthersThoughTheFileStaysAsLarge() async throws {
        let database = try await open()
        let body = SQLValue.bytes([UInt8](repeating: 7, count: 200_000))
        try await database.write {
            try $0.execute("INSERT INTO items (drive_id, item_id, body) VALUES (1, 1, ?)", [body])
        }
        free.tell(Self.reserve / 2)
        await #expect { try await database.write(Self.add("a")) } throws: { Self.isFull($0) }
        try await database.write(from: .reserve) { try $0.execute("DELETE FROM items") }
        try await database.write(Self.add("a"))
        free.tell(Self.reserve / 2 - 1)
        await #expect { try await database.write(Self.add("b")) } throws: { Self.isFull($0) }
        #expect(try await names(database) == ["a"])
        try await database.close()
    }

    private static func isFull(_ error: any Error) -> Bool {
        if case DatabaseError.diskFull = error { true } else { false }
    }
}
