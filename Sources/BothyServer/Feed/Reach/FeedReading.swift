import BothyContract

/// A reader at their feed: what was not carried there comes before it is read.
package struct FeedReading: Sendable {
    /// One request goes back over at most so many times ``FeedReach/entries``, of which none may be for this reader.
    private static let mostSteps = 20

    let database: any Database
    /// In seconds.
    let lived: @Sendable () -> Int64
    let reach: FeedReach

    /// - Returns: the page, and the arrival of what came last.
    func page(_ listing: FeedListing, of reader: Int64) async throws -> (FeedListing.Page, ArrivalCursor) {
        if listing.after == nil { try await come(reader) }
        var step = 0
        while true {
            var (page, arrival, wholeFrom) = try await database.read { db in
                (
                    try listing.page(in: db, reader: reader), try ArrivalCursor.now(reader, in: db),
                    try FeedReaderTable(db).standing(of: reader).wholeFrom
                )
            }
            // What arrived is here; only what is older may not be.
            guard page.next == nil, wholeFrom > 0, listing.since == nil else { return (page, arrival) }
            guard step < Self.mostSteps else {
                page.next = FeedListing.Position(entryId: wholeFrom)
                return (page, arrival)
            }
            step += 1
            try await database.write(from: .reserve) { [reach] in try FeedFilling($0, of: reader, reach).goBack() }
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
