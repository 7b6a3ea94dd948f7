import BothyContract

extension Posts {
    /// How many posts came into the caller's feed: those that a page with the same `since` would have.
    ///
    /// - Parameter since: the `arrival` of an earlier answer; nil asks only for that of now.
    /// - Throws: `cursor_expired`.
    package func arrivals(since: String?, for caller: Caller) async throws -> FeedArrivalsResponse {
        // What was not carried there is counted, too.
        try await reading.come(caller.userId)
        let (counted, now) = try await database.read { db in
            let now = try ArrivalCursor.now(caller.userId, in: db)
            guard let since else { return (0, now) }
            var listing = FeedListing(.feed, limit: FeedLimits.mostArrivals)
            listing.since = try ArrivalCursor.arrival(in: since, of: caller.userId, in: db)
            return (try listing.count(in: db, reader: caller.userId), now)
        }
        return FeedArrivalsResponse(
            count: min(counted, FeedLimits.mostArrivals), hasMore: counted > FeedLimits.mostArrivals,
            arrival: try PageCursor.text(now))
    }
}
