/// What changed in a part of the view.
public struct FolderDelta: Equatable, Sendable {
    /// The first of a part: everything there is in it.
    public var isWhole: Bool
    /// New ones, those that are otherwise than before, and those that began or ceased to wait for a person.
    public var changed: [ReplicaFile]
    /// Those that are not in this folder any more.
    public var removed: [LUID]
    /// The folder itself, or one above it, is renamed, elsewhere, in the trash or gone.
    public var isWayChanged = false

    public init(isWhole: Bool = false, changed: [ReplicaFile], removed: [LUID]) {
        self.isWhole = isWhole
        self.changed = changed
        self.removed = removed
    }
}

/// An open folder: what is shown of it, moved by deltas. Pure.
package struct FolderPart: Sendable {
    package let folder: LUID
    private var shown: [LUID: ReplicaFile]
    /// The folder itself, and those above it.
    private var way: [LUID: ReplicaFile]
    /// What waits for a person, as far as was told.
    package private(set) var asking: Set<LUID>

    package init(folder: LUID, _ children: [ReplicaFile], way: [ReplicaFile] = [], asking: Set<LUID> = []) {
        self.folder = folder
        self.asking = asking
        self.way = Dictionary(uniqueKeysWithValues: way.map { ($0.luid, $0) })
        shown = Dictionary(uniqueKeysWithValues: children.map { ($0.luid, $0) })
    }

    /// What has to be looked at again when nobody knows what happened.
    package var wayThere: [LUID] { Array(way.keys) }

    /// What is shown.
    package var luids: Set<LUID> { Set(shown.keys) }

    /// Takes in how things look now.
    ///
    /// - Parameter asked: whether a thing waits for a person now, of those of which that may have changed.
    /// - Returns: nil where nothing of it shows here.
    package mutating func move(
        _ things: [(luid: LUID, file: ReplicaFile?)], asked: [LUID: Bool] = [:]
    ) -> FolderDelta? {
        var delta = FolderDelta(changed: [], removed: [])
        for (luid, file) in things {
            if let old = way[luid], Self.leadsElsewhere(old, file) {
                way[luid] = file ?? old
                delta.isWayChanged = true
            }
            if let file, file.parent == folder, file.trashedAt == nil {
                guard shown[luid] != file else { continue }
                shown[luid] = file
                delta.changed.append(file)
            } else if shown.removeValue(forKey: luid) != nil {
                delta.removed.append(luid)
            }
        }
        delta.changed += restated(asked, besides: delta.changed)
        return delta.changed.isEmpty && delta.removed.isEmpty && !delta.isWayChanged ? nil : delta
    }

    /// What looks as it did, and waits for a person now, or does not any more.
    private mutating func restated(_ asked: [LUID: Bool], besides told: [ReplicaFile]) -> [ReplicaFile] {
        let news = asked.filter { luid, asks in asks != asking.contains(luid) }.keys
        guard !news.isEmpty else { return [] }
        asking.formSymmetricDifference(news)
        return Set(news).subtracting(told.map(\.luid)).sorted().compactMap { shown[$0] }
    }

    private static func leadsElsewhere(_ old: ReplicaFile, _ new: ReplicaFile?) -> Bool {
        guard let new else { return true }
        return new.name != old.name || new.parent != old.parent || (new.trashedAt == nil) != (old.trashedAt == nil)
    }
}
