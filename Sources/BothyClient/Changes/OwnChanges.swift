import BothyContract

/// What this device's own requests have changed in the drive, as their answers told it.
///
/// An answer tells the place of its change in the log, and the place right before that where the file in it is all that lies between
/// the two. Where such answers join, end to end, from the place up to which the log is known, nothing of anybody else's lies between
/// them: they are what the log would tell, and it need not be asked.
package struct OwnChanges: Sendable {
    private struct Told {
        var file: File
        var place: ChangeCursor
    }

    /// By the place before each.
    private var told = [ChangeCursor: Told]()
    /// The newest place of a change that no answer told whole.
    private var untold: ChangeCursor?
    /// Whether something was changed at a place that no answer told.
    private var isUnplaced = false

    /// Files that are not taken in: nobody does that, or something before them is not told. Of more than these the log tells in fewer bytes than they take here until somebody asks.
    package static let most = 1_024

    package init() {}

    /// Notes what one answer told.
    ///
    /// - Parameters:
    ///   - file: as its change left it; nil where the answer has not all of it, or is about none.
    ///   - place: of the change, as the answer named it.
    ///   - before: the place right before it, where that was told.
    package mutating func note(_ file: File?, at place: String?, before: String?) {
        guard let place = place.flatMap({ ChangeCursor(text: $0) }) else { return isUnplaced = true }
        guard let file, let before = before.flatMap({ ChangeCursor(text: $0) }), place.isNext(after: before),
            // The beginning of a log has the same name in every drive.
            before.sequence > 0
        else { return note(untold: place) }
        if told.count >= Self.most {
            told = [:]
            return note(untold: place)
        }
        told[before] = Told(file: file, place: place)
    }

    private mutating func note(untold place: ChangeCursor) {
        if untold.map({ place.isAfter($0) }) ?? true { untold = place }
    }

    /// The page that the log would tell from a place on, up to this device's last change. It leaves open whether there is more.
    ///
    /// - Parameter cursor: up to where the log is known; what was noted of before is let go.
    /// - Returns: nil where only the log can tell: somebody else's change may lie between, or not everything was told.
    package mutating func page(after cursor: String) -> GetChangesResponse? {
        guard let start = ChangeCursor(text: cursor) else { return nil }
        letGo(upTo: start)
        guard untold == nil, !isUnplaced, !told.isEmpty else {
            isUnplaced = false
            return nil
        }
        let joined = joined(to: start)
        return joined.count == told.count ? joined.page : nil
    }

    /// The beginning of what the log would tell from a place on, as far as answers that came until now join; somebody goes on later.
    ///
    /// - Parameter cursor: as in ``page(after:)``.
    /// - Returns: nil where nothing joins.
    package mutating func beginning(after cursor: String) -> GetChangesResponse? {
        guard let start = ChangeCursor(text: cursor) else { return nil }
        letGo(upTo: start)
        let joined = joined(to: start)
        return joined.count > 0 ? joined.page : nil
    }

    private mutating func letGo(upTo start: ChangeCursor) {
        told = told.filter { $0.value.place.isAfter(start) }
        if let place = untold, !place.isAfter(start) { untold = nil }
    }

    private func joined(to start: ChangeCursor) -> (page: GetChangesResponse, count: Int) {
        var (told, place) = ([Told](), start)
        while let next = self.told[place] {
            told.append(next)
            place = next.place
        }
        // Each as it was last, where that came.
        let last = Dictionary(told.map { ($0.file.id, $0.place) }, uniquingKeysWith: { $1 })
        let changes = told.filter { last[$0.file.id] == $0.place }.map { told in
            Change(kind: .file, id: told.file.id, removed: false, file: told.file)
        }
        return (GetChangesResponse(changes: changes, cursor: place.text, hasMore: true), told.count)
    }
}
