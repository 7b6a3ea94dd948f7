import BothyClient
import BothyContract

/// What a device asks the server for, and keeps of it, in the steps of `DevicePosts` and `DevicePeople`.
extension FeedDevice {
    static let pageLimit = 10
    /// Small, so that pages matter.
    private static let commentsLimit = 4

    /// Takes in pages of the feed, from the newest on.
    ///
    /// - Parameter pages: at most; nil for all that there are.
    func readFeed(pages: Int?) async throws {
        var (before, place): (Int64?, String?) = (nil, nil)
        var left = pages ?? .max
        repeat {
            let settled = try await store.settled()
            let posted = Set(known.written.filter(\.isPosted).map(\.operation))
            let (page, posts) = try ask { [place, person] model in
                let page = model.feed(of: person, after: place, limit: Self.pageLimit)
                return (page, page.feed.compactMap { model.posts[$0.postId] })
            }
            try await store.apply(page, before: before, settled: settled)
            known.take(page, posts, before: before, posted: posted)
            (before, place) = (page.feed.last?.entryId ?? before, page.paging.next)
            left -= 1
        } while place != nil && left > 0
    }

    /// Opens a post with its comments.
    func open(_ id: Int64) async throws {
        do {
            let (detail, post) = try ask { [person] model throws(Problem) in
                (try model.post(id, for: person), model.posts[id])
            }
            try await store.put(detail)
            if let post { known.take(post) }
        } catch let failure as ClientFailure where failure.code == .notFound {
            try await store.forget([id])
            known.forget(id)
            return
        }
        try await readComments(on: id)
    }

    private func readComments(on post: Int64) async throws {
        var (place, all): (String?, [Comment]) = (nil, [])
        repeat {
            let page: CommentsApiResponse
            do {
                page = try ask { [place, person] model throws(Problem) in
                    try model.comments(on: post, for: person, after: place, limit: Self.commentsLimit)
                }
            } catch {
                // Of those that came before, what was there is kept.
                if place != nil { known.take(nil, on: post) }
                throw error
            }
            try await store.apply(page, on: post, after: place)
            all += page.comments
            place = page.paging.next
        } while place != nil
        known.take(all, on: post)
    }

    /// Asks who is there.
    func readPeople() async throws {
        let people = try ask { [person] model in model.people(for: person) }
        try await store.put(people, isWhole: true)
        known.take(people)
    }
}
