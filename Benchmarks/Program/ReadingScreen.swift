import BothyClient
import BothyContract
import BothyPresentation
import Foundation

/// The screen of a feed, as an app has it.
@MainActor final class ReadingScreen {
    private let home: DeviceHome
    private var holder: NewsFeedStateHolder

    init(_ home: DeviceHome) {
        self.home = home
        holder = Self.holder(home)
    }

    private static func holder(_ home: DeviceHome) -> NewsFeedStateHolder {
        NewsFeedStateHolder(
            home.posts, you: KeptFeed.reader.id, words: .english,
            clock: PersonsClock(now: Timestamp(seconds: Int64(Date.now.timeIntervalSince1970)), zone: .gmt))
    }

    /// The first page from the database.
    func read() async throws -> Duration {
        let began = ContinuousClock.now
        let shown = try await home.feed.feed(before: nil, limit: FeedLimits.defaultPage)
        let took = ContinuousClock.now - began
        guard !shown.posts.isEmpty else { throw NotShown(what: "the first page") }
        return took
    }

    /// The screen as it comes up.
    func open() async throws -> Duration {
        holder = Self.holder(home)
        let began = ContinuousClock.now
        await holder.open()
        let took = ContinuousClock.now - began
        guard !holder.state.posts.isEmpty else { throw NotShown(what: "the first page") }
        return took
    }

    /// Likes the posts of the page one after the other, and takes the likes back in the same order.
    func like(_ turn: Int) async throws -> Duration {
        let post = holder.state.posts[turn % holder.state.posts.count]
        let (id, isLiked) = (post.id, !post.marks.liked)
        let began = ContinuousClock.now
        let act = Task { await holder.interact(isLiked ? .liked : .removedLike, with: id) }
        while !shows(isLiked, id) { await Task.yield() }
        let took = ContinuousClock.now - began
        // It was written down, and the server was asked.
        await act.value
        guard shows(isLiked, id), holder.state.notice == nil else { throw NotShown(what: "a like") }
        return took
    }

    private func shows(_ isLiked: Bool, _ id: Int64) -> Bool {
        holder.state.posts.first { $0.id == id }?.marks.liked == isLiked
    }
}

private struct NotShown: Error, CustomStringConvertible {
    var what: String
    var description: String { "The screen does not show \(what)." }
}
