import BothyContract

/// The disk's side of a binding: what a scan saw below the bound directory.
package struct LocalTree: Sendable {
    package typealias ID = NodeTree<LocalFacts>.ID

    package var tree: NodeTree<LocalFacts>
    /// What is there and is no file or folder: listed, never synced. Each occupies its place.
    package var specials: [Place: SpecialKind] = [:]

    /// What the rules left out of the scan; what is below is not listed. Each occupies its place.
    package var leftOut: Set<Place> = []

    /// Files and folders whose names are no text, by where they are listed among `specials`: two may be listed as one.
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

/// What has a name that is no text can be told of by no place. It is known by its inode that it is there, or giving it
/// such a name would be deleting it.
extension LocalTree {
    /// Whether what has this stamp is there, under a name that is no text.
    package func holdsUnspelled(_ stamp: LocalStamp) -> Bool {
        unspelledByInode[stamp.inode]?.contains { $0.isSameInode(as: stamp) } ?? false
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

/// By what a disk's node is known again without reading it.
package struct LocalStamp: Hashable, Codable, Sendable {
    package var inode: UInt64
    /// Bytes; 0 for a folder.
    package var size: Int64
    /// When its content last changed, as the disk says.
    package var modifiedAt: Timestamp
    /// When its inode last changed.
    package var changedAt: Timestamp
    /// When its inode was made, where the disk knows. It tells a folder from another that was given its inode.
    package var bornAt: Timestamp?

    package init(
        inode: UInt64 = 0, size: Int64 = 0, modifiedAt: Timestamp = Timestamp(seconds: 0),
        changedAt: Timestamp = Timestamp(seconds: 0), bornAt: Timestamp? = nil
    ) {
        self.inode = inode
        self.size = size
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
        self.bornAt = bornAt
    }

    /// Whether both are stamps of the same inode, as far as can be told.
    package func isSameInode(as other: LocalStamp) -> Bool {
        guard inode == other.inode else { return false }
        guard let born = bornAt, let otherBorn = other.bornAt else { return true }
        return born == otherBorn
    }

    /// Whether nothing says that the content is another.
    package func isSameContent(as other: LocalStamp) -> Bool {
        size == other.size && modifiedAt == other.modifiedAt
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
    /// A directory that is bound by itself.
    case otherBinding
    /// What Bothy kept for a directory that is not bound by itself any more.
    case remains
    /// A name that is no UTF-8.
    case nameNotText

    /// What it is, for a person.
    package var words: String {
        switch self {
        case .symbolicLink: "a symbolic link"
        case .socket: "a socket"
        case .pipe: "a pipe"
        case .device: "a device"
        case .mountPoint: "another disk, mounted there"
        case .otherBinding: "a folder that is kept in step by itself"
        case .remains: "what Bothy kept for a folder that was in step by itself"
        case .nameNotText: "something whose name is not text"
        }
    }
}
