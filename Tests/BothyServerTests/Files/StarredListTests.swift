import BothyContract
import BothyServer
import HTTPTypes
import Testing

/// `GET /v1/files?starred=true`; what it lists is FolderConformance's.
@Suite struct StarredListTests {
    private static func star(_ starred: Bool = true) -> UpdateFileRequest { UpdateFileRequest(starred: starred) }

    @Test func starsAreOfOneDriveAlone() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("x")
        _ = try await server.update(file.id, Self.star())
        let theirs = try await server.createFile("y", as: .stranger)
        _ = try await server.update(theirs.id, Self.star(), as: .stranger)
        #expect(try await server.list("starred=true").map(\.id) == [file.id])
        #expect(try await server.list("starred=true", as: .stranger).map(\.id) == [theirs.id])
        #expect(try await server.list("starred=false").map(\.starred) == [true])
        _ = try await server.update(file.id, Self.star(false))
        #expect(try await server.list("starred=true").isEmpty)
    }

    @Test func pagesOfOneNameAreTheListCutUp() async throws {
        let server = try await TestServer()
        var ids = [String]()
        for number in 0..<7 {
            let file = try await server.createFile("same.txt", in: try await server.createFolder("f\(number)").id)
            _ = try await server.update(file.id, Self.star())
            ids.append(file.id)
        }
        for limit in 1...8 {
            #expect(try await server.list("starred=true", limit: limit).map(\.id) == ids.sorted())
        }
    }

    @Test func whatCannotBeAskedIsRefused() async throws {
        let server = try await TestServer()
        for query in ["starred=true&trashed=true", "starred=yes"] {
            #expect(try await server.send(.get, "/v1/files?\(query)").code == .invalidParameter)
        }
        #expect(try await server.send(.get, "/v1/files?starred=true&page=eyJ9").code == .pageInvalid)
    }
}
