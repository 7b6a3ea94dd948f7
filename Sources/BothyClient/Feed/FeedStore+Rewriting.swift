import BothyContract
import GRDB

/// What waits, written anew.
extension FeedStore {
    /// Writes the text of a post or a comment that waits anew, to be sent.
    ///
    /// - Parameter isUnderWay: it is being sent at this moment, if it is to be sent.
    /// - Throws: `notFound`; `refused` for what the server may have.
    package func rewrite(_ id: Int64, content: String, isUnderWay: Bool) async throws {
        try await rewrite(id, isUnderWay: isUnderWay) { $0.rewritten(content) }
    }

    /// Takes out of a post that waits what has not reached the server, for it to be sent without.
    ///
    /// - Throws: `notFound` for what waits for no file; `refused` for what the server may have, and for what would be an empty post.
    package func detach(_ id: Int64, isUnderWay: Bool) async throws {
        try await rewrite(id, isUnderWay: isUnderWay) { action throws(ClientFailure) in
            guard let left = action.withoutFilesUnderWay() else { return nil }
            if case .publish(let request) = left, request.attachments == nil, PostText(html: request.content).isEmpty {
                throw ClientFailure(
                    .refused, "The post has no text, so it would be empty without its pictures and videos.",
                    remedy:
                        "Give it a text with “bothy feed edit \(id) TEXT”, or discard it: “bothy feed discard \(id)”.")
            }
            return left
        }
    }

    private func rewrite(
        _ id: Int64, isUnderWay: Bool,
        as another: @escaping @Sendable (FeedOperation.Action) throws(ClientFailure) -> FeedOperation.Action?
    ) async throws {
        let (now, requestId) = (clock.now(), OrderedId.new(at: clock.now()))
        try await write { db in
            guard let waiting = try FeedOperationTable.find(id, in: db), waiting.state != .acknowledged,
                waiting.holdsWords
            else {
                throw ClientFailure(
                    .notFound, "No waiting post has the number \(id).",
                    remedy: "“bothy feed outbox” lists the waiting posts.")
            }
            guard let action = try another(waiting.action) else {
                throw ClientFailure(
                    .notFound, "The post with the number \(id) is not waiting for pictures or videos.",
                    remedy: "“bothy feed outbox” shows what each post is waiting for.")
            }
            guard waiting.isNowhereElse, !(isUnderWay && waiting.state == .sending) else {
                throw ClientFailure(
                    .refused, "It may already be posted, and only the server's answer was lost.",
                    remedy: "It is sent again automatically; edit the post once it is published.")
            }
            // The server would take another text under the same request for a mistake.
            let renewed = waiting.sent ? requestId : waiting.requestId
            try FeedOperationTable.rewrite(waiting, as: action, requestId: renewed, now: now, in: db)
        }
    }
}
