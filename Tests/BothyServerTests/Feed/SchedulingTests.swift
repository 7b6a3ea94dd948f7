import BothyContract
import BothyServer
import Testing

/// A post comes at its time, and is asked about where that is long over.
@Suite struct SchedulingTests {
    private func schedule(_ server: AccountServer, in seconds: Int64, by author: SessionResponse) async throws -> Int64
    {
        let made = try await server.services.posts.create(
            NewPostRequest(
                requestId: "r\(seconds)", content: "<p>\(seconds)</p>",
                publishAt: server.clock.now().adding(seconds: seconds)),
            identity: RequestIdentity.none(for: "test"), for: author.caller)
        #expect(made.answer.isScheduled == true)
        return made.answer.postId
    }

    private func posted(_ server: AccountServer, by author: SessionResponse) async throws -> [String] {
        try await server.services.posts.page(of: .feed, after: nil, limit: 100, for: author.caller).feed
            .map(\.contentSummary)
    }

    @Test func aPostComesAtItsTimeAndOnce() async throws {
        try await AccountServer.with { server in
            let ann = try await server.register()
            for seconds: Int64 in [60, 120] { _ = try await schedule(server, in: seconds, by: ann) }
            for (passed, expected) in [
                (59, []), (1, ["<p>60</p>"]), (59, ["<p>60</p>"]), (61, ["<p>120</p>", "<p>60</p>"]),
            ] as [(Int64, [String])] {
                server.clock.advance(seconds: passed)
                for _ in 0..<2 { _ = try await server.services.posts.publishDue() }
                #expect(try await posted(server, by: ann) == expected)
            }
            #expect(try await server.services.posts.scheduled(for: ann.caller).posts == [])
        }
    }

    @Test func whatIsLongOverdueIsHeldUntilItsAuthorDecides() async throws {
        try await AccountServer.with { server in
            let (ann, posts) = (try await server.register(), server.services.posts)
            var ids: [Int64] = []
            for seconds: Int64 in [60, 61, 62] { ids.append(try await schedule(server, in: seconds, by: ann)) }
            server.clock.jump(seconds: 86_400)
            _ = try await posts.publishDue()
            #expect(try await posted(server, by: ann) == [])
            let held = try await posts.scheduled(for: ann.caller).posts
            #expect(held.map(\.scheduledId) == ids && held.allSatisfy { $0.held != nil })
            #expect(try await posts.reschedule(ids[0], at: server.clock.now(), for: ann.caller) != nil)
            #expect(
                try await posts.reschedule(ids[1], at: server.clock.now().adding(seconds: 5), for: ann.caller) == nil)
            try await posts.deleteScheduled(ids[2], for: ann.caller)
            server.clock.advance(seconds: 5)
            _ = try await posts.publishDue()
            #expect(try await posted(server, by: ann) == ["<p>61</p>", "<p>60</p>"])
            let gone = try await problemCode { try await posts.deleteScheduled(ids[2], for: ann.caller) }
            #expect(gone == .notFound)
        }
    }

    /// A draft that was scheduled and deleted then was told to be scheduled still.
    @Test func aDraftWhoseScheduledPostWasDeletedIsPostedAgain() async throws {
        try await AccountServer.with { server in
            let (ann, posts) = (try await server.register(), server.services.posts)
            func post(in seconds: Int64?, draft: Int64?) async throws -> Posts.Made {
                let request = NewPostRequest(
                    requestId: draft == nil ? "r" : nil, content: "<p>a</p>", draftId: draft,
                    publishAt: seconds.map { server.clock.now().adding(seconds: $0) })
                return try await posts.create(request, identity: try RequestIdentity(of: request), for: ann.caller)
                    .answer
            }
            let first = try await post(in: 60, draft: 7)
            #expect(try await post(in: 60, draft: 7).postId == first.postId, "once")
            try await posts.deleteScheduled(first.postId, for: ann.caller)
            let second = try await post(in: 60, draft: 7)
            #expect(second.isScheduled == true && second.postId != first.postId)
            try await posts.deleteScheduled(second.postId, for: ann.caller)
            #expect(try await post(in: nil, draft: 7).isScheduled == nil)
            #expect(try await posted(server, by: ann) == ["<p>a</p>"])

            let other = try await post(in: 60, draft: nil)
            try await posts.deleteScheduled(other.postId, for: ann.caller)
            #expect(
                try await post(in: 60, draft: nil).postId == other.postId, "what is repeated late makes no second one")
            #expect(try await posts.scheduled(for: ann.caller).posts == [])
        }
    }

    @Test func aYearAndADayAheadIsTheMost() async throws {
        try await AccountServer.with { server in
            let ann = try await server.register()
            _ = try await schedule(server, in: 366 * 86_400, by: ann)
            let refused = try await problemCode { _ = try await schedule(server, in: 366 * 86_400 + 1, by: ann) }
            #expect(refused == .invalidParameter)
        }
    }
}
