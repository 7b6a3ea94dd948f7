import BothyContract
import GRDB

/// What waits, written anew.
extension FeedStore {
    /// Changes a post or a comment that waits, to be sent so.
    ///
    /// - Parameter isUnderWay: it is being sent at this moment, if it is to be sent.
    /// - Throws: `notFound`, also for one that is to go without its files and waits for none; `refused` for what the server may have,
    ///   for what would be an empty post, and for a warning before a comment.
    package func rewrite(_ id: Int64, _ change: WaitingPost.Change, isUnderWay: Bool) async throws {
        let (now, requestId) = (clock.now(), OrderedId.new(at: clock.now()))
        try await write { db in
            guard let waiting = try FeedOperationTable.find(id, in: db), waiting.state != .acknowledged,
                waiting.holdsWords
            else {
                throw ClientFailure(
                    .notFound, "No post with the number \(id) waits here.",
                    remedy: "“bothy feed outbox” lists those that do.")
            }
            let action = try Self.changed(waiting, by: change)
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

    private static func changed(
        _ waiting: FeedOperation, by change: WaitingPost.Change
    ) throws(ClientFailure) -> FeedOperation.Action {
        guard let action = waiting.action.rewritten(change) else {
            throw ClientFailure(
                .refused, "A comment has no content warning.", remedy: "Give its text alone.")
        }
        guard change.isDetached else { return action }
        guard let left = action.withoutFilesUnderWay() else {
            throw ClientFailure(
                .notFound, "The post with the number \(waiting.id) waits for no picture or video.",
                remedy: "“bothy feed outbox” shows what each one waits for.")
        }
        if case .publish(let request) = left, request.attachments == nil, PostText(html: request.content).isEmpty {
            throw ClientFailure(
                .refused, "Without its pictures and videos nothing is left of it.",
                remedy:
                    "Give it a text with “bothy feed edit \(waiting.id) TEXT”, or discard it: “bothy feed discard \(waiting.id)”."
            )
        }
        return left
    }
}
