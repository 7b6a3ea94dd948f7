import BothyClient
import BothyContract
import Observation

/// How many posts wait above what an open page shows.
@MainActor @Observable
public final class FeedArrivals {
    /// «3 new posts»; nil for none.
    public private(set) var said: String?

    @ObservationIgnored private let posts: any PostsRepository
    @ObservationIgnored private let words: Words
    /// What the page has: what came after it is counted.
    @ObservationIgnored private var arrival: String?

    /// - Parameter arrival: the page's, see ``NewsFeedState/arrival``; nil for a page without posts, which counts from the first look.
    public init(_ posts: any PostsRepository, since arrival: String?, words: Words) {
        self.posts = posts
        self.arrival = arrival
        self.words = words
    }

    /// Counts again.
    public func look() async {
        do {
            let told = try await posts.arrivals(since: arrival)
            arrival = arrival ?? told.arrival
            said = Self.said(told, words)
        } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
            // The server was restored from a backup: the feed is another one, and nobody can say by how much.
            said = words[.feedFresh]
        } catch {
            // What was counted still waits; it is counted again with the next news, and when there is a connection.
        }
    }

    private static func said(_ told: FeedArrivalsResponse, _ words: Words) -> String? {
        if told.count == 0 { return nil }
        if told.hasMore { return words.filled(.feedFreshOver, words.number(told.count)) }
        return words.counted(told.count, one: .feedFreshOne, many: .feedFreshMany)
    }
}
