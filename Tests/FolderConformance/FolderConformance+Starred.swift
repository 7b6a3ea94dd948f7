import BothyClient
import BothyContract

extension FolderConformance {
    /// What has a star is listed wherever it lies, folders first, then by name, page by page; what lies in the trash, by itself
    /// or with its folder, is not.
    package static func starsAreListedWhereverTheyLie(_ world: some FolderWorld) async throws {
        let outer = try await world.add("outer", isFolder: true, bytes: 0, to: .root)
        let inner = try await world.add("inner", isFolder: true, bytes: 0, to: outer)
        let going = try await world.add("going", isFolder: true, bytes: 0, to: .root)
        var starred = [inner]
        for (name, folder) in [("10.txt", inner), ("b.txt", ItemID.root), ("2.txt", outer), ("c.txt", going)] {
            starred.append(try await world.add(name, isFolder: false, bytes: 1, to: folder))
        }
        _ = try await world.add("plain.txt", isFolder: false, bytes: 1, to: outer)
        for id in starred { _ = try await world.actions.setStarred(true, id) }
        try await world.sync()
        let whole = try await all(world, by: 100)
        try expect(whole.map(\.item.name) == ["inner", "2.txt", "10.txt", "b.txt", "c.txt"], "\(whole)")
        try expect(whole.allSatisfy(\.item.starred), "listed without a star")
        try expect(whole[2].above == ["outer", "inner"] && whole[2].folder == inner, "\(whole[2])")
        for limit in 1...4 {
            let cutUp = try await all(world, by: limit)
            try expect(cutUp == whole, "by \(limit): \(cutUp.map(\.item.name))")
        }
        try await world.actions.trash(going)
        try await world.actions.trash(starred[2])
        _ = try await world.actions.setStarred(false, inner)
        try await world.sync()
        for limit in [1, 2, 100] {
            let left = try await all(world, by: limit).map(\.item.name)
            try expect(left == ["2.txt", "10.txt"], "by \(limit): \(left)")
        }
        _ = try await world.actions.untrash(going)
        try await world.sync()
        let back = try await all(world, by: 100).map(\.item.name)
        try expect(back == ["2.txt", "10.txt", "c.txt"], "\(back)")
    }

    private static func all(_ world: some FolderWorld, by limit: Int) async throws -> [FoundItem] {
        var items = [FoundItem]()
        var place: String?
        repeat {
            let page = try await world.stars.page(after: place, limit: limit)
            try expect(page.items.count <= limit, "\(page.items.count) of \(limit)")
            items += page.items
            place = page.next
        } while place != nil
        return items
    }
}
