import BothyContract

/// What this device has of what a search for posts looks for, and the rule by which it joins what the server finds.
///
/// Within the range of a page the server's word holds: what is kept here and is not on the page was deleted, says something else by now,
/// or is not for this person any more. Of this device such a page has only what the server does not have yet. Where the server does not
/// answer, what is kept here continues below the last post that was shown, and the server is asked from where it stopped as soon as it
/// answers again.
struct PostFindings: Sendable {
    /// A post that is not in the feed yet.
    struct Waiting: Sendable {
        var post: WaitingPost
        var requestId: String
    }

    /// Where the page begins; nil for the newest.
    var place: KeptPlace?
    /// Of kept posts on a page; the server has a limit of its own.
    var limit: Int
    /// What was done here.
    var overlay: FeedOverlay
    /// Those below the place that are kept here, the newest first, with what was done here done to them. One more than the limit says that
    /// there are more.
    var kept: [PostPreview]
    /// What was written here, the newest first.
    var waiting: [Waiting]

    /// The page that the server answered with.
    ///
    /// - Parameter settled: operations that the server had done when it was asked: what those made is its to find.
    func page(_ answer: FeedApiResponse, settled: Set<Int64>) -> FeedPage {
        let arrived = Set(answer.feed.compactMap(\.requestId))
        let waiting = waiting.filter { !settled.contains($0.post.id) && !arrived.contains($0.requestId) }
        return FeedPage(
            posts: answer.feed.compactMap(overlay.applied), waiting: place == nil ? waiting.map(\.post) : [],
            next: answer.paging.next.flatMap { next in
                answer.feed.last.map { KeptPlace(after: $0.postId, remote: next).text }
            }, source: .server)
    }

    /// The page where the server did not answer. While the server has more, there is a next page, though nothing more is kept here.
    ///
    /// - Parameter failure: why; nil where it cannot be asked for what is below this place.
    func page(unreached failure: ClientFailure?) -> FeedPage {
        let shown = Array(kept.prefix(limit))
        let end = shown.last?.postId ?? place?.post
        let hasMore = kept.count > limit || place?.remote != nil
        return FeedPage(
            posts: shown, waiting: place == nil ? waiting.map(\.post) : [],
            next: hasMore ? end.map { KeptPlace(after: $0, remote: place?.remote).text } : nil, unreached: failure,
            source: .device)
    }
}
