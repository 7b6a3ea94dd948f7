import BothyClient
import BothyContract

/// What a person confirms after a guard has stopped.
extension BindingEngine {
    /// Accepts what a guard saw. A folder, or a folder on the server, that is another one by now is linked again, where
    /// nothing that is absent counts as deleted.
    ///
    /// - Throws: `fileMissing` when there is nothing to link.
    package func accept(_ sighting: Guard.Sighting) async throws {
        switch sighting {
        case .rootVanished, .rootUnmounted:
            throw ClientFailure(
                .fileMissing, "“\(binding.localPath)” does not exist, or its disk is not mounted.",
                remedy: RemedyWords.filled(
                    "Bring it back, or unlink it with “bothy unsync DIR”.", folder: binding.localPath)
            )
        case .rootReplaced: try await claimAnew()
        case .remoteRootLost: try await makeRemoteRootAnew()
        case .linkTakenBack:
            let held = try await heldStill()
            for place in held.withdrawn { try await store.choose(.sendAgain, at: place, of: binding.id) }
            try await relink(binding, keeping: held)
        case .manyDeletions, .rootEmptied: confirmed.formUnion(sighting.sides)
        }
    }

    /// Gives up what was deleted here and waits to be so on the server: nothing of it is agreed on any more, so the next pass fetches
    /// it like what somebody else has put there. What was moved out of a folder that is gone is carried first: until then it is agreed
    /// on below that folder, and would come back there too.
    ///
    /// - Returns: how many files and folders come back.
    package func bringBack(tell: @escaping @Sendable (Decision) -> Void = { _ in }) async throws -> Int {
        var actions = try await lookPastGuards().plan.actions
        if actions.contains(where: { if case .moveRemote = $0.step { true } else { false } }) {
            _ = try await pass(only: Set(actions.filter { !$0.step.isDeletion }), tell: tell)
            actions = try await lookPastGuards().plan.actions
        }
        var (ids, count) = ([String](), 0)
        for action in actions {
            switch action.step {
            case .trashRemote(let theirs, _, let goes):
                ids.append(theirs.id)
                count += goes
            case .upload(let spot, let mine, let theirs?, _) where action.empties:
                // Then both sides have a file there that was never agreed on, and the person has chosen.
                let choice = Choice.keep(.theirs, mine: mine.hash, theirs: theirs.checksum)
                try await store.choose(choice, at: spot.place, of: binding.id)
                ids.append(theirs.id)
                count += 1
            default: break
            }
        }
        try await store.forgetAgreed(on: ids, of: binding.id)
        return count
    }

    /// What would be done if what a guard stopped at were confirmed. Looking at it confirms nothing and makes nothing.
    package func lookPastGuards() async throws -> Look {
        let before = confirmed
        defer { confirmed = before }
        var look = try await look()
        // Behind one there may be another: an emptied folder is also many deletions.
        while let sighting = look.plan.sighting, sighting.isAboutDeletions, confirmed.insert(sighting).inserted {
            look = try await self.look()
        }
        switch look.plan.sighting {
        case .rootReplaced: return try await preview(of: binding.remoteId, from: heldStill())
        case .linkTakenBack:
            let held = try await heldStill()
            return try await preview(of: binding.remoteId, from: held, sending: held.withdrawn)
        case .remoteRootLost:
            return try await preview(of: remoteRootNow() ?? "", from: SyncedTree(rootId: binding.remoteId))
        case nil, .rootVanished, .rootUnmounted, .rootEmptied, .manyDeletions: return look
        }
    }

    /// What stays agreed on where the two sides are linked again: what the folder holds as it was agreed on.
    private func heldStill() async throws -> SyncedTree {
        try await store.syncedTree(of: binding).held(by: lookHere())
    }

    /// Agrees to what another device took out of ignore files, as they are now.
    package func agreeToRules() async throws {
        let review = try await look().review
        if !review.loosened.isEmpty { try await store.heed(review.agreed, of: binding.id) }
    }

    private func claimAnew() async throws {
        let mark = environment.newId()
        let root = try await performer.onDisk { disk in
            try disk.claim(mark: mark)
            return try disk.root()
        }
        guard let root else { throw ClientFailure(.fileMissing, "“\(binding.localPath)” does not exist.") }
        var claimed = binding
        claimed.mark = mark
        (claimed.root, claimed.diskNumber) = (root.stamp, root.device)
        claimed.disk = nil
        try await relink(claimed, keeping: heldStill())
    }

    /// What is in the folder, each file read.
    private func lookHere() async throws -> LocalTree {
        let (disk, now, own, traits) = (disk, environment.clock.now(), binding.rules, knownTraits)
        let heeded = try await store.heededRules(of: binding.id)
        return try await queues.run {
            let nothing = SyncedTree(rootId: "")
            var scan = try FolderScan(
                disk, rules: own, heeded: heeded, synced: nothing, previous: nil, now: now, traits: traits)
            return try scan.run().local
        }
    }

    private func makeRemoteRootAnew() async throws {
        var parent = File.rootId
        for name in binding.remotePath.pathNames {
            _ = try await cache.pull()
            if let there = try await folder(named: name, in: parent) {
                parent = there
                continue
            }
            let made = try await performer.drive.createFolder(
                named: name, in: parent, requestId: environment.newId())
            parent = made.id
        }
        var moved = binding
        moved.remoteId = parent
        try await relink(moved)
    }

    /// The folder on the server that has the bound one's path by now; nil where there is none.
    private func remoteRootNow() async throws -> String? {
        var parent = File.rootId
        for name in binding.remotePath.pathNames {
            guard let there = try await folder(named: name, in: parent) else { return nil }
            parent = there
        }
        return parent
    }

    private func folder(named name: String, in parent: String) async throws -> String? {
        let siblings = try await cache.files(below: parent) ?? []
        return siblings.first { $0.parentId == parent && $0.name == name && $0.isFolder }?.id
    }

    private func relink(_ changed: Binding, keeping held: SyncedTree? = nil) async throws {
        try await store.startLinking(changed, keeping: held)
        binding = try await store.find(changed.id) ?? changed
        performer = performer.of(binding)
    }
}

extension SyncedTree {
    /// What stays here alone because its person took back that it was sent. Linking the two again sends it again.
    fileprivate var withdrawn: [Place] {
        tree.subtree(of: .root).filter { self[$0].mark == .unsynced(.takenBack) }.map { tree.place(of: $0) }
    }
}
