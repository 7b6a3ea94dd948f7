import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct WaitingTests {
    /// Returns when as many wait as should: nothing else tells that a request has come so far.
    private func untilWaiting(_ count: Int, _ server: TestServer) async {
        while await server.notifier.count < count { await Task.yield() }
    }

    @Test func aPollThatIsBehindIsAnsweredAtOnce() async throws {
        let server = try await TestServer()
        let cursor = try await server.cursor()
        _ = try await server.createFile("a")
        let answer = try await server.send(.get, "/v1/changes/wait?cursor=\(cursor)&timeoutSeconds=300")
        #expect(try answer.json(WaitResponse.self) == WaitResponse(changed: true))
        #expect(await server.notifier.count == 0)
    }

    @Test func aPollIsAnsweredWhenSomethingChanges() async throws {
        let server = try await TestServer()
        let cursor = try await server.cursor()
        async let answer = server.send(.get, "/v1/changes/wait?cursor=\(cursor)", as: .phone)
        await untilWaiting(1, server)
        _ = try await server.createFile("theirs", as: .stranger)
        _ = try await server.createFile("mine")
        #expect(try await answer.json(WaitResponse.self).changed)
        #expect(await server.notifier.count == 0)
    }

    @Test func aPollIsAnsweredWhenItsTimeIsUp() async throws {
        let server = try await TestServer()
        let cursor = try await server.cursor()
        let ticker = Task {
            while !Task.isCancelled {
                server.clock.advance(seconds: 1)
                await server.notifier.tick()
                await Task.yield()
            }
        }
        let answer = try await server.send(.get, "/v1/changes/wait?cursor=\(cursor)&timeoutSeconds=1")
        ticker.cancel()
        #expect(try answer.json(WaitResponse.self) == WaitResponse(changed: false))
    }

    @Test func whenTooManyWaitAPollIsAskedToStayAway() async throws {
        let server = try await TestServer(limits: Notifier.Limits(total: 10, perDrive: 1))
        let cursor = try await server.cursor()
        async let first = server.send(.get, "/v1/changes/wait?cursor=\(cursor)")
        await untilWaiting(1, server)
        let second = try await server.send(.get, "/v1/changes/wait?cursor=\(cursor)").json(WaitResponse.self)
        #expect(!second.changed && second.backoffSeconds == 30)
        let stream = try await server.send(.get, "/v1/events")
        #expect(stream.status == 429 && stream.headers[.retryAfter] == "30")
        _ = try await server.createFile("a")
        #expect(try await first.json(WaitResponse.self).changed)
    }

    @Test(arguments: ["timeoutSeconds=0", "timeoutSeconds=301", "timeoutSeconds=x", ""])
    func aPollThatMakesNoSenseIsRefused(query: String) async throws {
        let server = try await TestServer()
        let cursor = query.isEmpty ? "" : "cursor=\(try await server.cursor())"
        #expect(try await server.send(.get, "/v1/changes/wait?\(cursor)&\(query)").code == .invalidParameter)
    }

    @Test func aStreamTellsOfChangesUntilTheDeviceIsSignedOut() async throws {
        let server = try await TestServer()
        async let answer = server.send(.get, "/v1/events", as: .phone)
        await untilWaiting(1, server)
        _ = try await server.createFile("a")
        let cursor = try await server.cursor()
        await server.notifier.deviceSignedOut(driveId: 1, deviceId: "phone")
        let stream = try await answer
        #expect(stream.headers[.contentType] == "text/event-stream")
        #expect(stream.text.hasPrefix(": listening\n\n"))
        // Signing out ends a stream at once: an event that has not gone out by then is found by pulling.
        let event = "id: \(cursor)\nevent: changes\ndata: {\"cursor\":\"\(cursor)\"}\n\n"
        #expect(stream.text == ": listening\n\n" + event || stream.text == ": listening\n\n")
        #expect(await server.notifier.count == 0)
    }

    @Test func aStreamThatResumesIsToldWhatItMissed() async throws {
        let server = try await TestServer()
        let seen = try await server.cursor()
        _ = try await server.createFile("a")
        let now = try await server.cursor()
        async let answer = server.send(.get, "/v1/events", headers: [HTTPField.Name(HeaderNames.lastEventId)!: seen])
        await untilWaiting(1, server)
        await server.notifier.stop()
        #expect(try await answer.text == ": listening\n\nid: \(now)\nevent: changes\ndata: {\"cursor\":\"\(now)\"}\n\n")
    }

    @Test func aQuietStreamHasACommentEvery25Seconds() async throws {
        let server = try await TestServer()
        async let answer = server.send(.get, "/v1/events", as: .phone)
        await untilWaiting(1, server)
        for _ in 0..<200 {
            server.clock.advance(seconds: 1)
            await server.notifier.tick()
            await Task.yield()
        }
        await server.notifier.deviceSignedOut(driveId: 1, deviceId: "phone")
        #expect(try await answer.text.contains(": still here\n\n"))
    }
}
