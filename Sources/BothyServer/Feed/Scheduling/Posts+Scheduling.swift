import BothyContract

/// Posts that wait for their time.
extension Posts {
    /// What is due is posted as long as it is no later than this, in seconds. What is later was due while the server did not run, or the
    /// clock was set: that is not posted all at once, its author is asked.
    private static let patience: Int64 = 3600
    private static let batch = 20

    /// The caller's own, the next one first.
    package func scheduled(for caller: Caller) async throws -> ScheduledPostsResponse {
        let posts = try await database.read { db in
            try ScheduledPostTable(db, of: caller.userId).all().map { row in
                (row, try row.audience.shown(of: caller.userId, in: db))
            }
        }
        return ScheduledPostsResponse(posts: posts.map { shown($0.0, to: $0.1, for: caller) })
    }

    private func shown(_ row: ScheduledPostTable.Row, to audience: PostAudience, for caller: Caller) -> ScheduledPost {
        ScheduledPost(
            scheduledId: row.id, requestId: row.requestId, publishAt: row.publishAt, held: row.held,
            content: row.content, contentWarning: row.warning,
            attachments: row.attachments.map { ownAttachment($0, for: caller) }, audience: audience)
    }

    /// Gives it another time; one that is over posts it at once.
    ///
    /// - Returns: the post's id, where it was posted.
    /// - Throws: `not_found`, `invalid_parameter`.
    package func reschedule(_ id: Int64, at asked: Timestamp, for caller: Caller) async throws -> Int64? {
        let (new, hearers) = (newIds(), FeedHearers())
        let now = clock.now()
        let posted: Int64? = try await database.write { [reach, telling] db in
            let scheduled = ScheduledPostTable(db, of: caller.userId)
            let row = try scheduled.require(id)
            if let time = try NewPost.time(asked, after: now) {
                try scheduled.reschedule(id, at: time)
                return nil
            }
            try scheduled.publish(
                row, as: new, now: now, lived: telling.lived(), reach,
                telling: telling.telling(db, actor: caller.userId, to: hearers))
            return new.post
        }
        await telling.wake(hearers)
        return posted
    }

    /// - Throws: `not_found`.
    package func deleteScheduled(_ id: Int64, for caller: Caller) async throws {
        try await database.write(from: .reserve) { db in
            let scheduled = ScheduledPostTable(db, of: caller.userId)
            let row = try scheduled.require(id)
            try scheduled.delete(id, lived: telling.lived())
            try DraftPosting(db, by: caller.userId).deleted(row)
        }
    }

    /// Posts some of what is due.
    package func publishDue() async throws -> Job.Step {
        let now = clock.now()
        let due = try await database.read { try ScheduledPostTable.due(at: now, limit: Self.batch, in: $0) }
        for (author, id) in due { try await publish(id, by: author, now) }
        return due.count < Self.batch ? .done : .more
    }

    private func publish(_ id: Int64, by author: Int64, _ now: Timestamp) async throws {
        let (new, hearers) = (newIds(), FeedHearers())
        do {
            try await database.write { [reach, telling] db in
                let scheduled = ScheduledPostTable(db, of: author)
                // Its author may have posted, moved or deleted it a moment ago.
                guard let row = try scheduled.due(id, at: now) else { return }
                guard row.publishAt.adding(seconds: Self.patience) >= now else {
                    return try scheduled.hold(id, because: "Its time passed while the server did not run.")
                }
                try scheduled.publish(
                    row, as: new, now: now, lived: telling.lived(), reach,
                    telling: telling.telling(db, actor: author, to: hearers))
            }
        } catch let problem as Problem {
            // In a transaction of its own: nothing stays of one that failed.
            try await database.write { try ScheduledPostTable($0, of: author).hold(id, because: problem.detail) }
            return
        }
        await telling.wake(hearers)
    }

    /// For a post with as many attachments as there may be.
    private func newIds() -> PostIds {
        PostIds(
            post: ids.next(), attachments: (0..<FeedLimits.maximumAttachmentsToPeople).map { _ in ids.next() },
            conversation: ids.next())
    }
}
