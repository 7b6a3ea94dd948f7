import BothyContract

/// Putting a folder, a file or everything back as it stood at a moment, as screens do it: looked at first, then done.
///
/// Every method throws `ClientFailure`. Only the server knows how things were: without a connection it is `offline`.
public protocol MomentRestoring: Sendable {
    /// What going back would change. Nothing changes.
    ///
    /// - Parameter item: the root for everything.
    /// - Throws: `notFound`; `refused` where the server remembers nothing of that moment, or the thing was not there then.
    func plan(to moment: Timestamp, of item: ItemID) async throws -> DriveRestore

    /// Does exactly what a plan found, or nothing where something changed since. It may still be under way when this
    /// returns: the server continues it.
    func carryOut(_ plan: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore

    /// Puts back what a restore that has finished has changed.
    func undo(_ restore: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore

    /// A plan, or how far a restore is.
    ///
    /// - Throws: `notFound`, also where it is about something else.
    func restore(_ id: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore

    /// What it changes: its first `limit` changes.
    func changes(of id: DriveRestore.ID, limit: Int) async throws -> [RestoreChange]
}

extension ClientFailure {
    package static let nothingToUndo = ClientFailure(
        .refused, "It has not finished, or has changed nothing: there is nothing to undo.")
}
