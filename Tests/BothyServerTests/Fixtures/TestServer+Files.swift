import BothyContract
import BothyServer
import Crypto
import Foundation
import Testing

/// What many tests do with files.
extension TestServer {
    func createFolder(
        _ name: String, in parentId: String = File.rootId, as caller: TestCaller = .kitchen, requestId: String? = nil
    ) async throws -> File {
        try await create(name, in: parentId, mimeType: File.folderMimeType, as: caller, requestId: requestId)
    }

    func createFile(
        _ name: String, in parentId: String = File.rootId, as caller: TestCaller = .kitchen
    ) async throws -> File {
        try await create(name, in: parentId, mimeType: "text/plain", as: caller, requestId: nil)
    }

    private func create(
        _ name: String, in parentId: String, mimeType: String, as caller: TestCaller, requestId: String?
    ) async throws -> File {
        let request = CreateFileRequest(requestId: requestId, name: name, mimeType: mimeType, parentId: parentId)
        let answer = try await send(.post, "/v1/files", as: caller, json: request)
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.file()
    }

    /// Commits content straight into the database, as a finished upload does; its blocks are not stored.
    func commit(
        _ content: String, _ placement: FilePlacement, as caller: TestCaller = .kitchen
    ) async throws -> FileCommit.Outcome {
        let stamp = parts.stamps.stamp(for: caller.caller)
        let hash = try #require(ContentHash(bytes: Array(SHA256.hash(data: Data(content.utf8)))))
        let size = Int64(content.utf8.count)
        return try await database.write { db in
            let contents = ContentTable(db, drive: stamp.driveId)
            let id =
                try contents.find(checksum: hash)?.id
                ?? contents.insert(checksum: hash, size: size, blocks: [BlockReference(sha256: hash, size: size)])
            return try FileCommit.commit(FileCommit(placement: placement, contentId: id), in: db, stamp: stamp)
        }
    }

    func update(
        _ id: String, _ request: UpdateFileRequest, as caller: TestCaller = .kitchen
    ) async throws -> TestAnswer {
        try await send(.patch, "/v1/files/\(id)", as: caller, json: request)
    }

    func file(_ id: String, as caller: TestCaller = .kitchen) async throws -> File {
        let answer = try await send(.get, "/v1/files/\(id)", as: caller)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.file()
    }

    /// Every entry of a list, page by page.
    func list(_ query: String, limit: Int = 1000, as caller: TestCaller = .kitchen) async throws -> [File] {
        var files = [File]()
        var page: String?
        repeat {
            let place = page.map { "&page=\($0)" } ?? ""
            let answer = try await send(.get, "/v1/files?limit=\(limit)&\(query)\(place)", as: caller)
            try #require(answer.status == 200, "\(answer.text)")
            let response: GetFilesResponse = try answer.json()
            files += response.files
            page = response.pagination.next
        } while page != nil
        return files
    }

    func names(
        in parentId: String = File.rootId, orderBy: String = "name", limit: Int = 1000
    ) async throws -> [String] {
        try await list("parentId=\(parentId)&orderBy=\(orderBy)", limit: limit).map(\.name)
    }

    func cursor(as caller: TestCaller = .kitchen) async throws -> String {
        let answer = try await send(.get, "/v1/changes/cursor", as: caller)
        return try answer.json(CursorResponse.self).cursor
    }

    /// Every change after a cursor, page by page, and the cursor at the end.
    func changes(
        after cursor: String?, limit: Int = 100, as caller: TestCaller = .kitchen
    ) async throws -> (changes: [Change], cursor: String) {
        var changes = [Change]()
        var place = cursor
        while true {
            let query = place.map { "&cursor=\($0)" } ?? ""
            let answer = try await send(.get, "/v1/changes?limit=\(limit)\(query)", as: caller)
            try #require(answer.status == 200, "\(answer.text)")
            let page: GetChangesResponse = try answer.json()
            changes += page.changes
            place = page.cursor
            if !page.hasMore { return (changes, page.cursor) }
        }
    }
}
