import BothyContract
import BothyServer
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// Routes that fail as they are told.
private struct FailingRoutes: APIRoutes {
    let failures: [any Error & Sendable]

    func add(to group: RouterGroup<APIContext>) {
        for (index, failure) in failures.enumerated() {
            group.get("test/\(index)") { _, _ -> Response in throw failure }
        }
    }
}

private struct Unforeseen: Error {
    var secret = "the password is 1234"
}

@Suite struct ProblemResponseTests {
    @Test func everyFailureIsAProblemThatTellsNothingOfTheInside() async throws {
        let location = BlockLocation(pack: 1, offset: 2, length: 3)
        let cases: [(any Error & Sendable, ProblemCode)] = [
            (Problem(.notFound, "Gone."), .notFound), (DatabaseError.diskFull, .diskFull),
            (DatabaseError.corrupt("secret"), .storeFailed), (DatabaseError.failed("secret"), .storeFailed),
            (DatabaseError.uniqueViolation("secret"), .busy), (PackError.diskFull, .diskFull),
            (PackError.damaged(location), .contentCorrupt), (PackError.poisoned("secret"), .storeFailed),
            (PackError.failed("secret"), .storeFailed), (HTTPError(.contentTooLarge), .bodyTooLarge),
            (HTTPError(.badRequest), .malformedRequest), (HTTPError(.internalServerError), .internalError),
            (NIOTooManyBytesError(maxBytes: 1), .bodyTooLarge), (CancellationError(), .shuttingDown),
            (Unforeseen(), .internalError),
        ]
        let server = try await TestServer(signedIn: { _ in [FailingRoutes(failures: cases.map(\.0))] })
        for (index, (error, code)) in cases.enumerated() {
            let answer = try await server.send(.get, "/test/\(index)")
            #expect(answer.code == code && answer.status == code.status, "\(error): \(answer.text)")
            #expect(!answer.text.contains("secret") && !answer.text.contains("1234"), "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store")
            if [429, 503].contains(answer.status) {
                let seconds = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
                #expect(try answer.problem().retryAfter == seconds)
            }
        }
    }

    @Test func whatToDoTravelsWithTheProblem() async throws {
        let problems = [
            Problem(.tooManyRequests, "Slow down.").with { $0.retryAfter = 7 }, Problem(.tokenExpired, "Refresh."),
            Problem(.missingChunks, "Some are missing.").with { $0.missing = [ChunkRun(first: 1, last: 3)] },
        ]
        let server = try await TestServer(signedIn: { _ in [FailingRoutes(failures: problems)] })
        let slow = try await server.send(.get, "/test/0")
        #expect(slow.headers[.retryAfter] == "7")
        let expired = try await server.send(.get, "/test/1")
        #expect(expired.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
        #expect(try await server.send(.get, "/test/2").problem() == problems[2])
    }
}
