import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct FileNameOnTheServerTests {
    @Test(arguments: ["", ".", "..", "a/b", "/", "nul\\u0000", "tab\\t", "bell\\u0007", "line\\n", "c1\\u0085"])
    func aHostileNameIsRefused(name: String) async throws {
        let server = try await TestServer()
        let answer = try await server.send(.post, "/v1/files", text: "{\"name\": \"\(name)\"}")
        #expect(answer.code == .invalidName, "\(answer.text)")
        #expect(try await server.names().isEmpty)
    }

    @Test func aNameOf256BytesIsRefusedAndOneOf255IsTaken() async throws {
        let server = try await TestServer()
        let long = String(repeating: "é", count: 127)
        let answer = try await server.send(.post, "/v1/files", text: "{\"name\": \"\(long)ab\"}")
        #expect(answer.code == .invalidName)
        #expect(try await server.createFile(long + "a").name == long + "a")
    }

    @Test func rightToLeftMarksAndEmojiAreKeptAsTheyAre() async throws {
        let server = try await TestServer()
        let names = ["\u{202E}gpj.exe", "👩‍👩‍👧", "-rf", "~", "CON", "a b", "%2e%2e", "'; DROP TABLE nodes; --"]
        for name in names {
            let file = try await server.createFile(name)
            #expect(Array(file.name.unicodeScalars) == Array(name.unicodeScalars))
            #expect(try await server.file(file.id).name == file.name)
        }
    }

    @Test func namesEqualAfterNormalisationAreOneName() async throws {
        let server = try await TestServer()
        let first = try await server.createFile("caf\u{E9}")
        let answer = try await server.send(.post, "/v1/files", text: "{\"name\": \"cafe\\u0301\"}")
        #expect(answer.code == .nameConflict)
        #expect(try answer.problem().conflictingFileId == first.id)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/cafe%CC%81").file().id == first.id)
    }

    @Test func caseIsToldApart() async throws {
        let server = try await TestServer()
        _ = try await server.createFile("a")
        _ = try await server.createFile("A")
        #expect(try await server.names() == ["A", "a"])
    }

    @Test func pathsAreLookedUpFromTheRootOnly() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("docs")
        let file = try await server.createFile("a b.txt", in: folder.id)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/docs/a%20b.txt").file().id == file.id)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/").file().id == File.rootId)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/docs/none").code == .notFound)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/docs/a%20b.txt/c").code == .notFound)
        #expect(try await server.send(.get, "/v1/files/by-path?path=/docs/../docs").code == .invalidName)
        #expect(try await server.send(.get, "/v1/files/by-path?path=docs").code == .invalidParameter)
        #expect(try await server.send(.get, "/v1/files/by-path").code == .invalidParameter)
    }
}
