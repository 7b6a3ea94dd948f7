import BothyContract

/// How far each person has read, on whatever device.
package struct FeedMarkers: Sendable {
    private let database: any Database
    private let clock: any ServerClock

    package init(database: any Database, clock: any ServerClock) {
        self.database = database
        self.clock = clock
    }

    package func marker(for caller: Caller) async throws -> FeedMarker {
        try await database.read { try MarkerTable($0, of: caller.userId).marker() }
    }

    /// - Throws: `invalid_parameter`.
    package func update(_ request: UpdateFeedMarkerRequest, for caller: Caller) async throws -> FeedMarker {
        if let offset = request.position?.offset, !FeedPosition.offsets.contains(offset) {
            throw Problem(.invalidParameter, "“offset” is 0 to \(FeedPosition.offsets.upperBound) thousandths.")
        }
        let now = clock.now()
        return try await database.write { db in
            let markers = MarkerTable(db, of: caller.userId)
            try markers.update(request, now: now)
            return try markers.marker()
        }
    }
}
