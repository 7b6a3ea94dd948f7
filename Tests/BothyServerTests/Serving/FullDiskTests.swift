import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// An account with a quota of one byte filled the disk with copies of a folder; then nobody could delete, or sign in.
@Suite struct FullDiskTests {
    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ session: SessionResponse, _ json: some Encodable,
        at server: AccountServer
    ) async throws -> TestAnswer {
        try await server.send(method, path, token: session.accessToken, json: json)
    }

    private func makeFolder(_ name: String, _ session: SessionResponse, at server: AccountServer) async throws
        -> TestAnswer
    {
        try await send(
            .post, "/v1/files", session,
            CreateFileRequest(requestId: nil, name: name, mimeType: File.folderMimeType, parentId: nil), at: server)
    }

    @Test func nobodyIsLockedOutAndNothingIsAdded() async throws {
        let folder = try TemporaryFolder()
        let (session, ids) = try await AccountServer.with(folder: folder) { server in
            let session = try await server.register()
            var ids = [String]()
            for name in ["one", "two", "three"] {
                ids.append(try await makeFolder(name, session, at: server).file().id)
            }
            return (session, ids)
        }
        // No disk has so much room.
        try await AccountServer.with(folder: folder, minFree: .max) { server in
            let signedIn = try await server.login()
            _ = try await server.refresh(session.refreshToken)
            #expect(try await makeFolder("four", signedIn, at: server).code == .diskFull)
            let rename = UpdateFileRequest(name: "other")
            #expect(try await send(.patch, "/v1/files/\(ids[0])", signedIn, rename, at: server).code == .diskFull)
            let copy = CopyFileRequest(requestId: nil, name: "copy", parentId: nil)
            #expect(try await send(.post, "/v1/files/\(ids[0])/copy", signedIn, copy, at: server).code == .diskFull)
            let sent = try await server.send(
                .post, "/v1/upload?uploadType=media&name=a", token: signedIn.accessToken, body: ByteBuffer(string: "a"))
            #expect(sent.code == .diskFull)
            let trash = UpdateFileRequest(trashed: true)
            #expect(try await send(.patch, "/v1/files/\(ids[0])", signedIn, trash, at: server).status == 200)
            let bringBack = UpdateFileRequest(trashed: false)
            #expect(try await send(.patch, "/v1/files/\(ids[0])", signedIn, bringBack, at: server).code == .diskFull)
            for (id, query) in [(ids[0], "?permanent=true"), (ids[1], "?permanent=true"), (ids[2], "")] {
                #expect(
                    try await server.send(.delete, "/v1/files/\(id)\(query)", token: signedIn.accessToken).status == 204
                )
            }
            #expect(try await server.send(.get, "/readyz").status == 200)
            #expect(try await server.send(.post, "/v1/auth/logout", token: signedIn.accessToken).status == 204)
        }
    }
}
