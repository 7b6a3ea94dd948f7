import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import Testing

/// Cost grows with the change, and not with what lies below: 20,000 nodes, or as many as `BOTHY_TEST_NODES` says.
@Suite(.serialized) struct LargeFolderTests {
    private static let count = ProcessInfo.processInfo.environment["BOTHY_TEST_NODES"].flatMap(Int.init) ?? 20_000

    /// A folder with `count` files in it, written as `FileCreation` does.
    private func server() async throws -> (TestServer, folder: File) {
        let server = try await TestServer()
        let folder = try await server.createFolder("many")
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        try await server.database.write { db in
            for index in 0..<Self.count {
                let creation = FileCreation(
                    name: "file \(index).txt", mimeType: nil, parentId: folder.id, requestId: nil)
                _ = try creation.perform(in: db, stamp: stamp)
            }
        }
        return (server, folder)
    }

    /// What a change wrote, told by the rows that are other than before.
    private func rows(_ server: TestServer) async throws -> Set<String> {
        try await server.database.read { db in
            let rows = try db.query("SELECT node_id, version, parent_id, trashed, purged, updated_ms FROM nodes")
            return Set(rows.map { $0.values.map { "\($0)" }.joined(separator: " ") })
        }
    }

    @Test func movingTrashingAndDeletingTouchOneRowEach() async throws {
        let (server, folder) = try await server()
        let target = try await server.createFolder("target")
        let path = "/v1/files/\(folder.id)"
        let changes: [(String, () async throws -> TestAnswer)] = [
            ("move", { try await server.update(folder.id, UpdateFileRequest(parentId: target.id)) }),
            ("trash", { try await server.send(.delete, path) }),
            ("untrash", { try await server.update(folder.id, UpdateFileRequest(trashed: false)) }),
            ("delete", { try await server.send(.delete, path + "?permanent=true") }),
        ]
        for (name, change) in changes {
            let before = try await rows(server)
            let cursor = try #require(ChangeCursor(text: try await server.cursor()))
            let answer = try await change()
            #expect((200..<300).contains(answer.status), "\(name): \(answer.text)")
            #expect(try await rows(server).subtracting(before).count == 1, "\(name)")
            let after = try #require(ChangeCursor(text: try await server.cursor()))
            #expect(after.sequence == cursor.sequence + 1, "\(name) is one change")
        }
        try await server.drain()
        #expect(try await rows(server).count == 2, "the root and the target")
        let remembered = try await server.database.read { try $0.first("SELECT COUNT(*) FROM deletions")?.int64(0) }
        #expect(remembered == Int64(Self.count) + 1)
    }

    @Test func everyPageIsReadByKeyHoweverFarItLies() async throws {
        let (server, folder) = try await server()
        var found = Set<String>()
        var page: String?
        var pages = [Duration]()
        let clock = ContinuousClock()
        repeat {
            let place = page.map { "&page=\($0)" } ?? ""
            let start = clock.now
            let answer = try await server.send(.get, "/v1/files?parentId=\(folder.id)&limit=1000\(place)")
            pages.append(clock.now - start)
            let response: GetFilesResponse = try answer.json()
            found.formUnion(response.files.map(\.id))
            page = response.pagination.next
        } while page != nil
        #expect(found.count == Self.count)
        #expect(pages.count == Self.count / 1000)
        // No timed test: the figures are for whoever looks, and everyOrderIsReadFromAnIndex holds the plan.
        print("a page of 1,000 of \(Self.count): first \(pages[0]), last \(pages[pages.count - 1])")
    }
}
