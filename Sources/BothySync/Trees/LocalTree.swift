import BothyContract

/// The disk's side of a binding: what a scan saw below the bound directory.
package struct LocalTree: Sendable {
    package typealias ID = NodeTree<LocalFacts>.ID

    package var tree: NodeTree<LocalFacts>
    /// What is there and is no file or folder: listed, never synced. Each occupies its place.
    package var specials: [Place: SpecialKind] = [:]

    /// Folders in which another part of the disk is mounted. Some of them may be gone.
    package var mounts: Set<Place> = []

    /// What the rules left out of the scan; what is below is not listed. Each occupies its place.
    package var leftOut: Set<Place> = []

    /// Files and folders whose names are no text, or are Bothy's own, by where they are listed among `specials`: two may be listed as one.
    package private(set) var unspelled: [Place: [LocalStamp]] = [:]
    private var unspelledByInode: [UInt64: [LocalStamp]] = [:]

    package init(root: LocalFacts = LocalFacts(kind: .folder)) { tree = NodeTree(root: root) }

    package func node(at place: Place) -> ID? { tree.node(at: place) }

    package subscript(_ node: ID) -> LocalFacts { tree[node] }

    package func facts(at place: Place) -> LocalFacts? { tree.node(at: place).map { tree[$0] } }

    /// Whether the rules left a place out of the scan, by itself or with a folder above it.
    package func leavesOut(_ place: Place) -> Bool {
        var at = place
        while !at.isRoot {
            if leftOut.contains(at) { return true }
            at = at.parent
        }
        return false
    }

    // MARK: - Changing

    /// Puts a node at a place, or changes what is known of the one there. Its folder must be there.
    @discardableResult
    package mutating func put(_ facts: LocalFacts, at place: Place) -> ID? {
        if let node = tree.node(at: place) {
            tree[node] = facts
            return node
        }
        guard let parent = tree.node(at: place.parent), tree[parent].kind == .folder else { return nil }
        return tree.insert(facts, named: place.name, under: parent)
    }

    /// Moves a node with what is below it. False, and nothing done, where that cannot be.
    @discardableResult
    package mutating func move(_ place: Place, to target: Place) -> Bool {
        guard let node = tree.node(at: place), let parent = tree.node(at: target.parent),
            tree[parent].kind == .folder
        else { return false }
        return tree.move(node, to: parent, named: target.name)
    }

    /// Removes what is at a place, with all below it.
    package mutating func remove(_ place: Place) {
        guard let node = tree.node(at: place), node != .root else { return }
        tree.remove(node)
    }
}

/// What has a name that is no text, or is Bothy's own, is not synced under it. It is known by its inode that it is there, or giving it
/// such a name would be deleting it.
extension LocalTree {
    /// Whether what has this stamp is there, under such a name.
    package func holdsUnspelled(_ stamp: LocalStamp) -> Bool {
        unspelledByInode[stamp.inode]?.contains { $0.isSameInode(as: stamp) } ?? false
    }

    /// Why what has this stamp is not synced under the name that it has; nil for what has no such name.
    package func unspelledKind(_ stamp: LocalStamp) -> SpecialKind? {
        guard holdsUnspelled(stamp) else { return nil }
        return unspelled.first { $0.value.contains { $0.isSameInode(as: stamp) } }.flatMap { specials[$0.key] }
    }

    package mutating func noteUnspelled(_ stamp: LocalStamp, at place: Place) {
        unspelled[place, default: []].append(stamp)
        unspelledByInode[stamp.inode, default: []].append(stamp)
    }

    package mutating func forgetUnspelled(at place: Place) {
        for stamp in unspelled.removeValue(forKey: place) ?? [] {
            // Another name of the same may be listed elsewhere.
            guard let index = unspelledByInode[stamp.inode]?.firstIndex(of: stamp) else { continue }
            unspelledByInode[stamp.inode]?.remove(at: index)
        }
    }
}

/// What a scan saw of a file or folder.
package struct LocalFacts: Equatable, Sendable {
    package var kind: NodeKind
    package var stamp: LocalStamp
    package var executable: Bool
    /// Of a file: nil until it was read. The scan takes it from the synced tree where the stamp is the same.
    package var hash: ContentHash?
    package var condition: LocalCondition

    package init(
        kind: NodeKind, stamp: LocalStamp = LocalStamp(), executable: Bool = false, hash: ContentHash? = nil,
        condition: LocalCondition = .quiet
    ) {
        self.kind = kind
        self.stamp = stamp
        self.executable = executable
        self.hash = hash
        self.condition = condition
    }
}

/// Whether what stands there may be taken as it is.
package enum LocalCondition: String, Codable, CaseIterable, Sendable {
    case quiet
    /// Someone has written a moment ago, and may go on.
    case beingWritten
    /// It may not be read. Of a folder: what is in it is not known, and nothing in it counts as gone.
    case unreadable
}

/// What a disk holds besides files and folders.
package enum SpecialKind: String, Codable, CaseIterable, Sendable {
    case symbolicLink, socket, pipe, device
    /// Another disk is mounted there.
    case mountPoint
    /// What was mounted there and agreed on is not mounted now.
    case unmounted
    /// A directory that is bound by itself.
    case otherBinding
    /// What Bothy kept for a directory that is not bound by itself any more.
    case remains
    /// A name that is no UTF-8.
    case nameNotText
    /// A name that a download under way has: what it stands for may be one, or a person's.
    case partName

    /// What it is, for a person.
    package var words: String {
        switch self {
        case .symbolicLink: "a symbolic link"
        case .socket: "a socket"
        case .pipe: "a pipe"
        case .device: "a device"
        case .mountPoint: "another disk, mounted there"
        case .unmounted: "the folder of a disk that is not mounted"
        case .otherBinding: "a folder that is synced separately"
        case .remains: "what Bothy kept for a folder that was synced separately"
        case .nameNotText: "something whose name is not valid text"
        case .partName: "something with the name of an unfinished download"
        }
    }
}
