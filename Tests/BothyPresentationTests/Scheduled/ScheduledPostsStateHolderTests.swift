import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

@MainActor @Suite struct ScheduledPostsStateHolderTests {
    private let posts = MadeUpSchedule()

    private func holder() -> ScheduledPostsStateHolder {
        ScheduledPostsStateHolder(posts, words: .english, clock: .atNoon)
    }

    @Test func eachSaysWhenItComesOutOrWhyItDidNot() async {
        posts.put(5, "<h1>Walk</h1><p>up</p>", at: "2026-12-24T18:00:00Z")
        posts.put(6, "", at: "2026-11-29T18:00:00Z", held: "Its time passed.")
        let holder = holder()
        await holder.open()
        #expect(holder.state.posts.map(\.beginning) == ["Nothing written yet", "Walk up"])
        #expect(
            holder.state.posts.map(\.standing) == ["Not posted: Its time passed.", "Scheduled for 24 Dec 2026, 18:00"])
        #expect(holder.state.posts.map(\.isHeld) == [true, false])
        #expect(holder.state.posts.map(\.field) == ["2026-11-29T18:00", "2026-12-24T18:00"] && !holder.state.isEmpty)
    }

    @Test func theWarningStandsBeforeTheWords() async {
        posts.put(5, "<p>up</p>", behind: "Steep", at: "2026-12-24T18:00:00Z")
        let holder = holder()
        await holder.open()
        #expect(holder.state.posts.map(\.beginning) == ["Content warning: Steep · up"])
    }

    @Test func aPostIsMovedToATimeToComeAlone() async {
        posts.put(5, "<p>a</p>", at: "2026-12-24T18:00:00Z")
        let holder = holder()
        await holder.move(5, to: "2026-12-25T08:00")
        #expect(holder.state.notice?.text == "It is scheduled for 25 Dec 2026, 08:00.")
        #expect(posts.times[5] == Timestamp(rfc3339: "2026-12-25T08:00:00Z"))
        for (typed, words) in [
            ("2026-11-30T11:59", "That time is in the past. Choose a later one."), ("", "Choose a date and a time."),
        ] {
            await holder.move(5, to: typed)
            #expect(holder.state.notice?.text == words && holder.state.notice?.tone == .failure)
        }
        #expect(posts.times[5] == Timestamp(rfc3339: "2026-12-25T08:00:00Z"))
    }

    @Test func aPostIsPostedNowOrDeletedAndOneThatIsGoneIsSaid() async {
        posts.put(5, "<p>a</p>", at: "2026-12-24T18:00:00Z")
        let holder = holder()
        await holder.postNow(5)
        #expect(posts.times[5] == PersonsClock.atNoon.now && holder.state.notice?.text == "Posted.")
        await holder.delete(5)
        #expect(posts.times.isEmpty && holder.state.notice?.tone != .failure)
        await holder.delete(5)
        #expect(holder.state.notice?.text == "This post is no longer scheduled: it was posted or deleted.")
    }
}

/// Posts that wait for their time, in memory.
private final class MadeUpSchedule: ScheduledPostsRepository, Sendable {
    private let posts = Mutex<[Int64: ScheduledPost]>([:])

    var times: [Int64: Timestamp] { posts.withLock { $0.mapValues(\.publishAt) } }

    func put(_ id: Int64, _ content: String, behind warning: String? = nil, at time: String, held: String? = nil) {
        let post = ScheduledPost(
            scheduledId: id, publishAt: Timestamp(rfc3339: time) ?? Timestamp(seconds: 0), held: held, content: content,
            contentWarning: warning, attachments: [], audience: PostAudience(kind: .everyone))
        posts.withLock { $0[id] = post }
    }

    func all() async throws -> Known<[ScheduledPost]> {
        Known(posts.withLock { $0.values.sorted { $0.publishAt < $1.publishAt } })
    }

    func move(_ id: Int64, to time: Timestamp) async throws {
        try posts.withLock { posts in
            guard posts[id] != nil else { throw ClientFailure(.notFound, "It is not here.") }
            posts[id]?.publishAt = time
        }
    }

    func delete(_ id: Int64) async throws {
        guard posts.withLock({ $0.removeValue(forKey: id) }) != nil else {
            throw ClientFailure(.notFound, "It is not here.")
        }
    }
}
