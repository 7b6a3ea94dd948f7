import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct IdempotencyTests {
    private static let path = "/v1/files"
    private static func body(_ name: String, _ requestId: String) -> String {
        "{\"requestId\": \"\(requestId)\", \"name\": \"\(name)\", \"mimeType\": \"\(File.folderMimeType)\"}"
    }

    @Test func theSameRequestTwentyTimesAtOnceActsOnce() async throws {
        let server = try await TestServer()
        let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
            for _ in 0..<20 { group.addTask { try await server.send(.post, Self.path, text: Self.body("a", "r1")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 201 })
        #expect(Set(try answers.map { try $0.file().id }).count == 1)
        #expect(Set(answers.map(\.cursor)).count == 1)
        #expect(try await server.names() == ["a"])
        #expect(try await server.changes(after: nil).changes.count == 2)
    }

    @Test func twentyDifferentRequestsForOneNameMakeOneFolder() async throws {
        let server = try await TestServer()
        let codes = try await withThrowingTaskGroup(of: ProblemCode?.self) { group in
            for index in 0..<20 {
                group.addTask { try await server.send(.post, Self.path, text: Self.body("a", "r\(index)")).code }
            }
            return try await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.filter { $0 == .nameConflict }.count == 19)
    }

    @Test func anotherBodyUnderTheSameIdIsRefused() async throws {
        let server = try await TestServer()
        let first = try await server.send(.post, Self.path, text: Self.body("a", "r1"))
        let other = try await server.send(.post, Self.path, text: Self.body("b", "r1"))
        #expect(other.status == 422 && other.code == .idempotencyMismatch)
        let elsewhere = try await server.send(
            .patch, "/v1/files/\(try first.file().id)", text: "{\"requestId\": \"r1\", \"starred\": true}")
        #expect(elsewhere.code == .idempotencyMismatch)
        #expect(try await server.names() == ["a"])
    }

    /// Deletions take of the reserve: the same one over and over filled the disk with what each came to.
    @Test func deletingWhatIsInTheTrashAlreadyLeavesNoTrace() async throws {
        let server = try await TestServer()
        let id = try await server.send(.post, Self.path, text: Self.body("a", "r0")).file().id
        func outcomes() async throws -> Int {
            try await server.database.read { try $0.first("SELECT count(*) FROM outcomes", [])?.int(0) ?? 0 }
        }
        _ = try await server.send(
            .patch, "/v1/files/\(id)", text: "{\"requestId\": \"r1\", \"trashed\": true}")
        let before = try await outcomes()
        for number in 2..<6 {
            let again = try await server.send(
                .patch, "/v1/files/\(id)", text: "{\"requestId\": \"r\(number)\", \"trashed\": true}")
            #expect(again.status == 200)
        }
        #expect(try await outcomes() == before && before == 2)
    }

    @Test func whatIsWithdrawnBeforeItComesIsRefusedWhenItComes() async throws {
        let server = try await TestServer()
        #expect(try await server.send(.delete, "/v1/requests/r1").text == #"{"done":false}"#)
        #expect(try await server.send(.post, Self.path, text: Self.body("a", "r1")).code == .idempotencyMismatch)
        #expect(try await server.send(.delete, "/v1/requests/r1").text == #"{"done":false}"#)
        #expect(try await server.names() == [])
    }

    @Test func whatWasDoneStaysDoneThoughItIsWithdrawn() async throws {
        let server = try await TestServer()
        let made = try await server.send(.post, Self.path, text: Self.body("a", "r1"))
        let told = try await server.send(.delete, "/v1/requests/r1").json(RequestEndResponse.self)
        #expect(try told.done && told.file?.id == made.file().id)
        #expect(try await server.send(.post, Self.path, text: Self.body("a", "r1")).status == 201)
    }

    @Test func theOrderOfTheFieldsMakesNoOtherRequest() async throws {
        let server = try await TestServer()
        let first = try await server.send(.post, Self.path, text: "{\"requestId\": \"r1\", \"name\": \"a\"}")
        let second = try await server.send(.post, Self.path, text: "{\"name\":\"a\",\"requestId\":\"r1\",\"x\":1}")
        #expect(first.status == 201 && second.status == 201)
        #expect(try first.file().id == second.file().id)
    }

    @Test func aRefusalIsNotKept() async throws {
        let server = try await TestServer()
        let holder = try await server.createFile("a")
        #expect(try await server.send(.post, Self.path, text: Self.body("a", "r1")).code == .nameConflict)
        _ = try await server.send(.delete, "/v1/files/\(holder.id)")
        #expect(try await server.send(.post, Self.path, text: Self.body("a", "r1")).status == 201)
    }

    @Test func theSameAnswerComesAgainAfterTheFileChanged() async throws {
        let server = try await TestServer()
        let created = try await server.send(.post, Self.path, text: Self.body("a", "r1"))
        let id = try created.file().id
        let starred = try await server.send(
            .patch, "/v1/files/\(id)", text: "{\"starred\": true}",
            headers: [.idempotencyKey: "r2", .ifMatch: "\"1-1\""])
        #expect(starred.status == 200)
        _ = try await server.send(.patch, "/v1/files/\(id)", text: "{\"name\": \"b\"}")
        let again = try await server.send(
            .patch, "/v1/files/\(id)", text: "{\"starred\": true}",
            headers: [.idempotencyKey: "r2", .ifMatch: "\"1-1\""])
        #expect(try again.file() == starred.file())
        #expect(again.cursor == starred.cursor && again.eTag == starred.eTag)
        let createdAgain = try await server.send(.post, Self.path, text: Self.body("a", "r1"))
        #expect(try createdAgain.file() == created.file())
        #expect(createdAgain.status == 201)
    }

    @Test func aDeletionRepeatedIsAnsweredTheSame() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let path = "/v1/files/\(file.id)?permanent=true"
        let first = try await server.send(.delete, path, headers: [.idempotencyKey: "d1"])
        let second = try await server.send(.delete, path, headers: [.idempotencyKey: "d1"])
        #expect(first.status == 204 && second.status == 204 && first.cursor == second.cursor)
        #expect(try await server.send(.delete, path, headers: [.idempotencyKey: "d2"]).code == .notFound)
    }

    @Test func aCreationIsKnownByItsIdWhenItsOutcomeIsForgotten() async throws {
        let server = try await TestServer()
        let created = try await server.send(.post, Self.path, text: Self.body("a", "r1")).file()
        #expect(try await Self.forgetOutcomes(of: server) == 1)
        #expect(try await server.send(.post, Self.path, text: Self.body("a", "r1")).file().id == created.id)
        #expect(try await server.names() == ["a"])
    }

    @Test func aCopyIsKnownByItsIdWhenItsOutcomeIsForgotten() async throws {
        let server = try await TestServer()
        let source = try await server.createFile("a")
        func copy(_ name: String, _ id: String) async throws -> TestAnswer {
            try await server.send(
                .post, "/v1/files/\(source.id)/copy", json: CopyFileRequest(requestId: id, name: name, parentId: nil))
        }
        let made = try await copy("b", "r1").file()
        _ = try await Self.forgetOutcomes(of: server)
        #expect(try await copy("b", "r1").file().id == made.id)
        #expect(try await copy("b", "r2").code == .nameConflict)
        #expect(try await server.names() == ["a", "b"])
        let folder = try await server.createFolder("f", requestId: "r3")
        _ = try await Self.forgetOutcomes(of: server)
        #expect(try await copy("c", "r3").code == .idempotencyMismatch, "\(folder.id) is a folder")
    }

    /// - Returns: how many are gone.
    private static func forgetOutcomes(of server: TestServer) async throws -> Int {
        server.clock.advance(seconds: Retention.outcomes + 1)
        let before = Int64(server.clock.uptimeSeconds()) - Retention.outcomes
        return try await server.database.write {
            try OutcomeTable.prune(livedBefore: before, limit: 1000, in: $0)
        }
    }

    @Test func anIdIsOfOneDriveOnly() async throws {
        let server = try await TestServer()
        let mine = try await server.send(.post, Self.path, text: Self.body("a", "r1")).file()
        let theirs = try await server.send(.post, Self.path, as: .stranger, text: Self.body("b", "r1")).file()
        #expect(mine.id != theirs.id && theirs.name == "b")
    }

    @Test(arguments: ["", "with blank", "é", String(repeating: "x", count: 129)])
    func anIdThatIsNoneIsRefused(id: String) async throws {
        let server = try await TestServer()
        #expect(try await server.send(.post, Self.path, text: Self.body("a", id)).code == .invalidParameter)
    }
}
