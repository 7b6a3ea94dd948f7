import BothyContract
import GRDB

/// Windows of a folder: what the database has in order, with what waits in the journal laid over it. A window costs its
/// rows and what waits, and not the folder.
extension ReplicaView {
    /// What operations put into a folder's list, and what they take out of it.
    private struct LaidOver {
        struct Own {
            var file: ReplicaFile
            var place: FolderPlace
        }

        /// In order.
        var own = [Own]()
        /// Rows of the database that are elsewhere, otherwise, or gone.
        var masked = [LUID: FolderPlace]()
    }

    /// Neighbours in an order, folders first, without what is in the trash or hidden, and how many there are.
    ///
    /// - Parameter range: places from 0; what lies past the end is left out.
    /// - Throws: where the folder's files were let go.
    package func window(
        of folder: LUID, order: FileOrder, _ range: Range<Int>
    ) throws -> (files: [ReplicaFile], total: Int) {
        if try ThinnedFolderTable.contains(folder, in: ground.db) { throw FolderThinned(folder: folder) }
        let over = try laidOver(folder, order)
        let total = try RemoteFileTable.countListed(in: folder, in: ground.db) - over.masked.count + over.own.count
        // As many rows further up or down as operations may move them.
        let start = max(0, range.lowerBound - over.own.count)
        let most = range.count + over.own.count + 2 * over.masked.count
        let luids = try RemoteFileTable.listed(in: folder, order: order, from: start, most: most, in: ground.db)
        var merging = Merging(range: range, waiting: over.own[...])
        if start > 0 {
            guard let first = try luids.first.flatMap(ground.file) else { return ([], total) }
            let place = FolderPlace(first, in: order)
            let before = over.own.prefix { $0.place.precedes(place) }.count
            merging.waiting = over.own[before...]
            merging.index = start - over.masked.values.count { $0.precedes(place) } + before
        }
        for luid in luids where over.masked[luid] == nil && !merging.isOver {
            guard let file = try ground.file(luid) else { continue }
            merging.take(file, at: FolderPlace(file, in: order))
        }
        if luids.count < most { merging.takeRest() }
        return (merging.files, total)
    }

    /// All that a folder's list has, in no order.
    ///
    /// - Throws: where the folder's files were let go.
    package func shown(in folder: LUID) throws -> [LUID] {
        if try ThinnedFolderTable.contains(folder, in: ground.db) { throw FolderThinned(folder: folder) }
        let over = try laidOver(folder, .name)
        return try RemoteFileTable.listed(in: folder, in: ground.db).filter { over.masked[$0] == nil }
            + over.own.map(\.file.luid)
    }

    private func laidOver(_ folder: LUID, _ order: FileOrder) throws -> LaidOver {
        var over = LaidOver()
        for luid in overlay.touched {
            if let file = try file(luid), file.isListed(in: folder) {
                over.own.append(LaidOver.Own(file: file, place: FolderPlace(file, in: order)))
            }
            if let below = try ground.file(luid), below.isListed(in: folder) {
                over.masked[luid] = FolderPlace(below, in: order)
            }
        }
        over.own.sort { $0.place.precedes($1.place) }
        return over
    }

    /// Two lists in one order, as one.
    private struct Merging {
        let range: Range<Int>
        var waiting: ArraySlice<LaidOver.Own>
        /// The place of what comes next.
        var index = 0
        var files = [ReplicaFile]()

        init(range: Range<Int>, waiting: ArraySlice<LaidOver.Own>) {
            self.range = range
            self.waiting = waiting
        }

        var isOver: Bool { index >= range.upperBound }

        mutating func take(_ file: ReplicaFile, at place: FolderPlace) {
            while let own = waiting.first, own.place.precedes(place) {
                waiting.removeFirst()
                put(own.file)
            }
            put(file)
        }

        mutating func takeRest() {
            for own in waiting { put(own.file) }
        }

        private mutating func put(_ file: ReplicaFile) {
            if range.contains(index) { files.append(file) }
            index += 1
        }
    }
}

extension ReplicaFile {
    fileprivate func isListed(in folder: LUID) -> Bool { parent == folder && trashedAt == nil && !hidden }
}
