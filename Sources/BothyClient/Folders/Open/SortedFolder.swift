import BothyContract

/// A folder's items in one order, moved item by item. Pure: a change costs a search among the places.
package struct SortedFolder: Sendable {
    private struct Entry: Sendable {
        var item: FolderItem
        var place: FolderPlace
    }

    package let order: FileOrder
    private var entries: [Entry]

    package init(_ items: some Sequence<FolderItem>, order: FileOrder) {
        self.order = order
        entries = items.map { Entry(item: $0, place: FolderPlace($0, in: order)) }
        entries.sort { $0.place.precedes($1.place) }
    }

    package var count: Int { entries.count }

    /// What lies past the end is left out.
    package func items(_ range: Range<Int>) -> [FolderItem] {
        entries[range.clamped(to: entries.indices)].map(\.item)
    }

    /// Puts `new` where it belongs, and takes `old` from where it was.
    ///
    /// - Parameters:
    ///   - old: as it was put; nil for what was not here.
    ///   - new: nil for what goes.
    package mutating func replace(_ old: FolderItem?, by new: FolderItem?) {
        if let old, let index = index(of: old) { entries.remove(at: index) }
        guard let new else { return }
        let place = FolderPlace(new, in: order)
        entries.insert(Entry(item: new, place: place), at: firstIndex(notBefore: place))
    }

    /// What has to be moved in a list that shows this folder as it was, for it to show the folder as it is.
    ///
    /// - Parameter touched: items that are otherwise since, as they are now.
    package func placed(_ touched: [FolderItem]) -> [FolderChange.Placed] {
        // From the end: what an item is put before is in its place already.
        touched.compactMap { index(of: $0) }.sorted(by: >).map { index in
            FolderChange.Placed(
                item: entries[index].item, before: index + 1 < entries.count ? entries[index + 1].item.id : nil)
        }
    }

    private func index(of item: FolderItem) -> Int? {
        let index = firstIndex(notBefore: FolderPlace(item, in: order))
        // Names differ within a folder, except for a moment in which one item takes the name of another.
        return entries[index...].firstIndex { $0.item.id == item.id }
    }

    private func firstIndex(notBefore place: FolderPlace) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].place.precedes(place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
