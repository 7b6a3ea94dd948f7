import Synchronization

/// The journal laid over the cache, kept from one look to the next. A look costs what has changed since the last one, and
/// not what waits.
final class KeptOverlay: Sendable {
    private let kept = Mutex(MovedOverlay())

    /// As of the ground's moment.
    func now(over ground: DatabaseGround) throws -> Overlay {
        try kept.withLock { kept in
            try kept.catchUp(over: ground)
            return kept.overlay
        }
    }

    /// For a writer. What is rolled back later is noticed by the next reader.
    func inTransaction<Value: Sendable>(_ body: (inout MovedOverlay) throws -> Value) throws -> Value {
        try kept.withLock { kept in try body(&kept) }
    }
}

/// An overlay, and the place in the log of changes that it is as of.
struct MovedOverlay: Sendable {
    private(set) var overlay = Overlay()
    /// nil where it has to be made anew.
    private var place: ViewChangeTable.Place?

    /// Takes in what has changed since; makes it anew where the log does not tell.
    mutating func catchUp(over ground: DatabaseGround) throws {
        guard let place, let changes = try ViewChangeTable.changes(since: place, in: ground.db) else {
            return try begin(over: ground)
        }
        guard changes.place != place else { return }
        // What fails in the middle of this is made anew the next time.
        self.place = nil
        for id in changes.operations.sorted() {
            if let operation = try OperationTable.find(id, in: ground.db) {
                _ = try overlay.put(operation, over: ground)
            } else {
                _ = try overlay.remove(id, over: ground)
            }
        }
        _ = try overlay.rebase(changes.keys, over: ground)
        self.place = changes.place
    }

    /// Takes in an operation that has just been written down, behind all that is known: it need not be read again.
    ///
    /// - Parameter ground: in which nothing else has changed since ``catchUp(over:)``.
    mutating func take(_ operation: JournalOperation, over ground: DatabaseGround) throws {
        guard place != nil else { return }
        // As above.
        place = nil
        _ = try overlay.put(operation, over: ground)
        place = try ViewChangeTable.last(in: ground.db)
    }

    private mutating func begin(over ground: DatabaseGround) throws {
        self.place = nil
        let place = try ViewChangeTable.last(in: ground.db)
        overlay = try Overlay(OperationTable.all(in: ground.db), over: ground)
        self.place = place
    }

    /// What an operation would do behind all others. It is not in the overlay afterwards.
    ///
    /// - Returns: why the server would refuse it, and the names that it looks at, takes or frees.
    mutating func trial(
        of draft: JournalOperation, over ground: DatabaseGround
    ) throws -> (refusal: FailureCode?, places: [NameInFolder]) {
        let place = self.place
        self.place = nil
        _ = try overlay.put(draft, over: ground)
        let result = (refusal: overlay.refusal(of: draft.id), places: overlay.places(of: draft.id))
        _ = try overlay.remove(draft.id, over: ground)
        self.place = place
        return result
    }
}
