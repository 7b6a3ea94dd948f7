import BothyContract

/// What a restore of the whole drive makes of it, said without order, log or history: from the drive as it was.
extension DriveModel {
    /// A folder that a restore makes anew gets an id that the model cannot know: until it is learnt, this one.
    static func madeAnew(_ id: String) -> String { "anew " + id }

    mutating func restore(to past: DriveModel) {
        let now = self
        for id in now.nodes.keys where id != File.rootId && now.isThere(id) {
            guard let node = now.nodes[id] else { continue }
            guard past.isThere(id), let old = past.nodes[id] else {
                if past.isThere(node.parentId ?? "") { nodes[id]?.trashed = true }
                continue
            }
            nodes[id]?.content = old.content
            let parentId = old.parentId ?? ""
            if !now.isThere(parentId), past.isTrashed(id) {
                nodes[id]?.trashed = true
            } else {
                nodes[id]?.name = old.name
                nodes[id]?.trashed = old.trashed
                let folder = now.isThere(parentId) ? parentId : makeAnew(parentId, now, past)
                nodes[id]?.parentId = folder
            }
        }
    }

    private mutating func makeAnew(_ id: String, _ now: DriveModel, _ past: DriveModel) -> String {
        let made = Self.madeAnew(id)
        guard nodes[made] == nil, let old = past.nodes[id] else { return made }
        let parentId = old.parentId ?? ""
        nodes[made] = Node(parentId: nil, name: old.name, isFolder: true)
        let folder = now.isThere(parentId) ? parentId : makeAnew(parentId, now, past)
        nodes[made]?.parentId = folder
        return made
    }

    /// Takes over from the server what the model cannot know: versions, and the ids of folders made anew.
    mutating func learn(_ listing: [String: Replica.Entry]) {
        let made = nodes.keys.filter { $0.hasPrefix("anew ") }
        let paths = self.listing
        for old in made {
            guard let path = paths[old]?.path,
                let id = listing.first(where: { nodes[$0.key] == nil && $0.value.path == path && !$0.value.trashed })?
                    .key
            else { continue }
            nodes[id] = nodes.removeValue(forKey: old)
            for child in nodes.keys where nodes[child]?.parentId == old { nodes[child]?.parentId = id }
            ids.append(id)
        }
        for (id, entry) in listing { nodes[id]?.version = entry.version }
    }

    /// The live things below a folder by their path from it, with their content.
    func below(_ folder: String) -> [String: String] {
        var entries = [String: String]()
        for (id, node) in nodes where id != folder && isThere(id) && !isTrashed(id) && path(id).contains(folder) {
            let names = path(id).prefix { $0 != folder }.reversed().compactMap { nodes[$0]?.name }
            entries[names.joined(separator: "/")] = node.isFolder ? "folder" : "\(id) \(node.content)"
        }
        return entries
    }
}
