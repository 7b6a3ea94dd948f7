import BothyClient
import BothyContract

/// What a pass clears away before it acts.
extension BindingEngine {
    /// What has lain in the trash long enough goes; so do parts of files that nobody waits for any more. What was staged and never
    /// put in its place is used where it is still wanted, and kept in the trash where it may be a person's.
    func sweep(_ look: Look) async throws {
        // What stands in the folder's place while it is away has another trash, or none.
        guard try await performer.onDisk({ try $0.mark() }) == binding.mark else { return }
        for item in try await store.trash(of: binding.id, before: look.scene.lived - TrashedHere.lifetime) {
            // One that cannot be removed keeps nothing else from being done; it is tried again each time.
            guard (try? await performer.onDisk { try $0.purge(item.keep) }) != nil else { continue }
            try await store.removeFromTrash(item.keep)
        }
        let wanted = Dictionary(
            (look.plan.actions + look.plan.inUse).flatMap { ActionPerformer.fetched(for: $0.step) }.map {
                ($0.name, $0.content)
            },
            uniquingKeysWith: { first, _ in first })
        performer.staged = []
        for name in try await performer.onDisk({ try $0.staged() }) {
            let (facts, hash) = try await lookAtStaged(name)
            if let hash, wanted[name] == .some(hash) {
                performer.staged.insert(name)
            } else if let file = StagedName(name), hash != nil, look.remote.facts(file.id)?.checksum == hash {
                try await performer.onDisk { try $0.unstage(name) }
            } else {
                try await keep(name, facts, hash, in: look)
            }
        }
        try await performer.letGoOfDownloads(but: Set(wanted.keys))
    }

    /// - Returns: no hash of what cannot be read: that is kept.
    private func lookAtStaged(_ name: String) async throws -> (facts: DiskFacts?, hash: ContentHash?) {
        try await performer.onDisk { disk in
            let place = disk.stagedPlace(name)
            guard let facts = try disk.facts(place) else { return (nil, nil) }
            // What cannot be read is kept.
            return (facts, facts.kind == .file ? try? disk.hash(place, expecting: facts) : nil)
        }
    }

    /// A file is replaced by changing places with what is staged: what a crash left under such a name may be what a person had there.
    private func keep(_ name: String, _ facts: DiskFacts?, _ hash: ContentHash?, in look: Look) async throws {
        let id = StagedName(name)?.id
        let place =
            id.flatMap { look.synced.node($0) }.map { look.synced.tree.place(of: $0) }
            ?? id.flatMap { look.remote.node($0) }.map { look.remote.tree.place(of: $0) } ?? Place(text: name)
        let keep = environment.newId()
        let item = TrashedHere(
            keep: keep, bindingId: binding.id, place: place, isFolder: facts?.kind == .folder,
            size: facts?.stamp.size ?? 0, checksum: hash, reason: .editedThere, takenAt: environment.clock.now(),
            livedAt: look.scene.lived)
        try await store.addToTrash(item)
        try await performer.onDisk { try $0.discardStaged(name, keep: keep) }
    }
}
