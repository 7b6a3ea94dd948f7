import BothyContract

/// What of the account's content lies in the home, to be read and held against its hash.
extension ReplicaEngine {
    /// - Returns: what waits to be sent, and what is held; and how many are held of which nothing here tells the hash: older
    ///   versions, and those of files that are not known here any more.
    package func heldContents() async throws -> (contents: [HeldContent], unknown: Int) {
        let held = try content.entries(in: content.heldFolder).map(\.name)
        let pinned = Set(try await pinnedHere().compactMap(\.headRevisionId))
        let owners = try await store().view { view in
            try RemoteFileTable.owners(ofRevisions: Set(held), in: view.ground.db).mapValues { luid in
                (file: try view.ground.file(luid), place: try view.path(of: luid))
            }
        }
        var contents = try await pendingContents()
        for revision in held {
            guard let owner = owners[revision], let file = owner.file, let checksum = file.checksum else { continue }
            contents.append(
                HeldContent(
                    use: pinned.contains(revision) ? .pinned : .atHand, place: owner.place,
                    path: content.heldPath(revision), size: file.size, checksum: checksum))
        }
        return (contents, held.count { owners[$0]?.file?.checksum == nil })
    }

    /// What was put from standard input or without a connection; what waits where a person has it is theirs to change.
    private func pendingContents() async throws -> [HeldContent] {
        var contents = [HeldContent]()
        let waiting = try await store().operations().filter { $0.state != .acknowledged && $0.content?.owned == true }
        for placed in try await placed(waiting) {
            guard let pending = placed.operation.content else { continue }
            contents.append(
                HeldContent(
                    use: .pending(placed.operation.id), place: placed.destination, path: pending.path,
                    size: pending.size, checksum: pending.checksum))
        }
        return contents
    }
}
