import BothyClient
import BothyContract

/// What is done when everything has moved: what goes, what stays here alone, and what is no longer agreed on.
extension PlanWriter {
    /// Each with all below it. What is kept has left by now, except for what could not come to its place: a folder stays for that.
    mutating func writeDrops() {
        let dropped = view.items.indices.filter { view.items[$0].fate == .drop && !view.items[$0].isPlaced }
        let places = dropped.map { (currentPlace($0), $0) }.sorted { $0.0 < $1.0 }
        for (_, index) in places where !view.items[index].isPlaced {
            let item = view.items[index]
            if item.local.map(isWholeDropHere) ?? isWholeDropThere(item.remote!) {
                if item.local != nil { writeDropHere(index) } else { writeDropThere(index) }
            } else {
                view.keepForWhatIsInIt(index)
            }
        }
    }

    /// Folders before what is in them.
    mutating func writeMarks() {
        let marked = view.items.indices.filter { if case .mark = view.items[$0].fate { true } else { false } }
        for (place, index) in marked.map({ (currentPlace($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
            guard case .mark(let reason) = view.items[index].fate else { continue }
            let place = leavePassingName(index) ?? place
            writeMark(index, place, reason)
            plan.standing[place] = .unsynced(reason)
        }
    }

    /// What was cut off between two moves and stays here alone gets its own name again, or a number.
    ///
    /// - Returns: where it is then; nil for what has a name.
    private mutating func leavePassingName(_ index: Int) -> Place? {
        guard let node = view.items[index].local, GivenNames.isTemporary(local.tree.name(of: node)),
            let agreed = view.items[index].synced, let folder = local.tree.parent(of: node)
        else { return nil }
        let own = view.agreedNameHere(agreed)
        var (name, attempt) = (own, 0)
        while isWanted(name, in: folder) {
            name = GivenNames.numbered(own, attempt: attempt)
            attempt += 1
        }
        let from = currentPlace(index)
        let spot = Spot(from.parent.appending(name), folderId: nil, remoteName: view.synced[agreed].remoteName)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: from, to: spot, settles: false)
        add(step, view.items[index].reason)
        moveHere(index, to: folder, name)
        return spot.place
    }

    private mutating func writeMark(_ index: Int, _ place: Place, _ reason: UnsyncedReason) {
        let item = view.items[index]
        let mine = item.local.map { LocalFingerprint(local[$0]) }
        let remembered = view.memory.fileId(at: place, kind: mine?.kind ?? .file, hash: mine?.hash)
        guard let id = agreedId(index) ?? remembered else { return }
        let spot = Spot(place, folderId: remoteId(max(item.folder, 0)), remoteName: item.remoteName)
        add(.markUnsynced(remoteId: id, at: spot, mine: mine, reason), item.reason)
    }

    /// What a rule leaves out from now on, with all below it, before anything moves.
    mutating func writeLeavingOut() {
        for index in view.items.indices where view.items[index].reason == .leftOutNow {
            let folder = view.syncedFolder(of: index)
            guard folder < 0 || view.items[folder].reason != .leftOutNow, let node = view.items[index].synced else {
                continue
            }
            add(.leaveOut(remoteId: view.synced[node].remoteId, at: currentPlace(index)), .leftOutNow)
        }
    }

    /// What neither side has any more. A folder's row takes the rows below it along, so it waits while one of them is needed:
    /// for the end where that one is being moved out, and for another time where that one is held.
    ///
    /// - Parameter isLast: whether everything has moved by now.
    mutating func writeForgets(isLast: Bool) {
        let forgotten = view.items.indices.filter { view.items[$0].fate == .forget && !view.items[$0].isPlaced }
        var isWhole: [Int: Bool] = [:]
        for index in forgotten.reversed() {
            isWhole[index] = view.synced.tree.children(of: view.items[index].synced!).allSatisfy { child in
                switch view.items[view.item(child)].fate {
                case .forget: isWhole[view.item(child)] ?? true
                case .keep, .drop: isLast
                case .stay, .mark: false
                }
            }
        }
        for index in forgotten where isWhole[index] == true {
            view.items[index].isPlaced = true
            if isWhole[view.syncedFolder(of: index)] == true { continue }
            let node = view.items[index].synced!
            add(.forget(remoteId: view.synced[node].remoteId, at: currentPlace(index)), view.items[index].reason)
        }
    }
}
