import BothyContract

/// A reader at their feed: what was not carried there comes before it is read.
package struct FeedReading: Sendable {
    /// One request goes back over at most so many times ``FeedReach/entries``, of which none may be for this reader.
    private static let mostSteps = 20

    let database: any Database
    /// In seconds.
    let lived: @Sendable () -> Int64
    let reach: FeedReach

    struct Answer: Sendable {
        var page: FeedListing.Page
        /// That of what came last.
        var arrival: ArrivalCursor
        /// Whether the page ends with all that came since; nil where that was not asked. What a feed was cut of does not come again.
        var reachesSince: Bool?
    }

    func page(_ listing: FeedListing, of reader: Int64) async throws -> Answer {
        let look = try await wholeLook(listing, of: reader)
        return Answer(
            page: look.wholePage(of: listing), arrival: look.arrival,
            reachesSince: listing.since.map { look.page.next == nil && $0 >= look.standing.cutArrival })
    }

    /// Goes back until the page is whole, or as far as one request does.
    private func wholeLook(_ listing: FeedListing, of reader: Int64) async throws -> Look {
        if listing.after == nil { try await come(reader) }
        for _ in 0..<Self.mostSteps {
            let look = try await look(listing, of: reader)
            if look.isWhole {
                if look.isShort { goBackMeanwhile(reader, from: look.standing) }
                return look
            }
            try await goBack(reader, from: look.standing)
        }
        return try await look(listing, of: reader)
    }

    private struct Look: Sendable {
        var page: FeedListing.Page
        var arrival: ArrivalCursor
        var standing: FeedReaderTable.Standing
        /// Whether nothing is missing on the page. What is older than the feed is whole from may lack something between any two.
        var isWhole: Bool
        /// Whether few older entries are here than the page's, of those between which nothing is missing.
        var isShort: Bool

        /// The part of the page on which nothing is missing, with the rest on the next one: that never begins above this one.
        func wholePage(of listing: FeedListing) -> FeedListing.Page {
            guard !isWhole else { return page }
            // What goes up begins where something may be missing: nothing of it can be told yet, and the same is asked for again.
            if let above = listing.above {
                return FeedListing.Page(entries: [], next: FeedListing.Position(entryId: above))
            }
            return FeedListing.Page(
                entries: page.entries.filter { $0.preview.entryId >= standing.wholeFrom },
                next: FeedListing.Position(entryId: min(listing.after?.entryId ?? .max, standing.wholeFrom)))
        }
    }

    private func look(_ listing: FeedListing, of reader: Int64) async throws -> Look {
        try await database.read { [reach] db in
            let page = try listing.page(in: db, reader: reader)
            let standing = try FeedReaderTable(db).standing(of: reader)
            // The page has nothing older than this.
            let last = listing.above ?? page.next?.entryId ?? 0
            // What arrived is here; only what is older may not be.
            let isAllHere = listing.since != nil || standing.wholeFrom == 0
            return Look(
                page: page, arrival: try ArrivalCursor.now(reader, in: db), standing: standing,
                isWhole: isAllHere || last >= standing.wholeFrom,
                isShort: try !isAllHere && listing.above == nil
                    && FeedEntryTable(db).has(
                        fewerThan: reach.entries / 2, before: last, from: standing.wholeFrom, of: reader)
            )
        }
    }

    /// Scrolling does not wait for what is older.
    private func goBackMeanwhile(_ reader: Int64, from standing: FeedReaderTable.Standing) {
        // Where it fails, the page that needs it does it again, and tells why it cannot.
        Task { try? await goBack(reader, from: standing) }
    }

    /// Nothing where somebody did so since.
    private func goBack(_ reader: Int64, from standing: FeedReaderTable.Standing) async throws {
        // Reading goes on while the disk takes nothing else.
        try await database.write(from: .reserve) { [reach] db in
            guard try FeedReaderTable(db).standing(of: reader).wholeFrom == standing.wholeFrom else { return }
            try FeedFilling(db, of: reader, reach).goBack()
        }
    }

    /// Before the newest entries are read.
    package func come(_ reader: Int64) async throws {
        let now = lived()
        let hasToCome = try await database.read { [reach] db in
            try FeedFilling(db, of: reader, reach).hasToCome(at: now)
        }
        guard hasToCome else { return }
        // Reading goes on while the disk takes nothing else.
        try await database.write(from: .reserve) { [reach] in try FeedFilling($0, of: reader, reach).come(at: now) }
    }
}
