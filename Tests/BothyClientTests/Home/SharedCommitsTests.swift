import Dispatch
import GRDB
import Synchronization
import Testing

@testable import BothyClient

@Suite struct SharedCommitsTests {
    private struct Refused: Error {}

    /// Counts the commits that a database makes.
    private final class Commits: TransactionObserver, Sendable {
        let count = Mutex(0)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
        func databaseDidRollback(_ db: Database) {}
    }

    private final class Begun: Sendable {
        let count = Mutex(0)
    }

    private let folder: TemporaryFolder
    private let pool: DatabasePool
    private let commits: SharedCommits
    private let counted = Commits()

    init() throws {
        folder = try TemporaryFolder()
        pool = try DatabasePool(path: folder.file("a.sqlite"))
        try pool.write { try $0.execute(sql: "CREATE TABLE numbers (number INTEGER PRIMARY KEY)") }
        pool.add(transactionObserver: counted, extent: .databaseLifetime)
        commits = SharedCommits(pool)
    }

    private func add(_ number: Int) async throws -> Int {
        try await commits.write { db in
            try db.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number])
            if number % 3 == 0 { throw Refused() }
            return number * 2
        }
    }

    /// Writes `numbers` while one commit is under way until all of them were handed in.
    private func addTogether(_ numbers: Range<Int>) async -> [Int: Result<Int, any Error>] {
        let begun = Begun()
        let held = DispatchSemaphore(value: 0)
        async let first: Void? = try? commits.write { _ in held.wait() }
        let results = await withTaskGroup(of: (Int, Result<Int, any Error>).self) { group in
            for number in numbers {
                group.addTask {
                    begun.count.withLock { $0 += 1 }
                    do { return (number, .success(try await add(number))) } catch { return (number, .failure(error)) }
                }
            }
            while begun.count.withLock({ $0 }) < numbers.count { await Task.yield() }
            held.signal()
            var results = [Int: Result<Int, any Error>]()
            for await (number, result) in group { results[number] = result }
            return results
        }
        _ = await first
        return results
    }

    @Test func eachOfThoseThatCommitTogetherIsWholeOrNotAtAll() async throws {
        let results = await addTogether(1..<200)
        for (number, result) in results {
            if number % 3 == 0 {
                #expect(throws: Refused.self) { try result.get() }
            } else {
                #expect(try result.get() == number * 2)
            }
        }
        let there = try await pool.read { try Int.fetchAll($0, sql: "SELECT number FROM numbers ORDER BY number") }
        #expect(there == (1..<200).filter { $0 % 3 != 0 })
        #expect(counted.count.withLock { $0 } < 100, "nearly all of them share one commit")
    }

    @Test func whatEndsTheTransactionIsToldToAllOfIt() async throws {
        let held = DispatchSemaphore(value: 0)
        async let first: Void? = try? commits.write { _ in held.wait() }
        let ending = Task { try await commits.write { try $0.execute(sql: "ROLLBACK") } }
        let beside = Task { try await add(1) }
        held.signal()
        _ = await first
        await #expect(throws: (any Error).self) { try await ending.value }
        let told = try? await beside.value
        let there = try await pool.read { try Int.fetchAll($0, sql: "SELECT number FROM numbers") }
        #expect(there == (told == nil ? [] : [1]))
        #expect(try await add(2) == 4)
    }
}
