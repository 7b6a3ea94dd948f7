import BothyContract

/// Brings the cache up to the log's end, page by page.
package struct ReplicaPuller: Sendable {
    private let store: ReplicaStore
    private let drive: any DriveProvider
    private let clock: any ClientClock
    private let readsAhead: Bool

    /// A server that calls its own new cursors expired is not followed for ever.
    private static let mostLinks = 3

    /// - Parameter readsAhead: false asks for a page once the one before is on the disk: a world that is made up does one thing at a time.
    package init(store: ReplicaStore, drive: any DriveProvider, clock: any ClientClock, readsAhead: Bool = true) {
        self.store = store
        self.drive = drive
        self.clock = clock
        self.readsAhead = readsAhead
    }

    /// How much of what this device has done is taken in.
    package enum OwnChangesWanted: Sendable {
        /// All of it, or nothing.
        case all
        /// What joins what is known, though more may be under way.
        case soFar
    }

    /// Brings the cache up to what this device has done itself, as far as the answers to that told what the log would. When the log's
    /// end was reached last, and what is settled there, stays as it was.
    ///
    /// - Parameter told: the effect, once it is on the disk.
    /// - Returns: false where nothing was taken, since only the log can tell.
    package func takeOwnChanges(
        _ wanted: OwnChangesWanted = .all, told: @Sendable (PageEffect) async throws -> Void = { _ in }
    ) async throws -> Bool {
        let state = try await store.state()
        guard state.isLinked, let cursor = state.cursor, let page = await ownChanges(wanted, after: cursor) else {
            return false
        }
        let owner = try await drive.authenticate()
        guard state.accountId == owner.accountId,
            let effect = try await store.take(page, after: cursor, of: owner, now: clock.now())
        else { return false }
        try await told(effect)
        return true
    }

    package static let ofAnotherAccount = ClientFailure(
        .accountRefused, "The data in this home belongs to another account.",
        remedy:
            "Use another home (BOTHY_HOME), or sign out with “bothy logout”; “bothy journal export FOLDER” first saves the waiting files."
    )

    private func ownChanges(_ wanted: OwnChangesWanted, after cursor: String) async -> GetChangesResponse? {
        switch wanted {
        case .all: await drive.ownChanges(after: cursor)
        case .soFar: await drive.beginningOfOwnChanges(after: cursor)
        }
    }

    /// - Parameters:
    ///   - pages: the most that are asked for now.
    ///   - told: each page's effect, once it is on the disk.
    /// - Returns: whether the log's end was reached.
    /// - Throws: `accountRefused` when somebody else is signed in than whose replica this is; what the drive throws.
    package func pull(pages: Int = .max, told: @Sendable (PageEffect) async throws -> Void = { _ in }) async throws
        -> Bool
    {
        let owner = try await drive.authenticate()
        let (first, settled) = try await store.standing()
        if let known = first.accountId, known != owner.accountId { throw Self.ofAnotherAccount }
        var (links, taken) = (0, 0)
        var ahead: Page?
        while taken < pages {
            try Task.checkCancellation()
            let cursor = try await store.state().cursor
            do {
                let known = ahead?.response(after: cursor)
                ahead = nil
                let page = if let known { known } else { try await drive.changes(after: cursor) }
                taken += 1
                // The network and the disk have nothing to wait for of one another.
                let isLast = taken == pages
                async let next = isLast || !readsAhead ? nil : following(page)
                let effect = try await store.take(
                    page, after: cursor, of: owner, settled: settled, now: clock.now())
                // Somebody else has moved the cursor meanwhile: it is gone on from there.
                guard let effect else { continue }
                try await told(effect)
                if !effect.hasMore { return true }
                ahead = try await next
            } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
                links += 1
                guard links <= Self.mostLinks else { throw failure }
                try await store.beginLink()
            }
        }
        return false
    }

    /// A page, and where it was asked from.
    private struct Page {
        var cursor: String
        var response: GetChangesResponse

        func response(after cursor: String?) -> GetChangesResponse? { self.cursor == cursor ? response : nil }
    }

    private func following(_ page: GetChangesResponse) async throws -> Page? {
        guard page.hasMore else { return nil }
        return Page(cursor: page.cursor, response: try await drive.changes(after: page.cursor))
    }
}
