import BothyContract
import BothyServer

/// What the server's jobs do, done now.
extension TestServer {
    /// Takes away everything that is cut off.
    func drain() async throws {
        let stamps = parts.stamps
        while try await database.write({ try Purge.drain(in: $0, stamps: stamps) }) {}
    }

    func emptyTrash() async throws {
        let stamps = parts.stamps
        let before = Int64(clock.uptimeSeconds()) - Retention.trash
        _ = try await database.write { try Purge.emptyTrash(livedBefore: before, in: $0, stamps: stamps) }
    }

    func deletions(_ query: String = "", limit: Int = 100, as caller: TestCaller = .kitchen) async throws -> [Deletion]
    {
        var deletions = [Deletion]()
        var page: String?
        repeat {
            let place = page.map { "&page=\($0)" } ?? ""
            let answer = try await send(.get, "/v1/changes/deletions?limit=\(limit)\(query)\(place)", as: caller)
            let response: GetDeletionsResponse = try answer.json()
            deletions += response.deletions
            page = response.pagination.next
        } while page != nil
        return deletions
    }
}
