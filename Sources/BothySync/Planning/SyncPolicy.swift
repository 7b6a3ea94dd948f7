import BothyContract

/// What a binding's owner wants, and what the planner must be told of the day: it looks at no clock.
package struct SyncPolicy: Equatable, Sendable {
    package var deletions: DeletionPolicy
    package var conflicts: ConflictResolution
    /// What was set for single files and folders below the bound one, by their ids on the server. Of a file whose decision was taken back,
    /// its person is asked, whatever else was set.
    package var conflictsBelow: [String: ConflictResolution] = [:]
    /// The two sides are being linked, for the first time or again: absence is no deletion.
    package var isLinking: Bool
    /// For the names of conflict copies, «report (anna's conflict 2026-11-20).pdf».
    package var deviceName: String
    /// Today here, as `2026-11-20`.
    package var day: String
    package var disk: DiskTraits
    /// What a person decided about single items; each holds for the versions that the person saw.
    package var choices: [Place: Choice]

    package init(
        deletions: DeletionPolicy = .mirror, conflicts: ConflictResolution = .fork, isLinking: Bool = false,
        deviceName: String, day: String, disk: DiskTraits = .exact, choices: [Place: Choice] = [:]
    ) {
        self.deletions = deletions
        self.conflicts = conflicts
        self.isLinking = isLinking
        self.deviceName = deviceName
        self.day = day
        self.disk = disk
        self.choices = choices
    }
}

extension SyncPolicy {
    /// What was set for the nearest: for the file, for a folder above it, for the binding.
    func conflicts(about id: String, in remote: RemoteTree) -> ConflictResolution {
        guard !conflictsBelow.isEmpty else { return conflicts }
        var node = remote.node(id)
        while let at = node, at != .root {
            if let set = conflictsBelow[remote[at].id] { return set }
            node = remote.tree.parent(of: at)
        }
        return conflicts
    }
}

/// What becomes of a file here that was deleted on the server.
package enum DeletionPolicy: String, Codable, CaseIterable, Sendable {
    /// It goes to the local trash, kept 30 days.
    case mirror
    /// It stays, marked as unsynced, until a person confirms.
    case documents
}

/// What a person decided about one item.
package enum Choice: Hashable, Codable, Sendable {
    /// Of a conflict between these two versions.
    case keep(Side, mine: ContentHash?, theirs: ContentHash?)
    /// Of an unsynced file: it is deleted here too.
    case confirmDeletion
    /// Of an unsynced file: it is sent again.
    case sendAgain

    package enum Side: String, Codable, CaseIterable, Sendable {
        case mine, theirs, both, merge
    }
}
