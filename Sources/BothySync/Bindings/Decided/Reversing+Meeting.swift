import BothyClient
import BothyContract

/// Out of the local trash again, where the same folder may have been made anew since.
extension Reversing {
    /// What was deleted of a folder that is there again comes back into that; what that has by now stays in the trash.
    ///
    /// - Returns: of a file, the content that came back.
    func bringBack(
        _ keep: String, to place: Place, noting trace: inout Decision.Trace
    ) async throws -> ContentHash? {
        let isThere = try await performer.onDisk { try $0.facts(place) != nil }
        guard !isThere else {
            let (brought, isAll) = try await performer.onDisk { disk in
                let brought = try disk.bringBack(below: disk.trashed(keep), into: place)
                return (brought, try !brought.isEmpty && disk.list(disk.trashed(keep)).isEmpty)
            }
            guard !brought.isEmpty else { throw Self.isThere(place) }
            trace.brought = brought
            if isAll {
                try await performer.store.takeFromTrash(keep)
                try await performer.onDisk { try $0.purge(keep) }
            }
            return nil
        }
        let content = try await performer.onDisk { disk in
            let there = try disk.takeBack(keep, to: place)
            return there.kind == .file ? try disk.hash(place, expecting: there) : nil
        }
        try await performer.store.takeFromTrash(keep)
        return content
    }
}

extension FolderDisk {
    /// - Returns: what the folder at `place` had nothing of that name for; nothing where one of them is none.
    fileprivate func bringBack(below trashed: Place, into place: Place) throws(ClientFailure) -> [Brought] {
        guard try facts(trashed)?.kind == .folder, try facts(place)?.kind == .folder else { return [] }
        var brought = [Brought]()
        for entry in try list(trashed) {
            guard entry.isText, let facts = entry.facts else { continue }
            let (from, to) = (trashed.appending(entry.name), place.appending(entry.name))
            switch (facts.kind, try self.facts(to)?.kind) {
            case (.folder, .folder?): brought += try bringBack(below: from, into: to)
            case (.folder, nil):
                _ = try move(from, to: to, expecting: facts)
                brought.append(Brought(id: nil, place: to, content: nil, count: 0))
            case (.file, nil):
                let there = try move(from, to: to, expecting: facts)
                brought.append(Brought(id: nil, place: to, content: try hash(to, expecting: there), count: 1))
            default: continue
            }
        }
        return brought
    }
}
