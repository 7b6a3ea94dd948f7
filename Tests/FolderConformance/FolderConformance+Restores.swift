import BothyClient
import BothyContract

extension FolderConformance {
    /// What a folder became is shown before it is undone, done exactly as shown, and undone again; what it is about stays
    /// its own.
    ///
    /// - Parameter moment: what time it is at the server, and has passed when it returns.
    package static func aFolderGoesBackToAMoment(
        _ world: some FolderWorld, _ restores: any MomentRestoring, moment: () async throws -> Timestamp
    ) async throws {
        let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
        let file = try await world.add("a.txt", isFolder: false, bytes: 1, to: docs)
        let then = try await moment()
        _ = try await world.actions.rename(file, to: "b.txt")
        let new = try await world.add("new.txt", isFolder: false, bytes: 1, to: docs)
        try await world.sync()
        let plan = try await restores.plan(to: then, of: docs)
        try expect(plan.state == .planned && plan.counts.putBack == 1 && plan.counts.trashed == 1, "\(plan)")
        let changes = try await restores.changes(of: plan.restoreId, limit: 9)
        try expect(Set(changes.compactMap(\.action.known)) == [.putBack, .trash], "\(changes)")
        try expect(try await world.folders.item(file).name == "b.txt", "a plan changes something")
        try await expectRefusal(.notFound) { _ = try await restores.restore(plan.restoreId, of: .root) }
        try await expectRefusal(.notFound) { _ = try await restores.carryOut(plan.restoreId, of: .root) }
        let done = try await restores.carryOut(plan.restoreId, of: docs)
        try expect(done.state == .finished && done.before != nil, "\(done)")
        try expect(try await restores.carryOut(plan.restoreId, of: docs).restoreId == done.restoreId, "done twice")
        try expect(try await world.folders.item(file).name == "a.txt", "it is not put back")
        try await expectRefusal(.notFound) { _ = try await world.folders.item(new) }
        let undone = try await restores.undo(done.restoreId, of: docs)
        try expect(undone.state == .finished, "\(undone)")
        try expect(try await world.folders.item(file).name == "b.txt", "it is not undone")
        try expect(try await world.folders.item(new).name == "new.txt", "what was there does not come back")
    }
}
