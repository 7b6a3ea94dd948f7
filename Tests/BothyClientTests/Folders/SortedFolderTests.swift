import BothyClient
import BothyContract
import Testing

/// A folder in order, moved item by item, is the folder sorted anew.
@Suite struct SortedFolderTests {
    @Test(arguments: FileOrder.allCases)
    func movedItemByItemItIsSortedAnew(_ order: FileOrder) {
        var random = SeededRandom(7)
        for _ in 0..<200 {
            var items = [ItemID: FolderItem]()
            for number in 0..<Int.random(in: 0...12, using: &random) { add(number, &items, &random) }
            var sorted = SortedFolder(items.values, order: order)
            for step in 0..<20 {
                let seen = sorted.items(0..<100)
                var touched = Set<ItemID>()
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let id = ItemID("\(Int.random(in: 0..<14, using: &random))")
                    let old = items[id]
                    if Bool.random(using: &random) { items[id] = nil } else { items[id] = item(id, step, &random) }
                    sorted.replace(old, by: items[id])
                    touched.insert(id)
                }
                #expect(sorted.items(0..<100) == SortedFolder(items.values, order: order).items(0..<100))
                var shown = seen.filter { !touched.contains($0.id) }
                for placed in sorted.placed(touched.compactMap { items[$0] }) {
                    let place = placed.before.flatMap { before in shown.firstIndex { $0.id == before } }
                    shown.insert(placed.item, at: place ?? shown.count)
                }
                #expect(shown == sorted.items(0..<100))
            }
        }
    }

    private func add(_ number: Int, _ items: inout [ItemID: FolderItem], _ random: inout SeededRandom) {
        let id = ItemID("\(number)")
        items[id] = item(id, 0, &random)
    }

    /// Few names and sizes, so that places meet; two items never have one name.
    private func item(_ id: ItemID, _ step: Int, _ random: inout SeededRandom) -> FolderItem {
        FolderItem(
            id: id, name: "\(Int.random(in: 0..<5, using: &random)) \(id)",
            mimeType: Bool.random(using: &random) ? File.folderMimeType : File.defaultMimeType,
            size: Int64.random(in: 0..<3, using: &random),
            modifiedAt: Timestamp(seconds: Int64.random(in: 0..<3, using: &random)))
    }
}
