import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import Testing

@Suite struct FolderTests {
    @Test func aNewDriveHasAnEmptyRoot() async throws {
        let server = try await TestServer()
        let root = try await server.file(File.rootId)
        #expect(root.isFolder && root.parentId == nil && root.version == 1)
        #expect(try await server.names().isEmpty)
    }

    @Test func aCreatedFolderAnswersWithItsTagAndItsPlaceInTheLog() async throws {
        let server = try await TestServer()
        let request = CreateFileRequest(
            requestId: "a1", name: "Holidays", mimeType: File.folderMimeType, parentId: nil)
        let answer = try await server.send(.post, "/v1/files", json: request)
        let file = try answer.file()
        #expect(answer.status == 201)
        #expect(answer.eTag == "\"1-1\"")
        #expect(answer.cursor == (try await server.cursor()))
        #expect(file.parentId == File.rootId && file.requestId == "a1" && file.deviceId == "kitchen")
        let byId = try await server.send(.get, "/v1/files/\(file.id)")
        #expect(byId.eTag == "\"1-1\"")
        #expect(try byId.file() == file)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/Holidays").file() == file)
    }

    @Test func foldersComeFirstInEveryOrder() async throws {
        let server = try await TestServer()
        let times: [Int64] = [30, 10, 20]
        for (index, name) in ["b", "a", "c"].enumerated() {
            _ = try await server.createFolder("folder-\(name)")
            let placement = FilePlacement(name: "file-\(name)")
            let file = try await server.commit(String(repeating: "x", count: Int(times[index])), placement).file
            var request = UpdateFileRequest()
            request.modifiedAt = Timestamp(seconds: times[index], nanoseconds: 5)
            #expect(try await server.update(file.id, request).status == 200)
        }
        let folders = ["folder-a", "folder-b", "folder-c"]
        let orders: [(String, [String], [String])] = [
            ("name", folders, ["file-a", "file-b", "file-c"]),
            ("-name", folders.reversed(), ["file-c", "file-b", "file-a"]),
            ("size", folders, ["file-a", "file-c", "file-b"]),
            ("-size", folders.reversed(), ["file-b", "file-c", "file-a"]),
            ("modifiedAt", folders, ["file-a", "file-c", "file-b"]),
            ("-modifiedAt", folders.reversed(), ["file-b", "file-c", "file-a"]),
        ]
        for (order, expectedFolders, expectedFiles) in orders {
            for limit in [1, 2, 3, 4, 100] {
                let names = try await server.names(orderBy: order, limit: limit)
                #expect(names == expectedFolders + expectedFiles, "\(order) by \(limit)")
            }
        }
    }

    @Test func pagesStayRightWhileTheFolderChanges() async throws {
        let server = try await TestServer()
        for name in ["b", "d", "f", "h"] { _ = try await server.createFile(name) }
        let first: GetFilesResponse = try await server.send(.get, "/v1/files?limit=2").json()
        #expect(first.files.map(\.name) == ["b", "d"])
        _ = try await server.createFile("a")
        _ = try await server.createFile("e")
        var request = UpdateFileRequest()
        request.trashed = true
        _ = try await server.update(first.files[1].id, request)
        let next = try #require(first.pagination.next)
        let second: GetFilesResponse = try await server.send(.get, "/v1/files?limit=2&page=\(next)").json()
        #expect(second.files.map(\.name) == ["e", "f"])
    }

    @Test func aPageCursorOfAnotherListOrOfNobodyIsRefused() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("x")
        for name in ["a", "b"] {
            _ = try await server.createFile(name)
            _ = try await server.createFile(name, in: folder.id)
        }
        let page: GetFilesResponse = try await server.send(.get, "/v1/files?limit=1").json()
        let next = try #require(page.pagination.next)
        let madeUp = [
            "zzz", "e30", "%00", "../..", String(repeating: "A", count: 5000), "bnVsbA", next + "x",
        ]
        for text in madeUp {
            let answer = try await server.send(.get, "/v1/files?page=\(text)")
            #expect(answer.code == .pageInvalid, "\(text)")
        }
        #expect(try await server.send(.get, "/v1/files?orderBy=size&page=\(next)").code == .pageInvalid)
        #expect(try await server.send(.get, "/v1/files?parentId=\(folder.id)&page=\(next)").code == .pageInvalid)
        #expect(try await server.send(.get, "/v1/files?trashed=true&page=\(next)").code == .pageInvalid)
        #expect(try await server.send(.get, "/v1/files/\(folder.id)?page=\(next)").status == 200)
    }

    @Test(arguments: ["0", "-1", "1001", "99999999999999999999", "ten", "1.5", ""])
    func aLimitOutOfRangeIsRefused(limit: String) async throws {
        let server = try await TestServer()
        for path in ["/v1/files?", "/v1/files?trashed=true&", "/v1/changes?", "/v1/changes/deletions?"] {
            #expect(try await server.send(.get, "\(path)limit=\(limit)").code == .invalidParameter, "\(path)")
        }
    }

    @Test func listingWhatIsNoFolderSaysSo() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        #expect(try await server.send(.get, "/v1/files?parentId=\(file.id)").code == .notAFolder)
        #expect(try await server.send(.get, "/v1/files?parentId=nothing").code == .notFound)
        #expect(try await server.send(.get, "/v1/files?orderBy=colour").code == .invalidParameter)
        #expect(try await server.send(.get, "/v1/files?trashed=perhaps").code == .invalidParameter)
    }

    @Test func everyOrderIsReadFromAnIndex() async throws {
        let server = try await TestServer()
        let orders = [
            ("name_key, name", "(name_key, name) > (x'6b', 'k')", "nodes_in_order"),
            ("name_key DESC, name DESC", "(name_key, name) < (x'6b', 'k')", "nodes_in_order"),
            ("modified_s, modified_ns, name", "(modified_s, modified_ns, name) > (1, 2, 'k')", "nodes_by_modified"),
            ("size DESC, name DESC", "(size, name) < (1, 'k')", "nodes_by_size"),
        ]
        for (order, place, index) in orders {
            let plan = try await server.database.read { db in
                try db.query(
                    """
                    EXPLAIN QUERY PLAN SELECT node_id FROM nodes WHERE drive_id = 1 AND parent_id = 'root' AND kind = 1
                    AND trashed = 0 AND purged = 0 AND \(place) ORDER BY \(order) LIMIT 100
                    """
                ).map { $0.string(3) }.joined(separator: "; ")
            }
            #expect(plan.contains(index), "\(order): \(plan)")
            #expect(!plan.contains("TEMP B-TREE"), "\(order): \(plan)")
        }
    }
}
