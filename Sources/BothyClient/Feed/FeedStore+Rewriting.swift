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
                    .refused, "Without its pictures and videos nothing is left of it.",
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
                    .notFound, "No post with the number \(id) waits here.",
                    remedy: "“bothy feed outbox” lists those that do.")
            }
            guard let action = try another(waiting.action) else {
                throw ClientFailure(
                    .notFound, "The post with the number \(id) waits for no picture or video.",
                    remedy: "“bothy feed outbox” shows what each one waits for.")
            }
            guard waiting.isNowhereElse, !(isUnderWay && waiting.state == .sending) else {
                throw ClientFailure(
                    .refused, "It may be posted already, and only the server's answer was lost.",
                    remedy: "It is sent once more by itself; edit the post once it is there.")
            }
            // The server would take another text under the same request for a mistake.
            let renewed = waiting.sent ? requestId : waiting.requestId
            try FeedOperationTable.rewrite(waiting, as: action, requestId: renewed, now: now, in: db)
        }
    }
}
