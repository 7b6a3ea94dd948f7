import BothyClient
import BothyContract

extension FolderConformance {
    /// What is thrown away is listed, the last first, page by page; it comes back, or goes for good, and what was brought
    /// back meanwhile is not deleted.
    package static func theTrashHasItsWaysOut(_ world: some FolderWorld, until later: Timestamp) async throws {
        var ids = [ItemID]()
        for name in ["a", "b", "c", "d", "e"] {
            let id = try await world.add(name, isFolder: name == "c", bytes: 3, to: .root)
            try await world.actions.trash(id)
            ids.append(id)
        }
        var names = [String]()
        var place: String?
        repeat {
            let page = try await world.trashCan.page(after: place, limit: 2)
            try expect(page.total == 5 && page.items.count <= 2, "\(page)")
            names += page.items.map(\.item.name)
            place = page.next
        } while place != nil
        try expect(Set(names) == ["a", "b", "c", "d", "e"] && names.count == 5, "\(names)")
        try await world.trashCan.bringBack(ids[0])
        try expect(try await world.folders.item(ids[0]).name == "a", "it did not come back")
        try await expectRefusal(.changedMeanwhile) { try await world.trashCan.deleteForGood(ids[0]) }
        try expect(try await world.folders.item(ids[0]).name == "a", "what was brought back is deleted")
        try await world.trashCan.deleteForGood(ids[1])
        try await expectRefusal(.notFound) { try await world.trashCan.deleteForGood(ids[1]) }
        try await expectRefusal(.notFound) { try await world.trashCan.bringBack(ids[1]) }
        try expect(try await world.trashCan.empty(until: later) == 3, "not everything went")
        let left = try await world.trashCan.page(after: nil, limit: 10)
        try expect(left.items.isEmpty && left.total == 0 && left.next == nil, "\(left)")
        try expect(try await world.folders.item(ids[0]).name == "a", "emptying took what was not in the trash")
    }
}
