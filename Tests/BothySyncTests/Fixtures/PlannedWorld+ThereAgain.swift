import BothyContract
import BothySync

/// What comes back where the same was made anew since, as `Reversing` and the server see to it.
extension PlannedWorld {
    /// - Returns: of a folder that is there again, what came back into that; nil where nothing comes back.
    mutating func comeBackThere(_ id: String, _ place: Place) -> [Brought]? {
        guard let top = keptThere[id]?.first else { return nil }
        guard let there = childThere(top.name, of: top.folderId) else { return untrashThere(id) ? [] : nil }
        if top.facts.kind == .folder, there.kind == .folder {
            let brought = bringBack(id, of: id, into: there.id, place)
            return brought.isEmpty ? nil : brought
        }
        if isSame(top.facts, there) { return nil }
        let name = freeName(like: top.name, in: top.folderId)
        keptThere[id]?[0].name = name
        return untrashThere(id) ? [] : nil
    }

    private mutating func bringBack(_ folder: String, of top: String, into there: String, _ place: Place) -> [Brought] {
        var brought: [Brought] = []
        for item in keptThere[top] ?? [] where item.folderId == folder {
            let at = place.appending(item.name)
            let other = childThere(item.name, of: there)
            if let other, item.facts.kind == .folder, other.kind == .folder {
                brought += bringBack(item.facts.id, of: top, into: other.id, at)
                continue
            }
            if let other, isSame(item.facts, other) { continue }
            var ids: Set<String> = [item.facts.id]
            remote.put(item.facts, named: freeName(like: item.name, in: there), under: there)
            for below in keptThere[top] ?? [] where ids.contains(below.folderId) {
                remote.put(below.facts, named: below.name, under: below.folderId)
                ids.insert(below.facts.id)
            }
            keptThere[top]?.removeAll { ids.contains($0.facts.id) }
            brought.append(Brought(id: item.facts.id, place: at, content: item.facts.checksum, count: ids.count))
        }
        return brought
    }

    private func childThere(_ name: NodeName, of folder: String) -> RemoteFacts? {
        remote.node(folder).flatMap { remote.tree.child(name, of: $0) }.map { remote[$0] }
    }

    private func isSame(_ one: RemoteFacts, _ other: RemoteFacts) -> Bool {
        one.kind == .file && other.kind == .file && one.checksum == other.checksum
    }

    private func freeName(like name: NodeName, in folder: String) -> NodeName {
        let names = [name] + (0..<Reversal.mostNumbers).map { GivenNames.numbered(name, attempt: $0) }
        return names.first { childThere($0, of: folder) == nil } ?? name
    }

    /// The same out of the local trash.
    mutating func comeBackHere(_ keep: String, to place: Place) -> [Brought]? {
        guard let there = local.facts(at: place) else { return takeBackHere(keep, to: place) ? [] : nil }
        guard there.kind == .folder, let kept = keptHere[keep], kept.first?.facts.kind == .folder else { return nil }
        var brought: [Brought] = []
        var left: [(place: Place, facts: LocalFacts)] = []
        for item in kept {
            let at = Place(place.names + item.place.names)
            if brought.contains(where: { at.isWithin($0.place) }) {
                local.put(item.facts, at: at)
            } else if local.facts(at: at) != nil || local.facts(at: at.parent)?.kind != .folder {
                left.append(item)
            } else {
                local.put(item.facts, at: at)
                brought.append(Brought(id: nil, place: at, content: item.facts.hash, count: 1))
            }
        }
        keptHere[keep] = left
        return brought.isEmpty ? nil : brought
    }
}
