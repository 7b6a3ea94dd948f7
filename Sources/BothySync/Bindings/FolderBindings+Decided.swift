/// Conflicts that passes have decided: each can be taken back by itself.
extension FolderBindings {
    /// Passes that are looked through for them.
    private static let mostPasses = 200

    /// What was decided in synced folders, and not taken back; the newest first.
    ///
    /// - Parameter most: nil for as many as there are in the last passes.
    package func decided(most: Int? = nil) async throws -> [(binding: Binding, conflict: PassConflict)] {
        let folders = Dictionary(try await all().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var found = [(binding: Binding, conflict: PassConflict)]()
        for pass in try await store.passes(of: nil, limit: Self.mostPasses)
        where pass.undoneBy == nil && pass.undoes == nil {
            guard let binding = folders[pass.bindingId] else { continue }
            for conflict in try await conflicts(decidedBy: pass).reversed() where try await !isTakenBack(conflict) {
                found.append((binding, conflict))
                if found.count == most { return found }
            }
        }
        return found
    }

    package func conflicts(decidedBy pass: SyncPass) async throws -> [PassConflict] {
        PassConflict.all(in: try await store.deciding(in: pass.id))
    }

    /// Whether an undoing of its own has taken it back; one that was cut off or failed goes on, and one that came to
    /// nothing may be tried again.
    package func isTakenBack(_ conflict: PassConflict) async throws -> Bool {
        let undoing = try await store.undoing(ofConflict: conflict.id, in: conflict.number.pass)
        guard let undoing, !undoing.isUnfinished else { return false }
        return try await store.decisions(of: undoing.id).contains { $0.trace.failure == nil }
    }
}
