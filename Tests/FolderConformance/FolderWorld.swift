import BothyClient
import BothyContract

/// A drive whose folders are looked at, and what a test does in it.
package protocol FolderWorld: Sendable {
    var folders: any FolderRepository { get }
    var actions: any FileActions { get }
    var trashCan: any TrashRepository { get }
    var stars: any StarredRepository { get }

    func add(_ name: String, isFolder: Bool, bytes: Int, to folder: ItemID) async throws -> ItemID

    /// What was done has come to whoever else has to know of it.
    func sync() async throws
}

extension FolderWorld {
    package func sync() async throws {}
}

/// What every ``FolderRepository`` holds to, whatever stands behind it.
package enum FolderConformance {
    package struct Broken: Error, CustomStringConvertible {
        package var description: String

        init(_ what: String) { description = what }
    }

    static func expect(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw Broken(what()) }
    }

    /// Windows of any size, put side by side, are the whole list; folders come first, each part in its order.
    package static func windowsAreTheListCutUp(_ world: some FolderWorld) async throws {
        let names = ["b.txt", "a.txt", "Z.txt", "ä.txt", "1.txt", "10.txt", "2.txt"]
        for (place, name) in names.enumerated() {
            _ = try await world.add(name, isFolder: false, bytes: place, to: .root)
        }
        for name in ["src", "docs"] { _ = try await world.add(name, isFolder: true, bytes: 0, to: .root) }
        for order in FileOrder.allCases {
            let whole = try await world.folders.window(of: .root, order: order, 0..<100)
            try expect(whole.total == 9 && whole.items.count == 9, "\(order): \(whole.items.count) of \(whole.total)")
            try expect(whole.items.prefix(2).allSatisfy(\.isFolder), "\(order): folders are not first")
            for size in 1...4 {
                var cutUp = [FolderItem]()
                for first in stride(from: 0, to: 12, by: size) {
                    cutUp += try await world.folders.window(of: .root, order: order, first..<first + size).items
                }
                try expect(cutUp == whole.items, "\(order), by \(size): \(cutUp.map(\.name))")
            }
        }
        let byName = try await world.folders.window(of: .root, order: .name, 2..<9).items.map(\.name)
        try expect(byName == ["1.txt", "2.txt", "10.txt", "a.txt", "ä.txt", "b.txt", "Z.txt"], "\(byName)")
        let bySize = try await world.folders.window(of: .root, order: .sizeDescending, 2..<4).items.map(\.size)
        try expect(bySize == [6, 5], "\(bySize)")
    }

    /// The way to a folder is told from the root down; what is not there, is in the trash or is a file says so.
    package static func aFolderKnowsTheWayToIt(_ world: some FolderWorld) async throws {
        let outer = try await world.add("outer", isFolder: true, bytes: 0, to: .root)
        let inner = try await world.add("inner", isFolder: true, bytes: 0, to: outer)
        let file = try await world.add("file", isFolder: false, bytes: 1, to: inner)
        let opened = try await world.folders.folder(inner)
        try expect(opened.folder.name == "inner" && opened.above.map(\.id) == [.root, outer], "\(opened)")
        let above = try await (world.folders.above(file), world.folders.above(.root))
        try expect(above.0.map(\.id) == [.root, outer, inner] && above.1.isEmpty, "\(above)")
        try await expectRefusal(.notAFolder) { _ = try await world.folders.folder(file) }
        try await expectRefusal(.notFound) { _ = try await world.folders.folder(ItemID("nobody")) }
        try await world.actions.trash(outer)
        try await expectRefusal(.notFound) { _ = try await world.folders.folder(inner) }
        try await expectRefusal(.notFound) { _ = try await world.folders.item(file) }
    }

    static func expectRefusal(_ code: FailureCode, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as ClientFailure {
            return try expect(failure.code == code, "refused with \(failure.code), not \(code)")
        }
        throw Broken("nothing was refused, where \(code) was to be")
    }

    /// What is done shows; what cannot be is refused by its name, and changes nothing.
    package static func actionsDoAsTheySay(_ world: some FolderWorld) async throws {
        let (folders, actions) = (world.folders, world.actions)
        func names(_ folder: ItemID) async throws -> [String] {
            try await folders.window(of: folder, order: .name, 0..<100).items.map(\.name)
        }
        let docs = try await actions.makeFolder(named: "docs", in: .root)
        try expect(docs.isFolder && docs.name == "docs", "\(docs)")
        try await expectRefusal(.nameConflict) { _ = try await actions.makeFolder(named: "docs", in: .root) }
        let file = try await world.add("a.txt", isFolder: false, bytes: 1, to: .root)
        try expect(try await actions.rename(file, to: "b.txt").name == "b.txt", "it is not renamed")
        try await expectRefusal(.nameConflict) { _ = try await actions.rename(file, to: "docs") }
        try await expectRefusal(.notFound) { _ = try await actions.rename(ItemID("nobody"), to: "x") }
        try expect(try await actions.setStarred(true, file).starred, "it is not starred")
        _ = try await actions.copy(file, to: docs.id)
        try expect(try await names(docs.id) == ["b.txt"], "it is not copied")
        try await expectRefusal(.nameConflict) { _ = try await actions.move(file, to: docs.id) }
        _ = try await actions.rename(file, to: "c.txt")
        try expect(try await actions.move(file, to: docs.id).id == file, "a move makes another thing of it")
        let left = try await names(.root)
        try expect(left == ["docs"], "\(left)")
        try await actions.trash(docs.id)
        try expect(try await names(.root).isEmpty, "the trash is empty")
        _ = try await actions.untrash(docs.id)
        try expect(try await folders.item(file).name == "c.txt", "what lay in it did not come back")
    }

    /// News lead from what was seen to what is: a list that takes them in is the list read anew, in every order.
    package static func newsLeadFromOneWindowToTheNext(
        _ world: some FolderWorld, order: FileOrder, random: inout some RandomNumberGenerator
    ) async throws {
        var ids = [ItemID]()
        let elsewhere = try await world.add("elsewhere", isFolder: true, bytes: 0, to: .root)
        for number in 0..<8 {
            ids.append(
                try await world.add("start \(number)", isFolder: number % 3 == 0, bytes: number * 7 % 5, to: .root))
        }
        let seen = try await world.folders.window(of: .root, order: order, 0..<100)
        var shown = ShownList(seen)
        var news = world.folders.news(of: .root, order: order, after: seen.mark).makeAsyncIterator()
        for round in 0..<24 {
            // Some happen together, and are told together or one by one.
            for step in 0..<Int.random(in: 1...3, using: &random) {
                try await act(world, &ids, elsewhere, "\(round) \(step)", &random)
            }
            let now = try await world.folders.window(of: .root, order: order, 0..<100)
            var signsOfLife = 0
            while shown.mark != now.mark, !shown.shows(now) {
                guard let told = try await news.next() else { throw Broken("the news ended") }
                signsOfLife = told.kind == .quiet ? signsOfLife + 1 : 0
                try expect(
                    signsOfLife < 3,
                    "round \(round): nothing more is told after \(shown.mark); \(shown.difference(to: now))"
                )
                try shown.take(told, whole: now)
                // What was told before the list was read anew leads to something older than it shows by now.
                if told.kind == .everything {
                    news = world.folders.news(of: .root, order: order, after: now.mark).makeAsyncIterator()
                }
            }
            try expect(
                shown.items == now.items,
                "after round \(round): \(shown.difference(to: now))")
            try expect(shown.total == now.total, "\(shown.total) of \(now.total) after round \(round)")
        }
    }

    private static func act(
        _ world: some FolderWorld, _ ids: inout [ItemID], _ elsewhere: ItemID, _ mark: String,
        _ random: inout some RandomNumberGenerator
    ) async throws {
        let isAdding = ids.count < 3 || Int.random(in: 0..<4, using: &random) == 0
        if isAdding {
            let name = "\(Int.random(in: 0..<100, using: &random)) new \(mark)"
            ids.append(
                try await world.add(
                    name, isFolder: Bool.random(using: &random), bytes: Int.random(in: 0..<9, using: &random), to: .root
                ))
            return
        }
        let place = Int.random(in: 0..<ids.count, using: &random)
        let id = ids[place]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            ids.remove(at: place)
            try await world.actions.trash(id)
        case 1:
            ids.remove(at: place)
            _ = try await world.actions.move(id, to: elsewhere)
        default:
            _ = try await world.actions.rename(id, to: "\(Int.random(in: 0..<100, using: &random)) renamed \(mark)")
        }
    }

    /// A list that does as it is told.
    private struct ShownList {
        var items: [FolderItem]
        var total: Int
        var mark: FolderMark

        init(_ window: FolderWindow) {
            items = window.items
            total = window.total
            mark = window.mark
        }

        /// What it shows otherwise, or in another place.
        func difference(to window: FolderWindow) -> String {
            let others = (0..<max(items.count, window.items.count)).compactMap { place -> String? in
                let pair = [items, window.items].map { $0.indices.contains(place) ? "\($0[place])" : "nothing" }
                return pair[0] == pair[1] ? nil : "\(pair[0]) and not \(pair[1])"
            }
            return "\(items.map(\.name)) of \(window.mark): \(others.joined(separator: "; "))"
        }

        func shows(_ window: FolderWindow) -> Bool { items == window.items && total == window.total }

        mutating func take(_ news: FolderEvent, whole: FolderWindow) throws {
            mark = news.mark
            switch news.kind {
            case .quiet: break
            case .gone: throw Broken("the folder is not gone")
            case .everything: self = ShownList(whole)
            case .changed(let change):
                let moved = Set(change.removed + change.placed.map(\.item.id))
                items.removeAll { moved.contains($0.id) }
                for placed in change.placed {
                    guard let before = placed.before else {
                        items.append(placed.item)
                        continue
                    }
                    guard let place = items.firstIndex(where: { $0.id == before }) else {
                        throw Broken("“\(placed.item.name)” is told to stand before what is not there")
                    }
                    items.insert(placed.item, at: place)
                }
                total = change.total
            }
        }
    }
}
