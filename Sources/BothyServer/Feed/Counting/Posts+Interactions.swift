import BothyContract

/// Liking, sharing, marking, and taking that back.
extension Posts {
    /// - Returns: the post as the caller sees it then.
    /// - Throws: `not_found`, `idempotency_mismatch`; `not_yours` for sharing what is not to everyone.
    package func interact(
        _ interaction: PostInteraction, on postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> Mutation<PostState> {
        let (id, hearers) = (ids.next(), FeedHearers())
        return try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let reactions = ReactionTable(db)
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            let known = try identity.requestId.flatMap { try reactions.said(by: $0, of: caller.userId) }
            if let known {
                // What it came to is known for 30 days alone. What was said is said, and what was said since stays.
                guard known == (postId, interaction.rawValue) else { throw OutcomeTable.mismatch }
            } else {
                if try act(interaction, on: post, as: id, by: caller.userId, in: db) {
                    try Telling(db, stamp, to: hearers).interacted(interaction, with: (postId, post.author.id), id: id)
                }
                try reactions.keep(
                    interaction, of: caller.userId, on: post, as: id, requestId: identity.requestId, now: stamp.now)
            }
            return Mutation(
                answer: try reactions.state(of: postId, by: post.author.id, seenBy: caller.userId),
                cursor: try ChangeLog(db, drive: caller.driveId).head())
        }
    }

    /// - Returns: whether that is another state than before.
    private func act(
        _ interaction: PostInteraction, on post: PostTable.Row, as id: Int64, by person: Int64,
        in db: any SQLConnection
    ) throws -> Bool {
        guard interaction != .shared || post.audience?.kind == .everyone else {
            throw Problem(.notYours, "Only a post to everyone can be shared. Its author chose who reads this one.")
        }
        let reactions = ReactionTable(db)
        let share = try reactions.share(of: post, by: person)
        guard try reactions.record(interaction, of: person, on: post, as: id) else { return false }
        switch interaction {
        case .shared: try FanOut(db, reach).share(post.postId, of: post.author.id, as: id, by: person)
        case .removedShare: if let share { try FanOut(db, reach).unshare(share) }
        case .liked, .removedLike, .bookmarked, .removedBookmark: break
        }
        return true
    }

    /// Does many in their order. One that is refused keeps no other from being done.
    ///
    /// - Throws: `invalid_parameter` for none, or too many.
    package func interact(
        _ interactions: [InteractionWithPost], for caller: Caller
    ) async throws -> InteractionsResponse {
        guard (1...FeedLimits.maximumInteractions).contains(interactions.count) else {
            throw Problem(
                .invalidParameter, "One request has 1 to \(FeedLimits.maximumInteractions) interactions.")
        }
        var outcomes: [InteractionOutcome] = []
        for each in interactions {
            var outcome = InteractionOutcome(requestId: each.requestId, postId: each.postId)
            do {
                let request = PostInteractionRequest(requestId: each.requestId, type: each.type)
                let identity = try RequestIdentity(of: request, on: each.postId)
                outcome.state = try await interact(each.type, on: each.postId, identity: identity, for: caller).answer
            } catch let problem as Problem {
                outcome.problem = problem
            }
            outcomes.append(outcome)
        }
        return InteractionsResponse(outcomes: outcomes)
    }
}
