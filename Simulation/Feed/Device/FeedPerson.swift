import BothyClient
import BothyContract

/// The person at a device: acts on what is shown, with a connection or without.
struct FeedPerson {
    let device: FeedDevice

    /// - Returns: what was done, in words, and the post that it was done to; nil when there was nothing to do it to.
    func does(_ intent: FeedIntent) async throws -> (words: String, post: Int64?)? {
        switch intent {
        case .publish(let text, let audience, let people):
            let request = NewPostRequest(
                requestId: nil, content: Self.text(text), audience: self.audience(audience, people))
            let words = "posts «\(request.content)» to \(audience)"
            return (try await record(.publish(request), words), nil)
        case .follow(let pick, let isFollowing):
            let others = device.server.model.people.filter { $0 != device.person }
            guard let other = Names.pick(pick, of: others) else { return nil }
            let words = "\(isFollowing ? "follows" : "no longer follows") person \(other)"
            return (try await record(.follow(person: other, isFollowing), words), nil)
        case .interact(let pick, let interaction):
            guard let post = Names.pick(pick, of: try await shown()) else { return nil }
            let words = "\(interaction.rawValue) post \(post.postId)"
            return (try await record(.interact(post: post.postId, interaction), words), post.postId)
        case .comment(let pick, let reply, let text):
            guard let post = Names.pick(pick, of: try await shown()) else { return nil }
            return try await comment(on: post.postId, reply: reply, Self.text(text))
        case .deletePost(let pick):
            let own = try await shown().filter { $0.author.id == device.person }
            guard let post = Names.pick(pick, of: own) else { return nil }
            return (try await record(.delete(post: post.postId), "deletes post \(post.postId)"), post.postId)
        case .deleteComment(let pick, let comment):
            guard let post = Names.pick(pick, of: try await shown()) else { return nil }
            return try await deleteComment(comment, on: post)
        }
    }

    static func text(_ number: Int) -> String { number == 0 ? "" : "<p>text \(number)</p>" }

    private func shown() async throws -> [PostPreview] {
        try await device.store.feed(before: nil, limit: FeedViewLaw.looksAt).posts
    }

    private func audience(_ kind: PostAudience.Kind, _ picks: [Int]) -> NewPostAudience {
        guard kind == .people else { return NewPostAudience(kind: kind) }
        let others = device.server.model.people.filter { $0 != device.person }
        let named = Set(picks.compactMap { Names.pick($0, of: others) })
        return NewPostAudience(kind: kind, people: named.sorted())
    }

    private func comment(on post: Int64, reply: Int?, _ text: String) async throws -> (words: String, post: Int64?) {
        let there = try await device.store.comments(on: post, page: nil).comments
        let parent = reply.flatMap { Names.pick($0, of: there) }?.commentId
        let request = NewCommentRequest(requestId: nil, content: text, parentCommentId: parent)
        let words = "comments «\(text)» on post \(post)" + (parent.map { ", replying to \($0)" } ?? "")
        return (try await record(.comment(post: post, request), words), post)
    }

    private func deleteComment(_ pick: Int, on post: PostPreview) async throws -> (words: String, post: Int64?)? {
        let there = try await device.store.comments(on: post.postId, page: nil).comments
        let own = there.filter { [$0.author.id, post.author.id].contains(device.person) }
        guard let comment = Names.pick(pick, of: own) else { return nil }
        let words = "deletes comment \(comment.commentId) on post \(post.postId)"
        return (try await record(.deleteComment(comment.commentId, post: post.postId), words), post.postId)
    }

    private func record(_ deed: FeedDeed, _ words: String) async throws -> String {
        device.wishes += 1
        let requestId = "\(device.index)-\(device.wishes)"
        let operation = try await device.store.record(deed, requestId: requestId)
        device.known.writes(operation)
        device.server.ledger.wanted(
            FeedLedger.Wish(
                device: device.index, person: device.person, deed: deed, words: words, requestId: requestId))
        return words
    }

    // MARK: - Deciding

    /// Decides about the first thing that the server has refused.
    ///
    /// - Parameter text: other words for it; nil to give it up.
    /// - Returns: what was decided, in words; nil when nothing waits.
    func decides(_ text: Int?) async throws -> String? {
        guard let first = try await device.store.operations().first(where: \.waitsForAPerson) else { return nil }
        guard let text else {
            try await device.store.remove(first.id)
            device.known.givesUp(first.id)
            device.server.ledger.came(.givenUp, of: first.requestId)
            return "gives up \(first.kind) \(first.id)"
        }
        try await device.store.rewrite(first.id, WaitingPost.Change(content: Self.text(text)), isUnderWay: false)
        guard let now = try await device.store.operation(first.id) else { return nil }
        device.known.rewrites(first.id, as: now.requestId)
        device.server.ledger.rewritten(first.requestId, as: now.requestId)
        return "writes \(first.kind) \(first.id) anew"
    }
}
