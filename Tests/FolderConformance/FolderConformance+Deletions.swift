import BothyClient
import BothyContract

extension FolderConformance {
    /// What somebody else puts below a folder, further down than a list shows, survives that the folder is deleted by
    /// who was not told of it: whether the deletion is refused at once, or when a device comes to send it.
    ///
    /// - Parameters:
    ///   - put: somebody else puts a file of this name into this folder.
    ///   - isThere: whether it is where everybody sees it.
    package static func whatWasNotSeenSurvivesADeletion(
        _ world: some FolderWorld, put: (String, ItemID) async throws -> ItemID,
        isThere: (ItemID) async throws -> Bool
    ) async throws {
        let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
        let inner = try await world.add("inner", isFolder: true, bytes: 0, to: docs)
        let seen = try await world.folders.window(of: .root, order: .name, 0..<9).mark
        let file = try await put("theirs.txt", inner)
        do {
            try await world.actions.trash(docs, seen: seen)
        } catch let failure as ClientFailure {
            try expect(failure.code == .changedMeanwhile, "refused with \(failure.code)")
        }
        try await world.sync()
        try expect(try await isThere(file), "what nobody had seen is deleted")
    }

    /// What a person did from here since it was shown is no reason to keep a folder.
    package static func whatWasDoneFromHereGoesWithItsFolder(_ world: some FolderWorld) async throws {
        let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
        let inner = try await world.add("inner", isFolder: true, bytes: 0, to: docs)
        let moved = try await world.add("moved.txt", isFolder: false, bytes: 1, to: .root)
        let seen = try await world.folders.window(of: .root, order: .name, 0..<9).mark
        _ = try await world.add("mine.txt", isFolder: false, bytes: 1, to: inner)
        _ = try await world.actions.move(moved, to: docs)
        _ = try await world.actions.rename(docs, to: "papers")
        try await world.sync()
        try await world.actions.trash(docs, seen: seen)
        try await world.sync()
        try await expectRefusal(.notFound) { _ = try await world.folders.item(docs) }
        try await expectRefusal(.notFound) { _ = try await world.folders.item(moved) }
    }
}
