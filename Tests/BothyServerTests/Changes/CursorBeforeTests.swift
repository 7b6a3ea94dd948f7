import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// The place right before a change is told where the file in the answer is all that changed between the two, and nowhere else: who has
/// that place need not ask what happened.
@Suite struct CursorBeforeTests {
    private static func creation(_ name: String) -> CreateFileRequest {
        CreateFileRequest(requestId: "r", name: name, mimeType: nil, parentId: nil)
    }

    @Test func oneChangeIsToldWithThePlaceBeforeIt() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("a")
        let start = try await server.cursor()
        let answer = try await server.update(folder.id, UpdateFileRequest(name: "b"))
        let end = try await server.cursor()
        #expect(answer.headers[.bothyCursorBefore] == start && answer.cursor == end)
        let made = try await server.send(.post, "/v1/files", json: Self.creation("c"))
        #expect(made.headers[.bothyCursorBefore] == answer.cursor)
    }

    @Test func itIsThePlaceAtTheServerWhateverOthersDidBefore() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("a")
        let start = try await server.cursor()
        let theirs = try await server.update(folder.id, UpdateFileRequest(starred: true), as: .phone)
        let answer = try await server.update(folder.id, UpdateFileRequest(name: "b"))
        #expect(answer.headers[.bothyCursorBefore] == theirs.cursor && theirs.cursor != start)
    }

    @Test func aChangeThatChangesNothingTellsNone() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("a")
        _ = try await server.createFolder("somebody else's", as: .phone)
        let answer = try await server.update(folder.id, UpdateFileRequest(name: "a"))
        let end = try await server.cursor()
        #expect(answer.status == 200 && answer.cursor == end)
        #expect(answer.headers[.bothyCursorBefore] == nil)
    }

    @Test func aFolderThatComesBackAlongWithAFileIsNotPassedOver() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("a")
        let file = try await server.createFile("b", in: folder.id)
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        let start = try #require(ChangeCursor(text: try await server.cursor()))
        // The file was not in the trash itself: one change is made, and it is the folder's.
        let answer = try await server.update(file.id, UpdateFileRequest(trashed: false))
        let cursor = try #require(answer.cursor.flatMap { ChangeCursor(text: $0) })
        #expect(cursor.isNext(after: start) && answer.headers[.bothyCursorBefore] == nil)
    }

    @Test func severalChangesOfOneRequestTellNone() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("a")
        _ = try await server.createFile("b", in: folder.id)
        let copied = try await server.send(
            .post, "/v1/files/\(folder.id)/copy", json: CopyFileRequest(requestId: nil, name: "c", parentId: nil))
        #expect(copied.status == 201 && copied.headers[.bothyCursorBefore] == nil)
    }

    @Test func anAnswerThatIsGivenAgainTellsNone() async throws {
        let server = try await TestServer()
        let request = Self.creation("a")
        let answers = [
            try await server.send(.post, "/v1/files", json: request),
            try await server.send(.post, "/v1/files", json: request),
        ]
        #expect(answers.map { $0.headers[.bothyCursorBefore] == nil } == [false, true])
    }

    @Test func whatIsUploadedIsToldSoInOneRequestAndByASession() async throws {
        let server = try await UploadWorld().server
        let start = try await server.cursor()
        let whole = try await server.send(
            .post, "/v1/upload?uploadType=media&name=a", body: ByteBuffer(string: "words"))
        let end = try await server.cursor()
        #expect(whole.headers[.bothyCursorBefore] == start && whole.cursor == end)
        // What the drive has is a file as soon as the session starts, and its status tells of it again.
        let copy = UploadRequest(
            requestId: "r", name: "b", size: 5, fileHashSha256: try whole.file().checksum, plan: .open())
        let started = try await server.send(.post, "/v1/upload?uploadType=resumable", json: copy)
        #expect(started.headers[.bothyCursorBefore] == whole.cursor)
        #expect(try started.json(UploadResponse.self).file?.name == "b")
    }

    @Test func aNewVersionThatBringsAFolderBackTellsNone() async throws {
        let server = try await UploadWorld().server
        let folder = try await server.createFolder("a")
        let sent = try await server.send(
            .post, "/v1/upload?uploadType=media&name=b&parentId=\(folder.id)", body: ByteBuffer(string: "words"))
        let file = try sent.file()
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        let next = UploadRequest(
            requestId: "r", name: "b", size: 5, fileId: file.id, baseRevisionId: file.headRevisionId,
            fileHashSha256: file.checksum, plan: .open())
        let started = try await server.send(.post, "/v1/upload?uploadType=resumable", json: next)
        #expect(try started.json(UploadResponse.self).file?.version == 2 && started.cursor != nil)
        #expect(started.headers[.bothyCursorBefore] == nil)
    }
}
