import BothyContract
@testable import BothyServer
import Testing

/// A comment whose request comes more than once.
@Suite struct CommentRepeatTests {
    private let request = NewCommentRequest(requestId: "c", content: "<p>c</p>")

    private func comment(
        _ request: NewCommentRequest, on post: Int64, by person: SessionResponse, _ services: ServerServices
    ) async throws -> BothyContract.Comment {
        try await services.comments.create(
            request, on: post, identity: try RequestIdentity(of: request, on: post), for: person.caller
        ).answer
    }

    /// What every stored outcome comes to after 30 days.
    private func forgetOutcomes(_ services: ServerServices) async throws {
        try await services.database.write { db in _ = try db.execute("DELETE FROM outcomes", []) }
    }

    /// A device counted the comment once more where the number was not in the answer.
    @Test func aCommentThatIsAskedForAgainIsAnsweredWithTheNumberOfCommentsAlsoWhenItsOutcomeIsPruned() async throws {
        try await AccountServer.with { server in
            let (services, ann) = (server.services, try await server.register("ann@example.org"))
            let ben = try await server.register("ben@example.org")
            let post = try await services.posts.create(
                NewPostRequest(requestId: nil, content: "<p>p</p>"), identity: .none(for: "test"), for: ann.caller
            ).answer.postId
            let made = try await comment(request, on: post, by: ben, services)
            #expect(made.commentCount == 1)
            _ = try await comment(
                NewCommentRequest(requestId: "d", content: "<p>d</p>"), on: post, by: ann, services)
            let soon = try await comment(request, on: post, by: ben, services)
            #expect(soon.commentId == made.commentId && soon.commentCount == 1, "the answer of the first time")
            try await forgetOutcomes(services)
            let again = try await comment(request, on: post, by: ben, services)
            #expect(again.commentId == made.commentId && again.commentCount == 2)
        }
    }

    @Test func ofAPostThatMayNoLongerBeReadNoNumberIsTold() async throws {
        try await AccountServer.with { server in
            let (services, ann) = (server.services, try await server.register("ann@example.org"))
            let ben = try await server.register("ben@example.org")
            let post = try await services.posts.create(
                NewPostRequest(requestId: nil, content: "<p>p</p>"), identity: .none(for: "test"), for: ann.caller
            ).answer.postId
            let made = try await comment(request, on: post, by: ben, services)
            _ = try await services.posts.delete(post, identity: .none(for: "test"), for: ann.caller)
            try await forgetOutcomes(services)
            let again = try await comment(request, on: post, by: ben, services)
            #expect(again.commentId == made.commentId && again.commentCount == nil)
        }
    }
}
