import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

@Suite struct BadRequestTests {
    @Test(arguments: [
        "", "{", "[]", "null", "1", "\"x\"", "{\"name\": 1}", "{\"name\": null}", "{}", "{\"name\": [\"a\"]}",
        "{\"name\": \"a\", \"parentId\": 5}", "{\"name\": \"\\ud800\"}", "{\"name\": \"a\"} x", "\u{0}",
    ])
    func aBodyThatIsNotTheRoutesIsMalformed(body: String) async throws {
        let server = try await TestServer()
        let answer = try await server.send(.post, "/v1/files", text: body)
        #expect(answer.status == 400 && answer.code == .malformedRequest, "\(answer.text)")
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(try await server.names().isEmpty)
    }

    @Test func deepJSONAndBytesThatAreNoTextAreMalformed() async throws {
        let server = try await TestServer()
        let deep = String(repeating: "[", count: 100_000)
        #expect(try await server.send(.post, "/v1/files", text: "{\"name\": \(deep)").code == .malformedRequest)
        let bytes = ByteBuffer(bytes: [0x7B, 0x22, 0xFF, 0xFE])
        #expect(try await server.send(.post, "/v1/files", body: bytes).code == .malformedRequest)
    }

    @Test func fieldsThatAreNotKnownAreIgnored() async throws {
        let server = try await TestServer()
        let answer = try await server.send(
            .post, "/v1/files", text: "{\"name\": \"a\", \"colour\": {\"deep\": [1, 2]}, \"size\": -1}")
        #expect(answer.status == 201)
    }

    @Test func aMalformedFieldIsNamed() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let answer = try await server.send(
            .patch, "/v1/files/\(file.id)", text: "{\"modifiedAt\": \"yesterday\"}")
        #expect(try answer.problem().detail.contains("modifiedAt"))
        #expect(answer.code == .malformedRequest)
    }

    @Test func anotherMediaTypeIsRefused() async throws {
        let server = try await TestServer()
        let answer = try await server.send(
            .post, "/v1/files", text: "{\"name\": \"a\"}", headers: [.contentType: "text/plain"])
        #expect(answer.status == 415 && answer.code == .unsupportedMediaType)
        let fine = try await server.send(
            .post, "/v1/files", text: "{\"name\": \"a\"}", headers: [.contentType: "application/json; charset=utf-8"])
        #expect(fine.status == 201)
    }

    @Test func aBodyThatIsTooLargeIsRefused() async throws {
        let server = try await TestServer()
        let answer = try await server.send(
            .post, "/v1/files", body: ByteBuffer(repeating: 0x20, count: (8 << 20) + 1))
        #expect(answer.status == 413 && answer.code == .bodyTooLarge)
        #expect(try answer.problem().limit == 8 << 20)
    }

    @Test(arguments: ["text", "/", "a/", "/b", "a/\u{7F}", "a/" + String(repeating: "b", count: 254)])
    func aTypeThatIsNoneIsRefused(type: String) async throws {
        let server = try await TestServer()
        let request = CreateFileRequest(requestId: nil, name: "a", mimeType: type, parentId: nil)
        #expect(try await server.send(.post, "/v1/files", json: request).code == .invalidParameter)
    }

    @Test func anUnknownAddressIs404AndAWrongMethodIs405() async throws {
        let server = try await TestServer()
        for path in ["/", "/v1", "/v1/nothing", "/v1/files/x/y/z", "/v2/files", "//v1//files//..//x"] {
            #expect(try await server.send(.get, path).code == .notFound, "\(path)")
        }
        let answer = try await server.send(.put, "/v1/files")
        #expect(answer.status == 405 && answer.code == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD, POST")
        #expect(try await server.send(.post, "/v1/changes", as: nil).code == .methodNotAllowed)
    }

    @Test func aHeadAnswersAsTheGetWithoutItsBody() async throws {
        let server = try await TestServer()
        let answer = try await server.send(.head, "/v1/files/root")
        #expect(answer.status == 200 && answer.body.readableBytes == 0 && answer.eTag == "\"1-1\"")
    }
}

@Suite struct WhoMayAskTests {
    private static let unknown = "019a2b60-89ab-7cde-8f01-23456789abcd"

    /// Every route with ids that are not the caller's.
    @Test func nothingOfAnotherDriveIsThere() async throws {
        let server = try await TestServer()
        let file = try await server.commit("secret", FilePlacement(name: "x"), as: .kitchen)
        let folder = try await server.createFolder("f")
        for (id, revision) in [(file.file.id, file.revision.id), (Self.unknown, Self.unknown), ("%00", "a%2Fb")] {
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.get, "/v1/files/\(id)", nil), (.get, "/v1/files?parentId=\(id)", nil),
                (.patch, "/v1/files/\(id)", "{\"starred\": true}"), (.delete, "/v1/files/\(id)", nil),
                (.delete, "/v1/files/\(id)?permanent=true", nil),
                (.post, "/v1/files/\(id)/copy", "{\"name\": \"y\", \"parentId\": \"root\"}"),
                (.get, "/v1/files/\(id)/revisions", nil), (.get, "/v1/files/\(id)/revisions/\(revision)", nil),
                (.get, "/v1/files/\(id)/revisions/\(revision)/blocks", nil),
                (.get, "/v1/files/\(id)/revisions/\(revision)/sketch", nil),
                (.post, "/v1/files/\(id)/revisions/\(revision)/restore", "{}"),
                (.post, "/v1/files/\(id)/revisions/\(revision)/patch", "{\"wanted\": [[0, 0]], \"have\": []}"),
            ]
            for (method, path, body) in calls {
                let answer =
                    try await body == nil
                    ? server.send(method, path, as: .stranger)
                    : server.send(method, path, as: .stranger, text: body ?? "")
                #expect(answer.status == 404 && answer.code == .notFound, "\(method) \(path): \(answer.text)")
            }
        }
        #expect(try await server.send(.get, "/v1/files?parentId=\(folder.id)", as: .stranger).code == .notFound)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/f", as: .stranger).code == .notFound)
        #expect(try await server.list("parentId=root", as: .stranger).isEmpty)
        #expect(try await server.changes(after: nil, as: .stranger).changes.count == 1)
        let cursor = try await server.cursor()
        #expect(try await server.send(.get, "/v1/changes?cursor=\(cursor)", as: .stranger).code == .cursorExpired)
        #expect(try await server.file(file.file.id).version == 1)
    }

    @Test func noRouteAnswersWithoutAToken() async throws {
        let server = try await TestServer()
        for route in server.router.routes {
            let parts = route.path.split(separator: "/").map { $0.first == "{" ? Substring(Self.unknown) : $0 }
            let path = "/" + parts.joined(separator: "/")
            let answer = try await server.send(route.method, path, as: nil, text: "{}")
            #expect(answer.status == 401 && answer.code == .signInRequired, "\(route)")
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
        #expect(server.router.routes.count == 24)
    }
}
